// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the keyboard finds chosen in a list that it comes to. A function; GUI thread.
#pragma once

class QAbstractItemView;

namespace homebooth::app {

/// Has a list in which nothing is chosen choose its current row, or else the first one, whenever the keyboard
/// comes to it: Qt makes the row current alone, where no key and no button does anything.
void chooseByKeyboard(QAbstractItemView& list);

} // namespace homebooth::app
