// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a chart that shows the values at a step, and follows one of them.
#include "app/charts/chart.h"
#include "app/engine/figures.h"
#include "app/theme/theme.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace homebooth::app {

void Chart::moveCrosshair(double step) {
    showCrosshair(step);
    Q_EMIT crosshairMoved(step);
}

void Chart::pointCrosshair() {
    const double step = m_pointer ? qBound(0.0, xAxis->pixelToCoord(*m_pointer), m_lastStep) : -1.0;
    if (m_pinned || step == m_crossStep) return;
    m_walked = false;
    moveCrosshair(step);
}

void Chart::followPointer() {
    if (m_pointer) pointCrosshair();
    if (m_crossStep >= 0.0) placeValues(m_crossStep);
}

void Chart::setPinned(bool on) {
    if (std::exchange(m_pinned, on) == on) return;
    m_cross->setPen(on ? QPen(colours().link, 2) : QPen(colours().muted, 1));
    layer(QStringLiteral("overlay"))->replot();
}

void Chart::walkCrosshair(double step) {
    constexpr double kEdge = 0.05; // of the view, beyond the crosshair
    m_pointer.reset();             // until the mouse moves
    m_walked = true;
    QCPRange range = xAxis->range();
    if (!range.contains(step)) {
        const QCPRange all = wholeRange();
        const double span = range.size();
        const double lower = step < range.lower ? step - kEdge * span : step + kEdge * span - span;
        range.lower = std::max(all.lower, std::min(lower, all.upper - span));
        range.upper = range.lower + span;
        xAxis->setRange(range);
        draw();
        Q_EMIT viewMoved();
    }
    moveCrosshair(step);
    describe();
}

void Chart::walkSeries(int by) {
    const double step = m_crossStep >= 0.0 ? m_crossStep : m_lastStep;
    const std::vector<ChartSeries> series = seriesAt(step);
    if (series.empty()) return;
    const int last = static_cast<int>(series.size()) - 1;
    const int at = std::clamp(static_cast<int>(followedOf(series)) + by, 0, last);
    m_series = series[static_cast<size_t>(at)].name;
    walkCrosshair(step);
}

size_t Chart::followedOf(const std::vector<ChartSeries>& series) const {
    for (size_t i = 0; i < series.size(); ++i)
        if (series[i].name == m_series) return i;
    return 0;
}

void Chart::showCrosshair(double step) {
    m_crossStep = step;
    const bool visible = step >= 0.0;
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{m_cross, m_values, m_dot})
        item->setVisible(visible);
    if (visible) {
        m_cross->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_cross->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
        m_cross->start->setCoords(step, 0.0);
        m_cross->end->setCoords(step, 1.0);
        placeValues(step);
    }
    layer(QStringLiteral("overlay"))->replot();
}

void Chart::placeValues(double step) {
    const std::vector<ChartSeries> series = seriesAt(step);
    m_dot->setVisible(!series.empty());
    QStringList lines;
    if (!series.empty()) {
        const ChartSeries& followed = series[followedOf(series)];
        m_dot->position->setCoords(followed.at.x, followed.at.y);
        const bool chosen = followed.name == m_series && series.size() > 1;
        if (chosen) lines.append(QStringLiteral("\u25CB %1 %2").arg(followed.name, followed.value));
    }
    lines.append(valuesAt(step));
    if (const QString marks = marksAt(step); !marks.isEmpty()) lines.append(marks);
    m_values->setText(lines.join('\n'));
    m_values->setVisible(!m_values->text().isEmpty()); // where nothing is known yet
    const bool right = step > (xAxis->range().lower + xAxis->range().upper) / 2;
    m_values->setPositionAlignment(Qt::AlignTop | (right ? Qt::AlignRight : Qt::AlignLeft));
    m_values->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_values->position->setCoords(step, 0.03);
}

QString Chart::crosshairSentence() const {
    if (m_crossStep < 0.0) return {};
    const std::vector<ChartSeries> series = seriesAt(m_crossStep);
    if (series.empty()) return {};
    const size_t at = followedOf(series);
    const QLocale words;
    const QString step = countText(qint64(series[at].at.x));
    if (series.size() == 1) return tr("Crosshair at step %1: %2").arg(step, series[at].value);
    return tr("Crosshair at step %1: %2 %3 (%4 of %5)")
        .arg(step, series[at].name, series[at].value, words.toString(qint64(at) + 1),
             words.toString(qint64(series.size())));
}

void Chart::describe() {
    QString text = sentence();
    if (!m_beside.isEmpty()) text += QStringLiteral("; ") + m_beside;
    // Where somebody walks, this is what they want to know.
    if (const QString cross = crosshairSentence(); !cross.isEmpty())
        text.prepend(cross + QStringLiteral(". "));
    if (text != accessibleDescription()) setAccessibleDescription(text); // said anew only where it is another
    // What comes after nothing is told at once.
    if (tableRows() > 0) m_quiet.start();
}

void Chart::describeInTime() {
    m_untold = m_quiet.isActive() || (m_walked && m_crossStep >= 0.0 && hasFocus());
    if (!m_untold) return describe();
    if (!m_quiet.isActive()) m_quiet.start();
}

void Chart::beginAnew() {
    m_walked = false;
    m_untold = false;
    m_quiet.stop();
    invalidate();
}

void Chart::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    describe(); // it is read out next
}

} // namespace homebooth::app
