// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme/style.h"

#include "app/theme/metrics.h"
#include "app/theme/style_paint.h"
#include "app/theme/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyleOption>
#include <QTextEdit>

namespace homebooth::app {
namespace {

constexpr int kScrollBarWidth = 12;
constexpr int kArrowWidth = 26;
constexpr int kMarkSize = 18;

QString lookOf(const QWidget* widget) {
    return widget != nullptr ? widget->property(kLookProperty).toString() : QString();
}

/// The frame of a list that a combo box opens; Qt keeps its class to itself.
bool isPopup(const QWidget* widget) {
    return widget != nullptr && widget->inherits("QComboBoxPrivateContainer");
}

/// A list of names, whose rows are tinted: what stands in them keeps away from the tint's edge.
bool isNameList(const QWidget* widget) {
    return qobject_cast<const QListView*>(widget) != nullptr && !isPopup(widget->parentWidget());
}

} // namespace

Style::Style()
    : QProxyStyle(QStringLiteral("fusion")) {}

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QAbstractSpinBox*>(widget) != nullptr || qobject_cast<QLineEdit*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    switch (element) {
    case CE_PushButtonBevel:
        paintButton(*option, lookOf(widget), painter);
        return paintButtonFocus(*option, lookOf(widget), painter);
    case CE_PushButtonLabel:
        return drawButtonLabel(*option, painter, widget);
    case CE_ComboBoxLabel:
        return drawComboLabel(*option, painter, widget);
    case CE_ItemViewItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
        if (item == nullptr) break;
        QStyleOptionViewItem copy = *item;
        copy.palette.setColor(QPalette::HighlightedText, colours().text); // selection is a tint, not a fill
        return QProxyStyle::drawControl(element, &copy, painter, widget);
    }
    case CE_HeaderSection:
        return paintHeader(*option, painter);
    case CE_ProgressBarGroove:
        return paintProgress(*option, 1.0, colours().groove, painter);
    case CE_ProgressBarContents: {
        const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
        if (bar == nullptr) break;
        if (bar->maximum <= bar->minimum) return paintBusy(*option, painter);
        const double part = double(bar->progress - bar->minimum) / (bar->maximum - bar->minimum);
        return paintProgress(*option, part, colours().link, painter);
    }
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawButtonLabel(const QStyleOption& option, QPainter* painter, const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    if (button == nullptr) return;
    QStyleOptionButton copy = *button;
    const bool primary = lookOf(widget) == QLatin1String("primary");
    if (primary && (option.state & State_Enabled))
        copy.palette.setColor(QPalette::ButtonText, colours().onAccent);
    if (primary) copy.icon = QIcon(); // the coloured button is its words
    QProxyStyle::drawControl(CE_PushButtonLabel, &copy, painter, widget);
}

void Style::drawComboLabel(const QStyleOption& option, QPainter* painter, const QWidget* widget) const {
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(&option);
    if (combo == nullptr) return;
    QStyleOptionComboBox copy = *combo;
    const QRect room = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
    // Qt cuts a name in the middle of a letter; this one says that it goes on.
    const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + kGapInside;
    const bool ends = widget != nullptr && widget->property(kKeepsEndsProperty).toBool();
    copy.currentText = combo->fontMetrics.elidedText(
        combo->currentText, ends ? Qt::ElideMiddle : Qt::ElideRight, room.width() - icon - kGapInside);
    QProxyStyle::drawControl(CE_ComboBoxLabel, &copy, painter, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    switch (element) {
    case PE_FrameFocusRect:
        if (qobject_cast<const QAbstractItemView*>(widget) == nullptr) paintFocusRing(*option, painter);
        return;
    case PE_FrameLineEdit:
    case PE_PanelLineEdit:
        if (widget != nullptr && (qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                                  qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr))
            return;
        return paintField(*option, painter);
    case PE_Frame:
        if (qobject_cast<const QTextEdit*>(widget) != nullptr || lookOf(widget) == QLatin1String("field"))
            return paintField(*option, painter);
        if (isPopup(widget)) paintPopup(*option, painter);
        return;
    case PE_IndicatorCheckBox:
        return paintCheckMark(*option, painter);
    case PE_IndicatorRadioButton:
        return paintRadioMark(*option, painter);
    case PE_PanelButtonTool:
        return paintButton(*option, QStringLiteral("quiet"), painter);
    case PE_PanelItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option))
            return paintItem(*item, painter);
        break;
    case PE_PanelItemViewRow:
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    switch (control) {
    case CC_ComboBox:
        return paintCombo(*option, painter);
    case CC_ScrollBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
            return paintScrollBar(*bar, subControlRect(control, option, SC_ScrollBarSlider, widget), painter);
        break;
    case CC_Slider:
        if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option))
            return paintSlider(*slider, subControlRect(control, option, SC_SliderHandle, widget), painter);
        break;
    case CC_SpinBox:
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return paintSpinBox(*spin, subControlRect(control, option, SC_SpinBoxUp, widget),
                                subControlRect(control, option, SC_SpinBoxDown, widget), painter);
        break;
    default:
        break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (metric == PM_FocusFrameHMargin && widget != nullptr && isPopup(widget->parentWidget()))
        return kGapLabel - 1; // the words of an opened list stand below the chosen one
    switch (metric) {
    case PM_DefaultFrameWidth: // the round corners of a text field must not be covered by its text
        return lookOf(widget) == QLatin1String("field") ? 3
                                                        : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_ScrollBarExtent:
        return kScrollBarWidth;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return kMarkSize;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return kGapLabel;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
        return kIconSize;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_ProgressBarChunkWidth: // a bar is drawn anew only where it has moved by more
        return 0;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
        return kGapBlock;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return kGapLabel;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
    switch (hint) {
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_ItemView_ActivateItemOnSingleClick:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        // A quiet one stands in a column of words: it begins where they do, but for the room of its hover.
        if (lookOf(widget) == QLatin1String("quiet"))
            result.setWidth(size.width() + 2 * kGapLabel);
        else
            result.rwidth() += kGapBlock;
        result.setHeight(qMax(kControlHeight, size.height() + 2 * kGapInside));
        break;
    case CT_SpinBox: // holds a line edit, which has its room already
        result.setHeight(qMax(kControlHeight, size.height()));
        break;
    case CT_LineEdit:
        result.setHeight(qMax(kControlHeight, size.height() + 2 * kGapInside));
        break;
    case CT_ComboBox:
        result.setHeight(qMax(kControlHeight, size.height() + 2 * kGapInside));
        result.rwidth() += kGapBlock;
        break;
    case CT_ToolButton:
        result.setHeight(qMax(kControlHeight, result.height()));
        result.setWidth(qMax(kControlHeight, result.width() + kGapInside));
        break;
    case CT_ItemViewItem:
        result.setHeight(qMax(kControlHeight - kGapInside, result.height() + kGapInside));
        if (isNameList(widget)) result.rwidth() += 2 * kGapInside;
        break;
    default:
        break;
    }
    return result;
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    switch (element) {
    case SE_LineEditContents:
        return rect.adjusted(kGapInside, 0, -kGapInside, 0);
    case SE_ItemViewItemDecoration:
        if (!isNameList(widget)) return rect;
        return rect.translated(option->direction == Qt::RightToLeft ? -kGapInside : kGapInside, 0);
    case SE_ItemViewItemText:
        return isNameList(widget) ? rect.adjusted(kGapInside, 0, -kGapInside, 0) : rect;
    default:
        return rect;
    }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
    const QRect& whole = option->rect;
    if (control == CC_ScrollBar && (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)) return {};
    if (control == CC_ScrollBar && part == SC_ScrollBarGroove) return whole;
    if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
        // A field to type in has its own room beside the words, as in CC_SpinBox.
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        const bool typed = combo != nullptr && combo->editable;
        return whole.adjusted(typed ? kGapInside : kGapLabel, 2, -kArrowWidth, -2);
    }
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return QRect(whole.right() - kArrowWidth, whole.top(), kArrowWidth, whole.height());
    if (control == CC_SpinBox) {
        const int half = whole.height() / 2;
        if (part == SC_SpinBoxUp) return QRect(whole.right() - kArrowWidth, whole.top(), kArrowWidth, half);
        if (part == SC_SpinBoxDown)
            return QRect(whole.right() - kArrowWidth, whole.top() + half, kArrowWidth, whole.height() - half);
        if (part == SC_SpinBoxEditField) return whole.adjusted(kGapInside, 2, -kArrowWidth, -2);
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

} // namespace homebooth::app
