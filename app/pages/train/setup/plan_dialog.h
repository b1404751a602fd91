// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plan that a run works by, in words, in a window of its own. Free function; GUI thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <QString>

class QWidget;

namespace homebooth::app {

/// Shows a plan; where the window of the run is open, there.
void showRunPlan(QWidget* parent, const QString& runFolder, const core::PlanEvent& plan,
                 const QString& title);

} // namespace homebooth::app
