// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/theme/colours.h"

#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kTextContrast = 4.5;
constexpr double kShapeContrast = 3.0;
constexpr double kStrongTextContrast = 7.0;
constexpr double kStrongShapeContrast = 4.5;
constexpr double kBlackOnWhite = 19.5; // of 21, the least of a palette for weak eyes
constexpr double kOneGround = 1.06;    // the most between its window and its fields
constexpr double kStep = 0.04;
constexpr int kMostSteps = 25;

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
}

/// Steps towards black (light) or white (dark) until the colour stands out from all backgrounds.
QColor legible(QColor colour, const Colours& on, double target) {
    const QColor goal = on.dark ? Qt::white : Qt::black;
    for (int i = 0; i < kMostSteps; ++i) {
        const auto standsOut = [&](const QColor& ground) { return contrast(colour, ground) >= target; };
        if (standsOut(on.window) && standsOut(on.base) && standsOut(on.side)) break;
        colour = mixed(goal, colour, kStep);
    }
    return colour;
}

void fillChartColours(Colours& colours) {
    using Kinds = std::array<QColor, kMemoryKinds>;
    colours.memory = colours.dark ? Kinds{QColor(0x5C82F2), QColor(0xF2A0D2), QColor(0xDB6030),
                                          QColor(0x8FC49C), QColor(0xE6DD5A), QColor(0x868686)}
                                  : Kinds{QColor(0x5080D8), QColor(0x7B1FA2), QColor(0x9A3B0A),
                                          QColor(0x10605A), QColor(0xB0831A), QColor(0x878787)};
    colours.lossRaw = QColor(colours.dark ? 0x62769A : 0x7C90B4);
    colours.lossSmooth = QColor(colours.dark ? 0x9CC2FF : 0x17438F);
    colours.heldOut = colours.of(MemoryKind::Gradients);
}

struct Roles {
    QColor window, base, alternate, text, highlight, link, button;
    QColor onHighlight = Qt::white;
    double quiet = 0.38; ///< part of the window's colour in secondary words
    double off = 0.55;   ///< the same in those of what cannot be used
};

constexpr double kStrongQuiet = 0.3;
constexpr double kStrongOff = 0.4;

QPalette paletteOf(const Roles& roles) {
    QPalette palette(roles.button, roles.window);
    palette.setColor(QPalette::Window, roles.window);
    palette.setColor(QPalette::Base, roles.base);
    palette.setColor(QPalette::AlternateBase, roles.alternate);
    palette.setColor(QPalette::Button, roles.button);
    palette.setColor(QPalette::ToolTipBase, roles.base);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, roles.text);
    palette.setColor(QPalette::Highlight, roles.highlight);
    palette.setColor(QPalette::HighlightedText, roles.onHighlight);
    palette.setColor(QPalette::Link, roles.link);
    palette.setColor(QPalette::LinkVisited, roles.link);
    const QColor quiet = mixed(roles.window, roles.text, roles.quiet);
    palette.setColor(QPalette::PlaceholderText, quiet);
    const QColor off = mixed(roles.window, roles.text, roles.off);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, off);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(roles.window, roles.text, 0.8));
    return palette;
}

} // namespace

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

QColor mixed(const QColor& a, const QColor& b, double part) {
    const auto channel = [part](float x, float y) { return static_cast<float>(x * part + y * (1.0 - part)); };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                            channel(a.blueF(), b.blueF()));
}

Colours coloursOf(const QPalette& palette) {
    Colours colours;
    colours.window = palette.color(QPalette::Active, QPalette::Window);
    colours.base = palette.color(QPalette::Active, QPalette::Base);
    colours.text = palette.color(QPalette::Active, QPalette::WindowText);
    colours.dark = luminance(colours.window) < luminance(colours.text);
    colours.side = mixed(colours.text, colours.window, 0.025);
    colours.strong = isStrong(palette);
    const double words = colours.strong ? kStrongTextContrast : kTextContrast;
    const double shapes = colours.strong ? kStrongShapeContrast : kShapeContrast;
    const QColor highlight = palette.color(QPalette::Active, QPalette::Highlight);
    colours.muted = legible(mixed(colours.window, colours.text, 0.38), colours, words);
    colours.outline = legible(mixed(colours.window, colours.text, 0.55), colours, shapes);
    colours.groove = mixed(colours.text, colours.window, 0.14);
    colours.hairline = colours.strong ? legible(colours.groove, colours, kShapeContrast) : colours.groove;
    colours.off = palette.color(QPalette::Disabled, QPalette::WindowText);
    colours.hover = mixed(colours.text, colours.window, 0.07);
    colours.accent = legible(highlight, colours, shapes);
    colours.onAccent = contrast(Qt::white, colours.accent) >= contrast(Qt::black, colours.accent) - 4.0
                           ? QColor(Qt::white)
                           : QColor(Qt::black);
    colours.link = legible(highlight, colours, words);
    colours.error = legible(QColor(colours.dark ? 0xFF8A80 : 0xB3261E), colours, words);
    colours.caution = legible(QColor(colours.dark ? 0xF2B84B : 0x8A5300), colours, words);
    colours.good = legible(QColor(colours.dark ? 0x6FCF97 : 0x1B6E3C), colours, words);
    fillChartColours(colours);
    return colours;
}

QPalette lightPalette() {
    return paletteOf({QColor(0xF5F5F4), QColor(0xFFFFFF), QColor(0xFAFAF9), QColor(0x1C1E21),
                      QColor(0x1F66B5), QColor(0x1F66B5), QColor(0xFFFFFF)});
}

QPalette darkPalette() {
    return paletteOf({QColor(0x202326), QColor(0x17191C), QColor(0x1B1D21), QColor(0xE8E9EA),
                      QColor(0x2F78C8), QColor(0x508ED1), QColor(0x2B2F33)});
}

QPalette strongLightPalette() {
    const QColor blue(0x0B3F8A);
    return paletteOf({Qt::white, Qt::white, QColor(0xF2F2F2), Qt::black, blue, blue, Qt::white, Qt::white,
                      kStrongQuiet, kStrongOff});
}

QPalette strongDarkPalette() {
    const QColor blue(0x8CC4FF);
    return paletteOf({Qt::black, Qt::black, QColor(0x121212), Qt::white, blue, blue, Qt::black, Qt::black,
                      kStrongQuiet, kStrongOff});
}

bool isStrong(const QPalette& palette) {
    const auto colour = [&palette](QPalette::ColorRole role) {
        return palette.color(QPalette::Active, role);
    };
    const QColor window = colour(QPalette::Window);
    const QColor base = colour(QPalette::Base);
    return contrast(window, colour(QPalette::WindowText)) >= kBlackOnWhite &&
           contrast(base, colour(QPalette::Text)) >= kBlackOnWhite && contrast(window, base) <= kOneGround;
}

} // namespace homebooth::app
