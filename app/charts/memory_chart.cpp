// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/memory_chart.h"

#include "app/engine/figures.h"
#include "app/theme/theme.h"

#include <cmath>

namespace homebooth::app {
namespace {

constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;

/// Across the chart, with its words at the right end.
void placeLine(QCPItemStraightLine* line, QCPItemText* text, double value, const QString& words) {
    line->setVisible(value > 0.0);
    text->setVisible(value > 0.0);
    line->point1->setCoords(0, value);
    line->point2->setCoords(1, value);
    text->position->setCoords(1.0, value);
    text->setText(words);
}

/// Of the points that one pixel of the width stands for the highest. An area that goes up and down within
/// each pixel shows nothing more, and filling it takes Qt the better part of a second.
std::vector<CurvePoint> peaksOf(const std::vector<CurvePoint>& points, double from, double to, int pixels) {
    if (points.size() <= static_cast<size_t>(std::max(pixels, 1))) return points;
    const auto pixelOf = [&](const CurvePoint& point) {
        return std::floor((point.x - from) / (to - from) * pixels);
    };
    std::vector<CurvePoint> peaks;
    for (const CurvePoint& point : points) {
        if (peaks.empty() || pixelOf(point) != pixelOf(peaks.back()))
            peaks.push_back(point);
        else
            peaks.back().y = std::max(peaks.back().y, point.y);
    }
    return peaks;
}

/// What lasts at a step: the last point up to it, or the first one.
size_t lastingAt(const Curve& curve, double step) {
    const size_t at = curve.nearest(step);
    return at > 0 && curve.points()[at].x > step ? at - 1 : at;
}

QString readoutText(double gibi) {
    return memoryText(std::llround(gibi * kGibi));
}

/// The whole step that is meant: none stands ahead of the first one.
double stepMeant(const Curve& curve, double step) {
    return std::max(std::round(step), curve.points().front().x);
}

} // namespace

QString memoryKindName(MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Parameters:
        return MemoryChart::tr("Model");
    case MemoryKind::Optimizer:
        return MemoryChart::tr("Optimizer");
    case MemoryKind::Gradients:
        return MemoryChart::tr("Gradients");
    case MemoryKind::Activations:
        return MemoryChart::tr("Activations");
    case MemoryKind::Workspace:
        return MemoryChart::tr("Workspace");
    case MemoryKind::Cache:
        return MemoryChart::tr("Cache");
    }
    return {};
}

int64_t bytesOf(const core::TierMemory& memory, MemoryKind kind) {
    switch (kind) {
    case MemoryKind::Parameters:
        return memory.parameterBytes;
    case MemoryKind::Optimizer:
        return memory.stateBytes;
    case MemoryKind::Gradients:
        return memory.gradientBytes;
    case MemoryKind::Activations:
        return memory.activationBytes;
    case MemoryKind::Workspace:
        return memory.workspaceBytes;
    case MemoryKind::Cache:
        return memory.cacheBytes;
    }
    return 0;
}

MemoryChart::MemoryChart(QWidget* parent)
    : Chart(tr("Memory"), parent)
    , m_plannedLine(new QCPItemStraightLine(this))
    , m_limitLine(new QCPItemStraightLine(this))
    , m_plannedText(new QCPItemText(this))
    , m_limitText(new QCPItemText(this)) {
    const auto area = [this](QCPGraph* below) {
        QCPGraph* graph = addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setAntialiased(false);
        if (below != nullptr) graph->setChannelFillGraph(below);
        return graph;
    };
    for (size_t kind = 0; kind < m_graphs.size(); ++kind)
        m_graphs[kind] = area(kind > 0 ? m_graphs[kind - 1] : nullptr);
    m_othersGraph = area(m_graphs.back());
    for (QCPItemText* text : {m_plannedText, m_limitText}) {
        text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        text->setPadding(QMargins(2, 0, 2, 1));
    }
    for (QCPAbstractItem* item :
         std::initializer_list<QCPAbstractItem*>{m_plannedLine, m_limitLine, m_plannedText, m_limitText})
        item->setLayer(QStringLiteral("legend")); // above the areas
    takeColours();
}

void MemoryChart::takeColours() {
    Chart::takeColours();
    const Colours& c = colours();
    for (size_t kind = 0; kind < m_graphs.size(); ++kind) {
        m_graphs[kind]->setPen(QPen(c.base, 1));
        m_graphs[kind]->setBrush(c.memory[kind]);
    }
    m_othersGraph->setPen(Qt::NoPen);
    m_othersGraph->setBrush(QBrush(c.muted, Qt::BDiagPattern));
    m_plannedLine->setPen(QPen(c.text, 1, Qt::DashLine));
    m_limitLine->setPen(QPen(c.error, 1));
    m_plannedText->setColor(c.text);
    m_limitText->setColor(c.error);
    for (QCPItemText* text : {m_plannedText, m_limitText}) {
        text->setFont(Theme::instance().font(TypeRole::Caption));
        text->setBrush(c.base); // above areas and marks
    }
}

