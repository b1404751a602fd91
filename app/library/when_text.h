// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times and dates as all of the window writes them: to the minute, with the month's name, in the way of the
// chosen language. Functions; any thread.
#pragma once

#include <QDateTime>
#include <QLocale>

namespace homebooth::app {

/// "19:51", or "7:51 PM" where that is the way.
[[nodiscard]] QString timeOfDayText(QTime time, const QLocale& locale = {});

/// "30 Nov 2026 19:51"; where the day is an ordinal "30. Nov. 2026 19:51".
[[nodiscard]] QString dateAndTimeText(const QDateTime& when, const QLocale& locale = {});

} // namespace homebooth::app
