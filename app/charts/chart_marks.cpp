// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a chart that marks what happened at which step.
#include "app/charts/chart.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kLeastApart = 3.0; // pixels; closer ones are one line
constexpr double kNear = 4.0;       // pixels from the crosshair

} // namespace

QString Chart::MarkName::text() const {
    return count == 1 ? mark->label : QStringLiteral("%1 \u00d7%2").arg(mark->label).arg(count);
}

double Chart::MarkName::width() const {
    return QFontMetrics(Theme::instance().font(TypeRole::Caption)).horizontalAdvance(text()) + kGapLabel;
}

void Chart::drawMarks() {
    // Every move of the crosshair lays out anew; marks change with what is in view alone.
    MarkPlaces places{xAxis->range(), axisRect()->rect(), takenPlaces()};
    if (m_drawnFor == places) return;
    for (QCPAbstractItem* item : m_markItems) removeItem(item);
    m_markItems.clear();
    std::vector<MarkName> rareNames;
    std::vector<MarkName> names;
    for (const bool rare : {true, false}) {
        double last = -kLeastApart;
        for (const ChartMark& mark : m_marks) {
            if (mark.rare != rare || !xAxis->range().contains(mark.step)) continue;
            const double at = xAxis->coordToPixel(mark.step);
            const bool seen = at - last >= kLeastApart; // however many: no more than the screen shows
            if (rare)
                addName(rareNames, mark, at);
            else if (seen)
                addName(names, mark, at);
            if (!seen) continue;
            last = at;
            drawMark(mark);
        }
    }
    std::vector<QRectF> taken = places.taken; // all lines are there: none runs through a name
    for (const MarkName& name : rareNames) showName(name, taken);
    for (const MarkName& name : names) showName(name, taken);
    m_drawnFor = std::move(places);
}

void Chart::addName(std::vector<MarkName>& names, const ChartMark& mark, double at) {
    if (mark.label.isEmpty()) return;
    // What is rare is counted where it comes often; what comes all the time says nothing by that.
    const bool joins = mark.rare && !names.empty() && names.back().mark->label == mark.label &&
                       at < names.back().at + names.back().width();
    if (joins)
        ++names.back().count;
    else
        names.push_back({&mark, at});
}

void Chart::drawMark(const ChartMark& mark) {
    auto* line = new QCPItemLine(this);
    line->setPen(mark.rare ? QPen(colours().muted, 1, Qt::DashLine)
                           : QPen(colours().outline, 1, Qt::DotLine));
    line->start->setTypeX(QCPItemPosition::ptPlotCoords);
    line->start->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->end->setTypeX(QCPItemPosition::ptPlotCoords);
    line->end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    line->start->setCoords(mark.step, 1.0);
    line->end->setCoords(mark.step, 0.0);
    m_markItems.push_back(line);
}

void Chart::showName(const MarkName& name, std::vector<QRectF>& taken) {
    const QFont font = Theme::instance().font(TypeRole::Caption);
    const QRect plot = axisRect()->rect();
    const double wide = name.width();
    const bool before = name.at + wide > plot.right(); // else its end would be cut off
    const QRectF place(before ? name.at - wide : name.at, plot.top(), wide, QFontMetrics(font).height());
    const bool covers = std::any_of(taken.begin(), taken.end(),
                                    [&place](const QRectF& other) { return other.intersects(place); });
    if (covers || place.left() < plot.left()) return; // one upon the other nobody could read them
    taken.push_back(place);
    auto* text = new QCPItemText(this);
    text->setText(name.text());
    text->setFont(font);
    text->setColor(name.mark->rare ? colours().text : colours().muted);
    text->setBrush(colours().base); // above the curve
    text->setPositionAlignment(Qt::AlignTop | (before ? Qt::AlignRight : Qt::AlignLeft));
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(name.mark->step, 0.0);
    text->setPadding(QMargins(2, 0, 2, 0));
    m_markItems.push_back(text);
}

QString Chart::marksAt(double step) const {
    const double at = xAxis->coordToPixel(step);
    QStringList found;
    for (const ChartMark& mark : m_marks)
        if (std::abs(xAxis->coordToPixel(mark.step) - at) <= kNear && !found.contains(mark.label))
            found.append(mark.label);
    constexpr qsizetype kMost = 4;
    return found.mid(0, kMost).join(QStringLiteral(", "));
}

} // namespace homebooth::app
