// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/exact_ticker.h"

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

/// How many decimals a number has.
int decimalsOf(double number) {
    constexpr int kMost = 15; // more are not told apart
    constexpr double kRoundingError = 1e-6;
    int decimals = 0;
    for (double whole = number;
         decimals < kMost && std::abs(whole - std::round(whole)) > kRoundingError * whole; whole *= 10.0)
        ++decimals;
    return decimals;
}

} // namespace

QVector<double> ExactTicker::createTickVector(double tickStep, const QCPRange& range) {
    constexpr int kMostDecimals = 4;
    constexpr int kMostPower = 5;
    constexpr double kMostSteps = 20.0; // from 0: with more, a power of ten makes no number shorter
    const double most = std::max(std::abs(range.lower), std::abs(range.upper));
    const int power = static_cast<int>(std::floor(std::log10(tickStep) + 1e-9));
    m_decimals = decimalsOf(tickStep);
    const bool lengthy = m_decimals > kMostDecimals || power > kMostPower;
    const bool helps = lengthy && most < kMostSteps * tickStep;
    m_power =
        helps ? static_cast<int>(std::floor(std::log10(most) + 1e-9)) : 0; // as numbers elsewhere are told
    if (m_power != 0) m_decimals = decimalsOf(tickStep / std::pow(10.0, m_power));
    return QCPAxisTicker::createTickVector(tickStep, range);
}

QString ExactTicker::getTickLabel(double tick, const QLocale& locale, QChar, int) {
    if (m_power == 0) return locale.toString(tick, 'f', m_decimals);
    if (tick == 0.0) return QStringLiteral("0");
    return locale.toString(tick / std::pow(10.0, m_power), 'f', m_decimals) + QLatin1Char('e') +
           QString::number(m_power);
}

} // namespace homebooth::app
