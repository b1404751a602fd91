// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the style paints each kind of control. Private to app/theme. Free functions; GUI thread.
#pragma once

#include <QColor>
#include <QRect>
#include <QString>

class QPainter;
class QStyleOption;
class QStyleOptionComplex;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionViewItem;

namespace homebooth::app {

void paintButton(const QStyleOption& option, const QString& look, QPainter* painter);
void paintField(const QStyleOption& option, QPainter* painter);
/// The ring of a button that the keyboard has reached; nothing for others. On the coloured button the ring
/// lies within, where it can be told from the fill.
void paintButtonFocus(const QStyleOption& option, const QString& look, QPainter* painter);
/// The list that a combo box opens.
void paintPopup(const QStyleOption& option, QPainter* painter);
void paintFocusRing(const QStyleOption& option, QPainter* painter);
void paintCheckMark(const QStyleOption& option, QPainter* painter);
void paintRadioMark(const QStyleOption& option, QPainter* painter);
void paintCombo(const QStyleOptionComplex& option, QPainter* painter);
void paintSpinBox(const QStyleOptionSpinBox& option, const QRect& up, const QRect& down, QPainter* painter);
void paintScrollBar(const QStyleOptionSlider& option, const QRect& slider, QPainter* painter);
void paintSlider(const QStyleOptionSlider& option, const QRect& handle, QPainter* painter);
void paintItem(const QStyleOptionViewItem& option, QPainter* painter);
/// @param part  of the width that is filled, 0 to 1
void paintHeader(const QStyleOption& option, QPainter* painter);
void paintProgress(const QStyleOption& option, double part, const QColor& colour, QPainter* painter);
/// A part that wanders, for work of unknown length; still where motion is not wanted.
void paintBusy(const QStyleOption& option, QPainter* painter);

} // namespace homebooth::app
