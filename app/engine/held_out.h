// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What trainings held out of a data set. Free function; any thread.
#pragma once

#include <QStringList>

namespace homebooth::app {

/// The share of its pictures that the last training on a data set did not learn; 0: it learned all, or there
/// was none. @param runs  folders of runs, the last one first
[[nodiscard]] double heldOutShare(const QStringList& runs, const QString& dataset);

} // namespace homebooth::app
