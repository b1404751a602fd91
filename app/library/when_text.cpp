// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/when_text.h"

namespace homebooth::app {

QString timeOfDayText(QTime time, const QLocale& locale) {
    // In short some languages have seconds.
    QString format = locale.timeFormat(QLocale::ShortFormat);
    for (const char* seconds : {":ss", ".ss"}) format.remove(QLatin1String(seconds));
    return locale.toString(time, format);
}

QString dateAndTimeText(const QDateTime& when, const QLocale& locale) {
    // In short some languages have two digits of the year, or numbers for months in an order that others
    // read otherwise.
    const bool ordinal = locale.dateFormat(QLocale::LongFormat).contains(QLatin1String("d. MMM"));
    return locale.toString(when.date(),
                           ordinal ? QStringLiteral("d. MMM yyyy") : QStringLiteral("d MMM yyyy")) +
           QLatin1Char(' ') + timeOfDayText(when.time(), locale);
}

} // namespace homebooth::app
