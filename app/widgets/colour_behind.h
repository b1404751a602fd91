// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colour that stands behind transparent parts of pictures: said, shown on a button, and asked for.
// Free functions; GUI thread.
#pragma once

#include <QString>

#include <cstdint>
#include <functional>

class QPushButton;
class QWidget;

namespace homebooth::app {

/// What becomes of transparent parts, as a sentence. @param rgb  0xRRGGBB
[[nodiscard]] QString seeThroughText(uint32_t rgb);

/// The word for a picture with transparent parts.
[[nodiscard]] QString seeThroughWord();

/// A button that leads to another colour; `showColourOn` says which one there is now.
[[nodiscard]] QPushButton* makeColourButton();
void showColourOn(QPushButton& button, uint32_t rgb);

/// Asks for another colour; `take` is called with it unless the user leaves it as it is.
void askForColour(QWidget* parent, const QString& title, uint32_t now, std::function<void(uint32_t)> take);

} // namespace homebooth::app
