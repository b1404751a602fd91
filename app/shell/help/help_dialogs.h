// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Help to a page, all keys, and About with the licences of what is used. Free functions; GUI thread.
#pragma once

#include "app/shell/page.h"

class QMainWindow;

namespace homebooth::app {

/// What a page is for, step by step, and its keys.
void showHelp(QMainWindow& window, const Page& page);
void showKeys(QMainWindow& window);
void showAbout(QMainWindow& window);

} // namespace homebooth::app
