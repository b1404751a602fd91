// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/figures.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

class Figures {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::Figures)
};

} // namespace

QString timeLeftText(double seconds) {
    if (seconds < 60) return Figures::tr("under a minute left");
    return Figures::tr("%1 left").arg(durationText(seconds));
}

QString durationText(double seconds) {
    const auto whole = static_cast<int64_t>(seconds + 0.5);
    if (whole < 60) return Figures::tr("%1 s").arg(whole);
    if (whole < 3600) return Figures::tr("%1 min").arg((whole + 30) / 60);
    constexpr int64_t kDay = 24;
    if (const int64_t hours = (whole + 1800) / 3600; hours >= 2 * kDay)
        return hours % kDay == 0 ? Figures::tr("%1 days").arg(hours / kDay)
                                 : Figures::tr("%1 days %2 h").arg(hours / kDay).arg(hours % kDay);
    const int64_t minutes = whole % 3600 / 60;
    return minutes == 0 ? Figures::tr("%1 h").arg(whole / 3600)
                        : Figures::tr("%1 h %2 min").arg(whole / 3600).arg(minutes);
}

QString numberText(double value, int digits) {
    constexpr double kLeastPlain = 0.0005;
    QLocale words;
    words.setNumberOptions(QLocale::OmitGroupSeparator);
    if (value == 0.0 || std::abs(value) >= kLeastPlain) {
        const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
        return words.toString(value, whole ? 'f' : 'g', whole ? 0 : digits);
    }
    // Rounded before its exponent is known: 9.99e-5 with two digits is 1e-4.
    const QString rounded = QString::number(value, 'e', digits - 1);
    const qsizetype mark = rounded.indexOf('e');
    return QStringLiteral("%1e%2")
        .arg(words.toString(rounded.left(mark).toDouble(), 'g', digits))
        .arg(rounded.mid(mark + 1).toInt());
}

QString countText(int64_t count) {
    constexpr int64_t kFirstLong = 10'000; // four digits are read at once
    return count < kFirstLong ? QString::number(count) : QLocale().toString(qint64(count));
}

QString memoryText(int64_t bytes) {
    const double gibi = double(bytes) / (1024.0 * 1024.0 * 1024.0);
    if (gibi >= 0.95) return Figures::tr("%1 GB").arg(QLocale().toString(gibi, 'f', 1));
    return Figures::tr("%1 MB").arg(QLocale().toString(double(bytes) / (1024.0 * 1024.0), 'f', 0));
}

QString memoryOfText(int64_t bytes, int64_t wholeBytes) {
    const QString part = memoryText(bytes);
    const QString whole = memoryText(wholeBytes);
    const QString unit = whole.section(' ', -1);
    const bool same = part.section(' ', -1) == unit;
    return Figures::tr("%1 of %2").arg(same ? part.section(' ', 0, 0) : part, whole);
}

QString diskText(int64_t bytes) {
    const double giga = double(bytes) / 1e9;
    if (giga >= 0.95) return Figures::tr("%1 GB").arg(QLocale().toString(giga, 'f', giga < 100 ? 1 : 0));
    const double mega = double(bytes) / 1e6;
    if (bytes > 0 && mega < 0.5) return Figures::tr("%1 kB").arg(std::max<int64_t>(bytes / 1000, 1));
    return Figures::tr("%1 MB").arg(QLocale().toString(mega, 'f', 0));
}

} // namespace homebooth::app
