// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests of the layout ask of widgets: whether what stands on them is seen; and a language of long words.
// Free functions; GUI thread.
#pragma once

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTranslator>

#include <cmath>

using namespace Qt::StringLiterals;

namespace homebooth::app {

/// Every text longer, in words of the length that German has.
class LongWords : public QTranslator {
public:
    using QTranslator::QTranslator;
    void setMore(double part) { m_more = part; }
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* source, const char*,
                                    int) const override {
        if (QByteArray(context).startsWith("Q")) return {}; // Qt's own dialogs
        QString text = QString::fromUtf8(source);
        qsizetype more = static_cast<qsizetype>(std::ceil(m_more * double(text.size())));
        constexpr qsizetype kWord = 9;
        while (more > 1) {
            const qsizetype letters = qMin(kWord, more - 1);
            text += ' ' + QString(letters, QChar(0xF6));
            more -= letters + 1;
        }
        return text;
    }

private:
    double m_more = 0.4; ///< of a text's length
};

inline QString nameOf(const QWidget* widget, const QString& text) {
    return u"%1 \"%2\" %3x%4"_s.arg(QString::fromLatin1(widget->metaObject()->className()), text.left(50))
        .arg(widget->width())
        .arg(widget->height());
}

/// What a choice's own words or a field in it would need more; names end with dots where they are too long.
[[nodiscard]] inline QString choiceCutOff(const QComboBox& choice) {
    if (choice.height() + 1 < choice.minimumSizeHint().height())
        return nameOf(&choice, choice.currentText()) + u" is too low"_s;
    QStyleOptionComboBox option;
    option.initFrom(&choice);
    option.editable = choice.isEditable();
    const QRect room =
        choice.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &choice);
    constexpr int kLeastLetters = 6;
    const bool names =
        choice.isEditable() || choice.sizeAdjustPolicy() == QComboBox::AdjustToMinimumContentsLengthWithIcon;
    const int icon =
        choice.itemIcon(choice.currentIndex()).isNull() ? 0 : choice.iconSize().width() + kGapInside;
    const int all = choice.fontMetrics().horizontalAdvance(choice.currentText());
    const int some = kLeastLetters * choice.fontMetrics().averageCharWidth();
    const int wide = icon + kGapInside + (names ? qMin(all, some) : all); // as the style measures it
    if (room.width() + 1 >= wide) return {};
    return nameOf(&choice, choice.currentText()) + u" has %1 of %2"_s.arg(room.width()).arg(wide);
}

/// What the names of columns would need more.
[[nodiscard]] inline QString headerCutOff(const QHeaderView& header) {
    for (int section = 0; section < header.count(); ++section) {
        const QString name = header.model()->headerData(section, header.orientation()).toString();
        const bool hidden = header.isSectionHidden(section) || header.orientation() == Qt::Vertical;
        const int has = header.sectionSize(section);
        const int wide = header.sectionSizeHint(section);
        if (!hidden && has + 1 < wide) return nameOf(&header, name) + u" has %1 of %2"_s.arg(has).arg(wide);
    }
    return {};
}

/// Tabs that are shortened or stand where one has to scroll to them.
[[nodiscard]] inline QString tabsCutOff(const QTabBar& tabs) {
    constexpr int kEdge = 2; // by which a chosen tab may stand out
    for (int tab = 0; tab < tabs.count(); ++tab)
        if (!tabs.rect().adjusted(-kEdge, -kEdge, kEdge, kEdge).contains(tabs.tabRect(tab)) ||
            tabs.tabRect(tab).width() < tabs.fontMetrics().horizontalAdvance(tabs.tabText(tab)))
            return nameOf(&tabs, tabs.tabText(tab)) + u" is not seen as a whole"_s;
    return {};
}

/// What a widget would need more than it has; empty if all is seen.
[[nodiscard]] inline QString cutOff(const QWidget* widget) {
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
        button && !button->text().isEmpty()) {
        if (button->width() + 1 < button->minimumSizeHint().width() ||
            button->height() + 1 < button->minimumSizeHint().height())
            return nameOf(button, button->text()) + u" needs %1"_s.arg(button->minimumSizeHint().width());
        return {};
    }
    if (const auto* choice = qobject_cast<const QComboBox*>(widget)) return choiceCutOff(*choice);
    if (const auto* header = qobject_cast<const QHeaderView*>(widget); header && header->model())
        return headerCutOff(*header);
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) return tabsCutOff(*tabs);
    constexpr int kLeastLetters = 6;
    const auto* field = qobject_cast<const QLineEdit*>(widget);
    const bool own = field && !qobject_cast<const QAbstractSpinBox*>(field->parentWidget());
    if (own && field->width() < kLeastLetters * field->fontMetrics().averageCharWidth())
        return nameOf(field, field->accessibleName()) + u" has no room for a word"_s;
    const auto* area = qobject_cast<const QScrollArea*>(widget);
    if (area && area->widget() && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff &&
        area->widget()->width() > area->viewport()->width())
        return nameOf(area, area->accessibleName()) + u" shows a part of %1"_s.arg(area->widget()->width());
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label == nullptr || label->text().isEmpty() || qobject_cast<const ElidedLabel*>(widget)) return {};
    const int high = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
    if (label->height() + 1 < high)
        return nameOf(label, label->text()) + u" needs a height of %1"_s.arg(high);
    const int wide = label->wordWrap() ? label->minimumSizeHint().width() : label->sizeHint().width();
    if (label->width() + 1 < wide) return nameOf(label, label->text()) + u" needs a width of %1"_s.arg(wide);
    return {};
}

/// Whether a widget ends beyond its parent where nothing scrolls.
[[nodiscard]] inline bool leavesItsParent(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    if (parent == nullptr || qobject_cast<const QAbstractScrollArea*>(parent->parentWidget()) != nullptr)
        return false;
    return !parent->rect().adjusted(-1, -1, 1, 1).contains(widget->geometry());
}

} // namespace homebooth::app
