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

void Chart::drawMarks() {
    for (QCPAbstractItem* item : m_markItems) removeItem(item);
    m_markItems.clear();
    std::vector<std::pair<double, double>> taken; // by labels, in pixels
    for (const bool rare : {true, false}) {
        double last = -kLeastApart;
        for (const ChartMark& mark : m_marks) {
            if (mark.rare != rare || !xAxis->range().contains(mark.step)) continue;
            const double at = xAxis->coordToPixel(mark.step);
            if (at - last < kLeastApart) continue; // however many there are, no more than the screen shows
            last = at;
            drawMark(mark);
            if (!mark.label.isEmpty()) nameMark(mark, taken);
        }
    }
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

bool Chart::nameMark(const ChartMark& mark, std::vector<std::pair<double, double>>& taken) {
    const QFontMetrics caption(Theme::instance().font(TypeRole::Caption));
    const double at = xAxis->coordToPixel(mark.step);
    const int wide = caption.horizontalAdvance(mark.label) + kGapLabel;
    const bool before = at + wide > axisRect()->right(); // else its end would be cut off
    const std::pair<double, double> place = before ? std::pair(at - wide, at) : std::pair(at, at + wide);
    for (const auto& [from, to] : taken) // one upon the other nobody could read them
        if (place.first < to && from < place.second) return false;
    if (place.first < axisRect()->left()) return false;
    taken.push_back(place);
    auto* text = new QCPItemText(this);
    text->setText(mark.label);
    text->setFont(Theme::instance().font(TypeRole::Caption));
    text->setColor(mark.rare ? colours().text : colours().muted);
    text->setBrush(colours().base); // above the curve
    text->setPositionAlignment(Qt::AlignTop | (before ? Qt::AlignRight : Qt::AlignLeft));
    text->position->setTypeX(QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(mark.step, 0.0);
    text->setPadding(QMargins(2, 0, 2, 0));
    m_markItems.push_back(text);
    return true;
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
