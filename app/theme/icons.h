// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window's icons: outlines drawn in the text colour of the moment, so they follow every palette.
// Free functions; GUI thread.
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QString>

class QColor;

namespace homebooth::app {

/// An icon of resources/icons by its file's name without ending.
/// @param filled  the outline's inside takes the colour, too
[[nodiscard]] QIcon icon(const QString& name, bool filled = false);

/// The same, always in one colour.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, double ratio,
                                 bool filled = false);

/// The star of favourites, with a dark edge: it is seen on light, dark and yellow pictures.
[[nodiscard]] QPixmap favouriteMark(int size, double ratio);

} // namespace homebooth::app
