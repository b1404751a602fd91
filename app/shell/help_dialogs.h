// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All keys, and About with the licences of what is used. Free functions; GUI thread.
#pragma once

class QMainWindow;

namespace homebooth::app {

void showKeys(QMainWindow& window);
void showAbout(QMainWindow& window);

} // namespace homebooth::app
