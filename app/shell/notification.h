// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A notification of the desktop, where there is one. Free function; GUI thread; never waits.
#pragma once

#include <QString>

namespace homebooth::app {

void notify(const QString& title, const QString& text);

} // namespace homebooth::app
