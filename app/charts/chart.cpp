// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart.h"

#include "app/charts/exact_ticker.h"
#include "app/library/background.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/read_as.h"
#include "app/widgets/wheel_steps.h"

#include <QBuffer>
#include <QKeyEvent>
#include <QPicture>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kReplotMs = 250;
constexpr int kTellMs = 10'000;
constexpr double kZoomStep = 1.25;
constexpr double kLeastSpan = 4.0;
constexpr double kLeastShown = 10.0; // steps, however few there are so far, where there will be as many
constexpr double kDotSize = 7.0;

/// Steps are whole: no marks between them.
class WholeTicker : public ExactTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        return std::max(1.0, std::ceil(ExactTicker::getTickStep(range)));
    }
};

/// Wide lines with soft edges take long to draw: beside the window.
QByteArray pngOf(QPicture drawn, const QSize& size) {
    constexpr double kScale = 2.0;
    QImage image(size * kScale, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(kScale, kScale);
    drawn.play(&painter);
    painter.end();
    QBuffer png;
    image.save(&png, "PNG");
    return png.data();
}

} // namespace

Chart::Chart(const QString& name, QWidget* parent)
    : QCustomPlot(parent) {
    readAs(*this, QAccessible::Chart);
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_NoMousePropagation, false); // QCustomPlot's: the page would not get the wheel
    setNoAntialiasingOnDrag(true);
    setPlottingHint(QCP::phFastPolylines);
    setInteraction(QCP::iRangeDrag);
    axisRect()->setRangeDrag(Qt::Horizontal);
    axisRect()->setAutoMargins(QCP::msAll);
    axisRect()->setMinimumMargins(QMargins(0, 4, 4, 0));
    xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new WholeTicker));
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new ExactTicker));
    yAxis->setNumberFormat(QStringLiteral("g")); // numbers as elsewhere: 2e-4
    addOverlay();
    m_soon.setSingleShot(true);
    m_soon.setInterval(kReplotMs);
    connect(&m_soon, &QTimer::timeout, this, &Chart::draw);
    m_quiet.setParent(this);
    m_quiet.setObjectName(QStringLiteral("quiet"));
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kTellMs);
    connect(&m_quiet, &QTimer::timeout, this, [this] {
        if (std::exchange(m_untold, false)) describeInTime();
    });
    connect(this, &QCustomPlot::afterLayout, this, &Chart::drawMarks);
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
        if (hasFocus() || underMouse()) invalidate();
    });
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        takeColours();
        m_drawnFor.reset();
        invalidate();
    });
}

void Chart::addOverlay() {
    layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    m_cross = new QCPItemLine(this);
    m_cross->setLayer(QStringLiteral("overlay"));
    m_cross->setClipToAxisRect(true);
    m_cross->setVisible(false);
    m_values = new QCPItemText(this);
    m_values->setLayer(QStringLiteral("overlay"));
    m_values->setTextAlignment(Qt::AlignLeft);
    m_values->setPadding(QMargins(6, 4, 6, 4));
    m_values->setVisible(false);
    m_dot = new QCPItemTracer(this);
    m_dot->setLayer(QStringLiteral("overlay"));
    m_dot->setStyle(QCPItemTracer::tsCircle);
    m_dot->setSize(kDotSize);
    m_dot->setVisible(false);
}

void Chart::takeColours() {
    const Colours& c = colours();
    setBackground(c.base);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(c.outline, 1));
        axis->setTickPen(QPen(c.outline, 1));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(c.muted);
        axis->setTickLabelFont(Theme::instance().font(TypeRole::Caption));
        axis->setLabelFont(Theme::instance().font(TypeRole::Caption));
        axis->setLabelColor(c.muted);
        axis->grid()->setPen(QPen(c.hairline, 0));
        axis->grid()->setZeroLinePen(QPen(c.hairline, 0));
    }
    xAxis->grid()->setVisible(false);
    m_cross->setPen(m_pinned ? QPen(c.link, 2) : QPen(c.muted, 1));
    m_values->setColor(c.text);
    m_values->setFont(Theme::instance().font(TypeRole::Caption));
    m_values->setBrush(c.base);
    m_values->setPen(QPen(c.outline, 1));
    m_dot->setPen(QPen(c.text, 1));
    m_dot->setBrush(c.base);
}

void Chart::setPoints(QCPGraph* graph, const std::vector<CurvePoint>& points) {
    QVector<QCPGraphData> data;
    data.reserve(static_cast<int>(points.size()));
    for (const CurvePoint& point : points) data.append({point.x, point.y});
    graph->data()->set(data, true);
}

void Chart::setLastStep(double step) {
    m_lastStep = std::max(0.0, step);
}

void Chart::setAllSteps(double steps) {
    m_allSteps = steps > 0.0 ? steps : kLeastShown;
}

void Chart::setMarks(std::vector<ChartMark> marks) {
    m_marks = std::move(marks);
    m_drawnFor.reset();
    invalidate();
}

void Chart::fit() {
    m_fitted = true;
    invalidate();
}

void Chart::invalidate() {
    if (isVisible() && !m_soon.isActive()) m_soon.start();
}

