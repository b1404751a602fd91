// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fusion with the shapes of this window: flat controls of one height, radius 6, one focus ring, one coloured
// button a page. Owned by QApplication; GUI thread.
//
// Widgets ask for a look by the property "look": "primary" (push button), "quiet" (push or tool button
// without a frame), "segment" (checkable push button in a row of choices).
#pragma once

#include <QProxyStyle>

namespace homebooth::app {

constexpr const char* kLookProperty = "look";
/// Of a choice: its text gives up its middle where there is no room, since what parts one from another is at
/// the end.
constexpr const char* kKeepsEndsProperty = "keepsEnds";

class Style : public QProxyStyle {
    Q_OBJECT
public:
    Style();

    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    [[nodiscard]] int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                                QStyleHintReturn* returned) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                         const QWidget* widget) const override;
    [[nodiscard]] QRect subElementRect(SubElement element, const QStyleOption* option,
                                       const QWidget* widget) const override;
    [[nodiscard]] QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                       SubControl part, const QWidget* widget) const override;

private:
    void drawButtonLabel(const QStyleOption& option, QPainter* painter, const QWidget* widget) const;
    void drawComboLabel(const QStyleOption& option, QPainter* painter, const QWidget* widget) const;
};

} // namespace homebooth::app
