// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of pages at the left: one stop of the Tab key, arrows within; words beside icons, icons alone in
// the compact layout. Owned by the main window; GUI thread.
#pragma once

#include "app/shell/page.h"

#include <QAbstractButton>
#include <QButtonGroup>

#include <map>

namespace homebooth::app {

class NavigationButton : public QAbstractButton {
    Q_OBJECT
public:
    NavigationButton(const QString& iconName, const QString& text, QWidget* parent = nullptr);
    void setCompact(bool compact);
    /// A number or a dot beside the name; empty: none. @param words  what it means, for screen readers
    void setBadge(const QString& badge, const QString& words);
    [[nodiscard]] QSize sizeHint() const override;
    /// In which its whole name is seen, in pixels.
    [[nodiscard]] int wholeWidth() const { return widthIn(font()); }
    /// The same in letters like these.
    [[nodiscard]] int widthIn(const QFont& letters) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Its name is a tooltip where it is not seen, or not all of it.
    void takeTip();
    [[nodiscard]] int badgeWidth() const;
    /// Name and badge. @param here  whether its page is in view
    void paintWords(QPainter& painter, const QRectF& box, bool here) const;

    QString m_icon;
    QString m_name;
    QString m_badge;
    bool m_compact = false;
};

class Navigation : public QWidget {
    Q_OBJECT
public:
    explicit Navigation(QWidget* parent = nullptr);
    /// Adds an entry under those before it. @param key  the number with Ctrl
    NavigationButton* add(PageId page, const QString& iconName, const QString& text);
    void addRule();
    void addStretch();
    void select(PageId page);
    [[nodiscard]] NavigationButton* button(PageId page) const;
    void setCompact(bool compact);
    /// Takes the width that its words need, as far as the window has more than the pages need; where that is
    /// too little, large letters become smaller.
    void fit();

Q_SIGNALS:
    void chosen(homebooth::app::PageId page);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup m_group;
    std::map<PageId, NavigationButton*> m_buttons;
    bool m_compact = false;
};

} // namespace homebooth::app
