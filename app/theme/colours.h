// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every colour of the window by its role, derived from a palette so that light and dark both work and every
// role keeps its contrast. Values; any thread.
#pragma once

#include <QColor>
#include <QPalette>

#include <array>

namespace homebooth::app {

/// Kinds of memory in the order of their stack, bottom first.
enum class MemoryKind { Parameters, Optimizer, Gradients, Activations, Workspace, Cache };
constexpr int kMemoryKinds = 6;

struct Colours {
    bool dark = false;
    bool strong = false; ///< black and white, with lines that are seen by weak eyes
    QColor window, base, text;
    QColor side;     ///< the ground of what stands around the pages
    QColor muted;    ///< secondary text, 4.5:1
    QColor outline;  ///< borders of controls, 3:1
    QColor hairline; ///< lines between areas, decoration only; 3:1 where colours are strong
    QColor groove;   ///< of bars, behind what is filled with the links' colour
    QColor off;      ///< words and icons of what cannot be used
    QColor hover;    ///< background under the pointer
    QColor accent;   ///< filled buttons, 3:1
    QColor onAccent; ///< text on it
    QColor link;     ///< links and focus rings, 4.5:1
    QColor error, caution, good;
    std::array<QColor, kMemoryKinds> memory;
    QColor lossRaw, lossSmooth;
    QColor heldOut; ///< loss of pictures that are not learned; its points are round, too

    /// Secondary text of a row. @param tinted  chosen or hovered, where the muted colour is too weak
    [[nodiscard]] QColor secondary(bool tinted) const { return tinted ? text : muted; }
    [[nodiscard]] QColor of(MemoryKind kind) const { return memory[static_cast<size_t>(kind)]; }
};

[[nodiscard]] Colours coloursOf(const QPalette& palette);

/// The two palettes that Homebooth brings itself.
[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();
/// The same in black and white, for weak eyes.
[[nodiscard]] QPalette strongLightPalette();
[[nodiscard]] QPalette strongDarkPalette();

/// Whether a palette is one for weak eyes: black on white or white on black, all of it.
[[nodiscard]] bool isStrong(const QPalette& palette);

/// The WCAG contrast of two opaque colours, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

/// `part` of `a` over `b`, 0 to 1.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double part);

} // namespace homebooth::app