void MemoryChart::append(double step, const core::TierMemory& memory) {
    double top = 0.0;
    for (size_t kind = 0; kind < m_tops.size(); ++kind) {
        top += double(bytesOf(memory, static_cast<MemoryKind>(kind))) / kGibi;
        m_tops[kind].append(step, top);
    }
    const double others = double(memory.otherBytes) / kGibi;
    m_others.append(step, top + others);
    m_oursMost = std::max(m_oursMost, top);
    m_othersMost = std::max(m_othersMost, others);
}

void MemoryChart::clear() {
    for (Curve& curve : m_tops) curve.clear();
    m_others.clear();
    m_oursMost = m_othersMost = 0.0;
}

void MemoryChart::setPlanned(int64_t bytes) {
    m_planned = double(bytes) / kGibi;
    invalidate();
}

void MemoryChart::setLimit(int64_t bytes) {
    m_limit = double(bytes) / kGibi;
    invalidate();
}

bool MemoryChart::showsOthers() const {
    return m_othersMost > 0.0;
}

double MemoryChart::othersNow() const {
    return m_others.empty() ? 0.0 : m_others.last().y - m_tops.back().last().y;
}

double MemoryChart::nowBytes() const {
    return m_tops.back().empty() ? 0.0 : m_tops.back().last().y * kGibi;
}

double MemoryChart::plannedBytes() const {
    return m_planned * kGibi;
}

QString MemoryChart::nowText() const {
    const auto now = static_cast<int64_t>(nowBytes());
    return m_limit > 0.0 ? memoryOfText(now, static_cast<int64_t>(m_limit * kGibi)) : memoryText(now);
}

double MemoryChart::ownMost() const {
    return std::max(m_planned, m_oursMost);
}

/// A limit far above what is used would press the curve flat: it is then left to the words.
bool MemoryChart::limitNear() const {
    constexpr double kFar = 3.0;
    return m_limit > 0.0 && m_limit < kFar * ownMost();
}

/// What other programs hold takes at most half of the height: the rest of it leaves the chart at the top.
double MemoryChart::scaleTop() const {
    const double ours = limitNear() ? std::max(ownMost(), m_limit) : ownMost();
    return ours + std::min(m_othersMost, ours);
}

double MemoryChart::headroom() const {
    constexpr double kLeast = 1.15;
    constexpr double kMost = 1.4; // of a chart that is hardly higher than its words
    constexpr double kRows = 2.0;
    const double words = kRows * (QFontMetrics(Theme::instance().font(TypeRole::Caption)).height() + 2);
    const double high = axisRect()->height();
    return high > words ? qBound(kLeast, high / (high - words), kMost) : kLeast;
}

void MemoryChart::fill(double from, double to, int pixels) {
    const auto show = [&](QCPGraph* graph, const Curve& curve) {
        std::vector<CurvePoint> points = peaksOf(curve.view(from, to, pixels), from, to, pixels);
        if (!points.empty() && points.back().x < lastStep() && points.back().x < to)
            points.push_back({std::min(to, lastStep()), points.back().y}); // it lasts until now
        setPoints(graph, points);
    };
    for (size_t kind = 0; kind < m_graphs.size(); ++kind) show(m_graphs[kind], m_tops[kind]);
    m_othersGraph->setVisible(showsOthers());
    if (showsOthers()) show(m_othersGraph, m_others);
    yAxis->setRange(0.0, std::max(0.05, scaleTop() * headroom()));
    placeLines();
}

void MemoryChart::placeLines() {
    placeLine(m_plannedLine, m_plannedText, m_planned, tr("planned %1").arg(readoutText(m_planned)));
    // Ours may grow up to the limit; what others hold is stacked below that line, too.
    constexpr double kRounding = 1.01;
    const double full = m_limit + othersNow();
    const bool seen = limitNear() && full <= kRounding * scaleTop();
    const QString words = othersNow() > 0.0 ? tr("full at %1") : tr("limit %1");
    placeLine(m_limitLine, m_limitText, seen ? full : 0.0, words.arg(readoutText(full)));
    // Of two lines close to each other the lower one has its words below it.
    const int row = QFontMetrics(m_limitText->font()).height() + 2;
    const double apart = yAxis->coordToPixel(m_planned) - yAxis->coordToPixel(full);
    const bool close = seen && m_planned > 0.0 && std::abs(apart) < row;
    const auto hang = [](QCPItemText* text, bool below) {
        text->setPositionAlignment(Qt::AlignRight | (below ? Qt::AlignTop : Qt::AlignBottom));
    };
    hang(m_plannedText, close && apart >= 0.0);
    hang(m_limitText, close && apart < 0.0);
}

