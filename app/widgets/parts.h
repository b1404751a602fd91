// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small parts that every page is made of. Free functions that make widgets, and a few widgets; GUI thread.
#pragma once

#include "app/theme/theme.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QMessageBox;
class QScrollArea;

namespace homebooth::app {

/// A label in a role's font. It shows its text as it is: names, captions and what files say may look like
/// markup, which labels else obey, and images of it would be read.
[[nodiscard]] QLabel* makeLabel(const QString& text, TypeRole role = TypeRole::Body,
                                QWidget* parent = nullptr);

/// Lets a label's text be selected and copied, by mouse and by keyboard.
void letCopy(QLabel* label);
/// The same for one that always says something while it is seen: Tab stops there, too.
void letCopyByTab(QLabel* label);

/// A label in the muted colour, wrapping; its text is no markup either.
class MutedLabel : public QLabel {
    Q_OBJECT
public:
    explicit MutedLabel(const QString& text = {}, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void takeColour();
    bool m_taking = false;
};

/// One line that gives up its end where there is no room, or its middle; the whole text is its tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    /// The same where its name for screen readers says something else.
    void setShownText(const QString& text);
    /// Has it give up its middle, where what parts it from another one is at its end.
    void keepEnds();
    [[nodiscard]] const QString& fullText() const { return m_text; }
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    QString m_text;
    Qt::TextElideMode m_cut = Qt::ElideRight;
};

/// Base on Window with a hairline: what belongs together.
class Card : public QFrame {
    Q_OBJECT
public:
    explicit Card(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// A push button. @param look  "primary", "quiet", "segment" or empty
[[nodiscard]] QPushButton* makeButton(const QString& text, const QString& iconName = {},
                                      const char* look = "", QWidget* parent = nullptr);

/// Has a button take clicks in quick succession, as those of a double click, for one: where each would
/// begin something anew, or another button stood in its place a moment ago. Every primary one does.
void takeQuickClicksAsOne(QAbstractButton* button);

/// A name on a button or in a menu, where "&" else marks a key.
[[nodiscard]] QString asButtonText(const QString& name);

/// Of buttons that stand for a thing, such as a tag: their text does not say what pressing them does.
constexpr const char* kThingProperty = "thing";

/// A button with a name, which is taken out by pressing it. @param tooltip  says so
[[nodiscard]] QPushButton* makeChip(const QString& name, const QString& tooltip);

/// A list of names to choose from, which may be long: it takes the room that there is, and more when it
/// opens; of the chosen one both ends are seen.
[[nodiscard]] QComboBox* makeNameList();

/// A tool button with an icon alone: its name is its tooltip and accessible name.
[[nodiscard]] QToolButton* makeIconButton(const QString& iconName, const QString& name,
                                          QWidget* parent = nullptr);

/// A label above a field, as forms have it.
[[nodiscard]] QWidget* labelled(const QString& label, QWidget* field, const QString& tooltip = {});

/// A fact's name, for forms: in small letters, on the first line of what stands beside it.
[[nodiscard]] QLabel* makeFactName(const QString& text);

/// Puts widgets that were made later into the order of Tab, ahead of `next`, which may take no focus itself.
/// All must be in one window.
void putIntoTabOrder(const QList<QWidget*>& widgets, const QWidget& next);

/// Has Tab stop at what is chosen in a group of buttons, whoever chose it: Qt has it stop where the focus
/// was last, and the next key would choose that.
void letTabFollowChoice(QButtonGroup& group);

/// Takes a widget away that may have the focus: hidden first, it hands that on to its neighbour, where
/// one that is deleted in sight leaves nobody with it.
void retire(QWidget* widget);

/// Gives the focus to a widget that was made a moment ago, in a parent that is shown: layouts show it
/// later only.
void focusNew(QWidget& widget);

/// Opens a question. What Return would answer is seen from the beginning.
void openQuestion(QMessageBox& box);

/// A layout with margins and spacing of the grid.
void tidy(QBoxLayout* layout, int margin, int spacing);

/// A scroll area without frame around `content`, as wide as its viewport.
[[nodiscard]] QScrollArea* makeScroll(QWidget* content);

/// A vertical hairline.
[[nodiscard]] QFrame* makeRule(Qt::Orientation orientation, QWidget* parent = nullptr);

} // namespace homebooth::app
