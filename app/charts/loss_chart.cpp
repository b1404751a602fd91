// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/loss_chart.h"

#include "app/charts/exact_ticker.h"
#include "app/engine/figures.h"
#include "app/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kLowPart = 0.01;
constexpr double kHighPart = 0.99;
constexpr double kMarkSize = 7.0;
constexpr int kMarkRoom = 12; // closer marks would hide their own line
constexpr double kTickSize = 6.0;

/// Upright, through the point; the half beyond the edge is cut off.
QPainterPath tickPath() {
    QPainterPath path;
    path.moveTo(0.0, -kTickSize);
    path.lineTo(0.0, kTickSize);
    return path;
}

/// Which way a value went. @param before  where it came from
QString courseOf(double before, double now) {
    const double least = 0.02 * now;
    const double change = now - before;
    return change < -least  ? LossChart::tr("falling")
           : change > least ? LossChart::tr("rising")
                            : LossChart::tr("steady");
}

QString csvNumber(double value) {
    return QString::number(value, 'g', 9);
}

/// What there is at each step: of some only one of both.
QString csvWithHeldOut(const std::vector<CurvePoint>& raw, const std::vector<CurvePoint>& smooth,
                       const std::vector<CurvePoint>& heldOut) {
    QString text = QStringLiteral("step,loss,mean,held_out\n");
    size_t held = 0;
    for (size_t i = 0; i < raw.size() || held < heldOut.size();) {
        const bool learned = i < raw.size() && (held == heldOut.size() || raw[i].x <= heldOut[held].x);
        const double step = learned ? raw[i].x : heldOut[held].x;
        const bool looked = held < heldOut.size() && heldOut[held].x == step;
        text += QStringLiteral("%1,%2,%3,%4\n")
                    .arg(qint64(step))
                    .arg(learned ? csvNumber(raw[i].y) : QString(),
                         learned ? csvNumber(smooth[std::min(i, smooth.size() - 1)].y) : QString(),
                         looked ? csvNumber(heldOut[held].y) : QString());
        i += learned ? 1 : 0;
        held += looked ? 1 : 0;
    }
    return text;
}

} // namespace

LossChart::LossChart(QWidget* parent)
    : Chart(tr("Loss"), parent)
    , m_rawGraph(addGraph())
    , m_smoothGraph(addGraph())
    , m_outlierGraph(addGraph())
    , m_heldOutGraph(addGraph()) {
    m_outlierGraph->setLineStyle(QCPGraph::lsNone);
    m_outlierGraph->setAntialiasedScatters(false);
    m_rawGraph->setAntialiased(false);
    m_smoothGraph->setAntialiased(true);
    m_heldOutGraph->setAntialiased(true);
    m_heldOutGraph->setAntialiasedScatters(true);
    takeColours();
}

void LossChart::takeColours() {
    Chart::takeColours();
    m_rawGraph->setPen(QPen(colours().lossRaw, 1));
    m_smoothGraph->setPen(QPen(colours().lossSmooth, 2));
    m_outlierGraph->setScatterStyle(
        QCPScatterStyle(tickPath(), QPen(colours().text, 1), Qt::NoBrush, kTickSize));
    const QColor& heldOut = colours().heldOut;
    m_heldOutGraph->setPen(QPen(heldOut, 1));
    m_heldOutGraph->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(colours().base, 1), heldOut, kMarkSize));
}

void LossChart::append(double step, double loss) {
    // Both curves keep step with each other: what is no number stands in neither.
    if (!std::isfinite(loss)) return;
    if (loss <= 0.0) ++m_notPositive;
    m_raw.append(step, loss);
    m_smooth.append(step, m_mean.add(loss));
}

void LossChart::appendHeldOut(double step, double loss) {
    if (!std::isfinite(loss)) return;
    if (loss <= 0.0) ++m_notPositive;
    m_heldOut.append(step, loss);
}

void LossChart::clear() {
    m_raw.clear();
    m_smooth.clear();
    m_heldOut.clear();
    m_mean = RunningMean();
    m_notPositive = 0;
}

void LossChart::setLogarithmic(bool on) {
    m_logarithmic = on;
    yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setNumberFormat(on ? QStringLiteral("gb") : QStringLiteral("g")); // powers of ten are its steps
    yAxis->setTicker(on ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                        : QSharedPointer<QCPAxisTicker>(new ExactTicker));
    invalidate();
}

void LossChart::fill(double from, double to, int pixels) {
    const std::vector<CurvePoint> raw = m_raw.view(from, to, pixels);
    setPoints(m_rawGraph, raw);
    setPoints(m_smoothGraph, m_smooth.view(from, to, pixels));
    const std::vector<CurvePoint> heldOut = m_heldOut.view(from, to, pixels);
    setPoints(m_heldOutGraph, heldOut);
    m_heldOutGraph->setScatterSkip(static_cast<int>(heldOut.size()) * kMarkRoom / pixels);
    setRange(heldOut, from, to);
    showOutliers(raw);
}

void LossChart::showOutliers(const std::vector<CurvePoint>& raw) {
    const QCPRange range = yAxis->range();
    std::vector<CurvePoint> outliers;
    for (const CurvePoint& point : raw) {
        if (m_logarithmic && point.y <= 0.0) continue; // these are counted
        if (!range.contains(point.y))
            outliers.push_back({point.x, qBound(range.lower, point.y, range.upper)});
    }
    setPoints(m_outlierGraph, outliers);
}

