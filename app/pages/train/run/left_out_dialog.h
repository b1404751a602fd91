// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a training goes on without, each with the reason, in a window of its own beside the charts. Free
// function; GUI thread.
#pragma once

#include <set>
#include <string>

class QString;
class QWidget;

namespace homebooth::app {

/// Shows the list; where the window of the run is open, there.
/// @param lines  a path and why each
void showLeftOut(QWidget* parent, const QString& runFolder, const QString& title,
                 const std::set<std::string>& lines);

} // namespace homebooth::app
