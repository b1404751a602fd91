// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/line_chart.h"

#include "app/engine/figures.h"
#include "app/theme/theme.h"

#include <QLocale>

namespace homebooth::app {

LineChart::LineChart(const QString& name, QString unit, QWidget* parent)
    : Chart(name, parent)
    , m_unit(std::move(unit))
    , m_graph(addGraph()) {
    m_graph->setAntialiased(false);
    takeColours();
}

void LineChart::takeColours() {
    Chart::takeColours();
    m_graph->setPen(QPen(colours().lossSmooth, 1));
}

void LineChart::fill(double from, double to, int pixels) {
    const std::vector<CurvePoint> points = m_curve.view(from, to, pixels);
    double most = 0.0;
    for (const CurvePoint& point : points) most = std::max(most, point.y);
    setPoints(m_graph, points);
    yAxis->setRange(0.0, most > 0.0 ? 1.1 * most : 1.0);
}

QString LineChart::valueText(double value) const {
    constexpr int kDigits = 3;
    const QString number = numberText(value, kDigits);
    return m_unit.isEmpty() ? number : QStringLiteral("%1 %2").arg(number, m_unit);
}

QString LineChart::nowText() const {
    return m_curve.empty() ? QString() : valueText(m_curve.last().y);
}

QString LineChart::valuesAt(double step) const {
    if (m_curve.empty()) return {};
    const CurvePoint& point = m_curve.points()[m_curve.nearest(step)];
    return tr("step %1\n%2").arg(countText(qint64(point.x)), valueText(point.y));
}

std::vector<ChartSeries> LineChart::seriesAt(double step) const {
    if (m_curve.empty()) return {};
    const CurvePoint& point = m_curve.points()[m_curve.nearest(step)];
    return {{accessibleName(), point, valueText(point.y)}};
}

QString LineChart::sentence() const {
    if (m_curve.empty()) return tr("%1: nothing yet").arg(accessibleName());
    return tr("%1 %2 at step %3").arg(accessibleName(), nowText(), countText(qint64(m_curve.last().x)));
}

QStringList LineChart::tableColumns() const {
    return {tr("Step"), accessibleName()};
}

QString LineChart::tableCell(size_t row, int column) const {
    const CurvePoint& point = m_curve.points()[row];
    return column == 0 ? QLocale().toString(qint64(point.x)) : valueText(point.y);
}

std::function<QString()> LineChart::csvMaker() const {
    return [points = m_curve.points()] {
        QString text = QStringLiteral("step,value\n");
        for (const CurvePoint& point : points)
            text += QStringLiteral("%1,%2\n").arg(qint64(point.x)).arg(point.y, 0, 'g', 9);
        return text;
    };
}

} // namespace homebooth::app