std::vector<QRectF> MemoryChart::takenPlaces() const {
    std::vector<QRectF> places;
    for (const QCPItemText* text : {m_plannedText, m_limitText})
        if (text->visible())
            places.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
    return places;
}

QString MemoryChart::valuesAt(double step) const {
    if (m_tops.back().empty()) return {};
    const double whole = stepMeant(m_tops.back(), step);
    const size_t here = lastingAt(m_tops.back(), whole);
    const double ours = m_tops.back().points()[here].y;
    QString text = tr("step %1, %2").arg(countText(qRound64(whole)), readoutText(ours));
    if (const double others = m_others.points()[here].y - ours; others > 0.0)
        text += '\n' + tr("Other programs %1").arg(readoutText(others));
    for (size_t kind = m_tops.size(); kind-- > 0;) {
        const double below = kind > 0 ? m_tops[kind - 1].points()[here].y : 0.0;
        const double value = m_tops[kind].points()[here].y - below;
        if (value > 0.0)
            text += QStringLiteral("\n%1 %2").arg(memoryKindName(static_cast<MemoryKind>(kind)),
                                                  readoutText(value));
    }
    return text;
}

/// As the words at the crosshair name them: all of ours, and from the top what the stack is made of.
std::vector<ChartSeries> MemoryChart::seriesAt(double step) const {
    if (m_tops.back().empty()) return {};
    const double whole = stepMeant(m_tops.back(), step);
    const size_t at = lastingAt(m_tops.back(), whole);
    std::vector<ChartSeries> series;
    const auto add = [&series, whole](const QString& name, const CurvePoint& top, double below) {
        series.push_back({name, {whole, top.y}, readoutText(top.y - below)});
    };
    const CurvePoint& ours = m_tops.back().points()[at];
    add(tr("All"), ours, 0.0);
    if (const CurvePoint& others = m_others.points()[at]; others.y > ours.y)
        add(tr("Other programs"), others, ours.y);
    for (size_t kind = m_tops.size(); kind-- > 0;) {
        const CurvePoint& top = m_tops[kind].points()[at];
        const double below = kind > 0 ? m_tops[kind - 1].points()[at].y : 0.0;
        if (top.y > below) add(memoryKindName(static_cast<MemoryKind>(kind)), top, below);
    }
    return series;
}

QString MemoryChart::sentence() const {
    if (m_tops.back().empty()) return tr("No memory figures yet");
    if (m_planned <= 0.0) return tr("Memory %1").arg(nowText());
    return tr("Memory %1, planned %2").arg(nowText(), memoryText(static_cast<int64_t>(plannedBytes())));
}

QStringList MemoryChart::tableColumns() const {
    QStringList columns{tr("Step"), tr("All, GB")};
    for (int kind = 0; kind < kMemoryKinds; ++kind)
        columns.append(memoryKindName(static_cast<MemoryKind>(kind)));
    columns.append(tr("Other programs"));
    return columns;
}

QString MemoryChart::tableCell(size_t row, int column) const {
    const auto at = [row](const Curve& curve) { return curve.points()[row]; };
    const auto text = [](double value) { return QLocale().toString(value, 'f', 2); };
    if (column == 0) return QLocale().toString(qint64(at(m_others).x));
    const double ours = at(m_tops.back()).y;
    if (column == 1) return text(ours);
    const auto kind = static_cast<size_t>(column - 2);
    if (kind >= m_tops.size()) return text(at(m_others).y - ours);
    return text(at(m_tops[kind]).y - (kind > 0 ? at(m_tops[kind - 1]).y : 0.0));
}

std::function<QString()> MemoryChart::csvMaker() const {
    QString head = QStringLiteral("step");
    for (int kind = 0; kind < kMemoryKinds; ++kind)
        head += ',' + memoryKindName(static_cast<MemoryKind>(kind)).toLower() + QStringLiteral(" GiB");
    head += ',' + tr("Other programs").toLower() + QStringLiteral(" GiB\n");
    return [head, tops = m_tops, others = m_others] {
        QString text = head;
        for (size_t i = 0; i < tops[0].size(); ++i) {
            text += QString::number(qint64(tops[0].points()[i].x));
            double below = 0.0;
            for (const Curve& curve : tops) {
                text += QStringLiteral(",%1").arg(curve.points()[i].y - below, 0, 'g', 6);
                below = curve.points()[i].y;
            }
            text += QStringLiteral(",%1\n").arg(others.points()[i].y - below, 0, 'g', 6);
        }
        return text;
    };
}

} // namespace homebooth::app
