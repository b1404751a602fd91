// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the window is: kept from one start to the next, and within what its screen has for it.
// Free functions; GUI thread.
#pragma once

class QRect;

namespace homebooth::app {

class MainWindow;
class Settings;

void keepPlace(const MainWindow& window, Settings& settings);

/// Puts the window where it was kept, or where it is first.
void restorePlace(MainWindow& window, const Settings& settings);

/// Leaves nothing of the window out of reach.
/// @param available  of its screen, without panels
void fitIntoScreen(MainWindow& window, const QRect& available);

/// From now on the window fits also where its screen becomes smaller or goes while it is open.
void followScreen(MainWindow& window);

} // namespace homebooth::app
