// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What screen readers take a widget for that draws itself: without it they know of a plain area alone. Its
// name and its description are the widget's own. Free functions; GUI thread.
#pragma once

#include <QAccessible>

class QWidget;

namespace homebooth::app {

/// To be called ahead of the widget's name: who listens asks for all of it once it is told of that.
/// @param role  ProgressBar: it has a level
void readAs(QWidget& widget, QAccessible::Role role);

/// How full it is. Nobody is told: it changes all the time, and is asked for. @param percent  0 to 100
void setLevel(QWidget& widget, double percent);

} // namespace homebooth::app
