// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/figures.h"

#include <QCoreApplication>
#include <QLocale>

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
    const int64_t minutes = whole % 3600 / 60;
    return minutes == 0 ? Figures::tr("%1 h").arg(whole / 3600)
                        : Figures::tr("%1 h %2 min").arg(whole / 3600).arg(minutes);
}

QString memoryText(int64_t bytes) {
    const double gibi = double(bytes) / (1024.0 * 1024.0 * 1024.0);
    if (gibi >= 0.95) return Figures::tr("%1 GB").arg(QLocale().toString(gibi, 'f', 1));
    return Figures::tr("%1 MB").arg(QLocale().toString(double(bytes) / (1024.0 * 1024.0), 'f', 0));
}

QString diskText(int64_t bytes) {
    const double giga = double(bytes) / 1e9;
    if (giga >= 0.95) return Figures::tr("%1 GB").arg(QLocale().toString(giga, 'f', giga < 100 ? 1 : 0));
    return Figures::tr("%1 MB").arg(QLocale().toString(double(bytes) / 1e6, 'f', 0));
}

} // namespace homebooth::app
