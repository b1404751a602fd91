// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/loss_chart.h"

#include "app/theme/theme.h"

#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kLowPart = 0.01;
constexpr double kHighPart = 0.99;

} // namespace

LossChart::LossChart(QWidget* parent)
    : Chart(tr("Loss"), parent)
    , m_rawGraph(addGraph())
    , m_smoothGraph(addGraph()) {
    m_rawGraph->setAntialiased(false);
    m_smoothGraph->setAntialiased(true);
    yAxis->setNumberPrecision(3);
    takeColours();
}

void LossChart::takeColours() {
    Chart::takeColours();
    m_rawGraph->setPen(QPen(colours().lossRaw, 1));
    m_smoothGraph->setPen(QPen(colours().lossSmooth, 2));
}

void LossChart::append(double step, double loss) {
    // Both curves keep step with each other: what is no number stands in neither.
    if (!std::isfinite(loss)) return;
    if (loss <= 0.0) ++m_notPositive;
    m_raw.append(step, loss);
    m_smooth.append(step, m_mean.add(loss));
}

void LossChart::clear() {
    m_raw.clear();
    m_smooth.clear();
    m_mean = RunningMean();
    m_notPositive = 0;
}

void LossChart::setLogarithmic(bool on) {
    m_logarithmic = on;
    yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setTicker(on ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                        : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    invalidate();
}

void LossChart::fill(double from, double to, int pixels) {
    setPoints(m_rawGraph, m_raw.view(from, to, pixels));
    setPoints(m_smoothGraph, m_smooth.view(from, to, pixels));
    const CurvePoint range = m_raw.percentiles(from, to + 1.0, kLowPart, kHighPart);
    const double span = std::max(range.y - range.x, 1e-6);
    if (m_logarithmic)
        yAxis->setRange(std::max(range.x * 0.8, 1e-6), std::max(range.y * 1.2, 1e-5));
    else
        yAxis->setRange(std::max(0.0, range.x - 0.08 * span), range.y + 0.08 * span);
}

QString LossChart::valuesAt(double step) const {
    if (m_raw.empty()) return {};
    const size_t at = m_raw.nearest(step);
    const QLocale words;
    return tr("step %1\nloss %2, trend %3")
        .arg(words.toString(qint64(m_raw.points()[at].x)), words.toString(m_raw.points()[at].y, 'f', 4),
             words.toString(m_smooth.points()[std::min(at, m_smooth.size() - 1)].y, 'f', 4));
}

QString LossChart::sentence() const {
    if (m_raw.empty()) return tr("No loss yet");
    const size_t before = m_smooth.nearest(m_smooth.last().x * 0.8);
    const double change = m_smooth.last().y - m_smooth.points()[before].y;
    const double least = 0.02 * m_smooth.last().y;
    const QString course = change < -least ? tr("falling") : change > least ? tr("rising") : tr("steady");
    return tr("Loss %1 at step %2, %3")
        .arg(QLocale().toString(now(), 'f', 3))
        .arg(qint64(m_raw.last().x))
        .arg(course);
}

std::function<QString()> LossChart::csvMaker() const {
    return [raw = m_raw.points(), smooth = m_smooth.points()] {
        QString text = QStringLiteral("step,loss,mean\n");
        for (size_t i = 0; i < raw.size(); ++i)
            text += QStringLiteral("%1,%2,%3\n")
                        .arg(qint64(raw[i].x))
                        .arg(raw[i].y, 0, 'g', 9)
                        .arg(smooth[std::min(i, smooth.size() - 1)].y, 0, 'g', 9);
        return text;
    };
}

} // namespace homebooth::app