void LossChart::setRange(const std::vector<CurvePoint>& heldOut, double from, double to) {
    CurvePoint range = m_raw.percentiles(from, to + 1.0, kLowPart, kHighPart);
    bool any = !m_raw.empty();
    for (const CurvePoint& point : heldOut) {
        if (point.x < from || point.x > to) continue;
        range = any ? CurvePoint{std::min(range.x, point.y), std::max(range.y, point.y)}
                    : CurvePoint{point.y, point.y};
        any = true;
    }
    constexpr double kLeastPart = 0.05; // of the value: all are about the same, as where there is one alone
    const double span = std::max({range.y - range.x, kLeastPart * std::abs(range.y), 1e-6});
    if (m_logarithmic)
        yAxis->setRange(std::max(range.x * 0.8, 1e-6), std::max(range.y * 1.2, 1e-5));
    else
        yAxis->setRange(std::max(0.0, range.x - 0.08 * span), range.y + 0.08 * span);
}

QString LossChart::valuesAt(double step) const {
    if (m_raw.empty()) return heldOutAt(step);
    const size_t at = m_raw.nearest(step);
    const QLocale words;
    const QString learned =
        tr("step %1\nloss %2, trend %3")
            .arg(countText(qint64(m_raw.points()[at].x)), words.toString(m_raw.points()[at].y, 'f', 4),
                 words.toString(m_smooth.points()[std::min(at, m_smooth.size() - 1)].y, 'f', 4));
    return m_heldOut.empty() ? learned : learned + '\n' + heldOutAt(m_raw.points()[at].x);
}

std::vector<ChartSeries> LossChart::seriesAt(double step) const {
    std::vector<ChartSeries> series;
    const auto add = [&series, step](const QString& name, const Curve& curve) {
        if (curve.empty()) return;
        const CurvePoint& point = curve.points()[curve.nearest(step)];
        series.push_back({name, point, QLocale().toString(point.y, 'f', 4)});
    };
    add(tr("Loss"), m_raw);
    add(tr("Trend"), m_smooth);
    add(tr("Held out"), m_heldOut);
    return series;
}

/// Of the nearest step where it was looked at, which is named where it is another one.
QString LossChart::heldOutAt(double step) const {
    if (m_heldOut.empty()) return {};
    const CurvePoint& point = m_heldOut.points()[m_heldOut.nearest(step)];
    const QLocale words;
    const QString value = words.toString(point.y, 'f', 4);
    return point.x == step ? tr("held out %1").arg(value)
                           : tr("held out %1 (step %2)").arg(value, countText(qint64(point.x)));
}

QString LossChart::sentence() const {
    if (m_raw.empty()) return tr("No loss yet");
    const size_t before = m_smooth.nearest(m_smooth.last().x * 0.8);
    const QString learned = tr("Loss %1 at step %2, %3")
                                .arg(QLocale().toString(now(), 'f', 3), countText(qint64(m_raw.last().x)),
                                     courseOf(m_smooth.points()[before].y, m_smooth.last().y));
    if (m_heldOut.empty()) return learned;
    const std::vector<CurvePoint>& points = m_heldOut.points();
    return tr("%1; held out %2 at step %3, %4")
        .arg(learned, QLocale().toString(heldOut(), 'f', 3), countText(qint64(points.back().x)),
             courseOf(points[points.size() > 1 ? points.size() - 2 : 0].y, points.back().y));
}

QStringList LossChart::tableColumns() const {
    QStringList columns{tr("Step"), tr("Loss"), tr("Trend")};
    if (holdsOut()) columns.append(tr("Held out"));
    return columns;
}

QString LossChart::tableCell(size_t row, int column) const {
    constexpr int kDigits = 4;
    const QLocale words;
    const CurvePoint& point = m_raw.points()[row];
    switch (column) {
    case 0:
        return words.toString(qint64(point.x));
    case 1:
        return words.toString(point.y, 'f', kDigits);
    case 2:
        return words.toString(m_smooth.points()[std::min(row, m_smooth.size() - 1)].y, 'f', kDigits);
    default:
        break;
    }
    // As it was found last by then.
    if (m_heldOut.empty()) return {};
    size_t at = m_heldOut.nearest(point.x);
    if (m_heldOut.points()[at].x > point.x && at > 0) --at;
    const CurvePoint& found = m_heldOut.points()[at];
    return found.x > point.x ? QString() : words.toString(found.y, 'f', kDigits);
}

std::function<QString()> LossChart::csvMaker() const {
    return [raw = m_raw.points(), smooth = m_smooth.points(), heldOut = m_heldOut.points()] {
        if (!heldOut.empty()) return csvWithHeldOut(raw, smooth, heldOut);
        QString text = QStringLiteral("step,loss,mean\n");
        for (size_t i = 0; i < raw.size(); ++i)
            text += QStringLiteral("%1,%2,%3\n")
                        .arg(qint64(raw[i].x))
                        .arg(csvNumber(raw[i].y), csvNumber(smooth[std::min(i, smooth.size() - 1)].y));
        return text;
    };
}

} // namespace homebooth::app