void Chart::draw() {
    if (!isVisible()) return;
    if (m_fitted) xAxis->setRange(wholeRange());
    fill(xAxis->range().lower, xAxis->range().upper, std::max(1, axisRect()->width()));
    followPointer();
    describeInTime();
    replot(QCustomPlot::rpQueuedReplot);
}

QCPRange Chart::wholeRange() const {
    constexpr int kRoom = 6;         // pixels
    constexpr int kLeastWidth = 100; // it may not be laid out yet
    const double last = std::max(m_lastStep, std::clamp(m_allSteps, kLeastSpan, kLeastShown));
    const double room = last * kRoom / (std::max(kLeastWidth, axisRect()->width()) - 2 * kRoom);
    return {-room, last + room};
}

void Chart::zoom(double factor, double around) {
    const QCPRange all = wholeRange();
    QCPRange range = xAxis->range();
    const double span = qBound(kLeastSpan, range.size() * factor, all.size());
    const double part = range.size() > 0 ? (around - range.lower) / range.size() : 0.5;
    range.lower = std::max(all.lower, std::min(around - part * span, all.upper - span));
    range.upper = range.lower + span;
    m_fitted = span >= all.size();
    xAxis->setRange(range);
    draw();
    Q_EMIT viewMoved();
}

void Chart::takeView(const Chart& other) {
    m_fitted = other.m_fitted;
    if (!m_fitted) xAxis->setRange(other.xAxis->range());
    invalidate();
}

void Chart::showEvent(QShowEvent* event) {
    QCustomPlot::showEvent(event);
    takeColours();
    QTimer::singleShot(0, this, &Chart::draw); // at once, when it is laid out: it was empty so far
}

void Chart::resizeEvent(QResizeEvent* event) {
    QCustomPlot::resizeEvent(event);
    invalidate(); // another size has room for other points, and needs another scale
}

void Chart::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier)) return event->ignore(); // the page scrolls
    const double steps = wheelSteps(*event); // 0 where fingers leave a touchpad: what follows goes on to
    if (steps != 0.0) zoom(std::pow(kZoomStep, -steps), xAxis->pixelToCoord(event->position().x()));
    event->accept();
}

void Chart::keyPressEvent(QKeyEvent* event) {
    const double step = (event->modifiers() & Qt::ShiftModifier ? 10.0 : 1.0) *
                        std::max(1.0, xAxis->range().size() / std::max(1, axisRect()->width()));
    const double now = m_crossStep >= 0 ? m_crossStep : m_lastStep;
    // What is out of sight is nothing to zoom around.
    const double middle = xAxis->range().contains(now) ? now : xAxis->range().center();
    switch (event->key()) {
    case Qt::Key_Left:
        return walkCrosshair(std::max(0.0, now - step));
    case Qt::Key_Right:
        return walkCrosshair(std::min(m_lastStep, now + step));
    case Qt::Key_Up:
        return walkSeries(-1);
    case Qt::Key_Down:
        return walkSeries(1);
    case Qt::Key_Home:
        return walkCrosshair(0.0);
    case Qt::Key_End:
        return walkCrosshair(m_lastStep);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(1.0 / kZoomStep, middle);
    case Qt::Key_Minus:
        return zoom(kZoomStep, middle);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_crossStep < 0.0) walkCrosshair(m_lastStep);
        setPinned(!m_pinned);
        return Q_EMIT pinned(m_pinned);
    case Qt::Key_0:
        fit();
        return Q_EMIT viewMoved();
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const QCPRange before = xAxis->range();
    QCustomPlot::mouseMoveEvent(event);
    if (xAxis->range() != before) { // it was dragged
        m_fitted = false;
        Q_EMIT viewMoved();
    }
    m_pointer.reset();
    if (axisRect()->rect().contains(event->pos())) m_pointer = event->position().x();
    pointCrosshair();
}

void Chart::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    m_pointer.reset();
    pointCrosshair();
}

void Chart::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    if (!hasFocus()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colours().link, 2));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
}

void Chart::changeEvent(QEvent* event) {
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::FontChange) invalidate();
}

QByteArray Chart::svg() {
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size());
    svg.setViewBox(rect());
    QCPPainter painter;
    if (!painter.begin(&svg)) return {};
    painter.setMode(QCPPainter::pmVectorized);
    toPainter(&painter, width(), height());
    painter.end();
    return buffer.data();
}

QPicture Chart::recorded() {
    QPicture picture;
    QCPPainter painter;
    if (!painter.begin(&picture)) return picture;
    painter.setMode(QCPPainter::pmVectorized);
    toPainter(&painter, width(), height());
    painter.end();
    return picture;
}

void Chart::exportTo(const QString& path, const std::function<void(bool)>& done) {
    std::function<QByteArray()> bytes;
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        bytes = [make = csvMaker()] { return make().toUtf8(); };
    } else if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        bytes = [drawn = svg()] { return drawn; };
    } else {
        bytes = [drawn = recorded(), size = size()] { return pngOf(drawn, size); };
    }
    const auto write = [path, bytes] {
        const QByteArray content = bytes();
        QSaveFile file(path); // which asks nobody whether its last bytes were taken: hence the flush
        return !content.isEmpty() && file.open(QIODevice::WriteOnly) &&
               file.write(content) == content.size() && file.flush() && file.commit();
    };
    inBackground(this, write, done);
}

} // namespace homebooth::app
