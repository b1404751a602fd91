// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log of a run in a window of its own that stays open beside the charts and grows with the run.
// Free function; GUI thread, files are read off it.
#pragma once

class QString;
class QWidget;

namespace homebooth::app {

/// Shows the log; one that is open comes before the other windows.
void showRunLog(QWidget* parent, const QString& runFolder, const QString& title);

} // namespace homebooth::app
