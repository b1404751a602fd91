// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/large_view.h"

#include "app/library/background.h"
#include "app/library/thumbnails.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QPainter>

namespace homebooth::app {
namespace {
constexpr double kStep = 1.25;
constexpr double kMostZoom = 32.0;
constexpr double kPan = 80.0;
constexpr int kMargin = 24;
constexpr int kReadPixels = 4096;
constexpr double kMostEnlarged = 12.0;
} // namespace

LargeView::LargeView(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Large view"));
    setCursor(Qt::OpenHandCursor);
    hide();
    parent->installEventFilter(this);
}

void LargeView::open(const QString& path, const QStringList& all) {
    if (!isVisible()) m_before = window()->focusWidget(); // where the keys go back to
    m_all = all.contains(path) ? all : QStringList{path};
    setGeometry(parentWidget()->rect());
    show();
    raise();
    setFocus();
    change(path);
}

void LargeView::setAll(const QStringList& all) {
    if (!isVisible()) return;
    const auto place = m_all.indexOf(m_path);
    m_all = all;
    if (m_all.contains(m_path)) return update();
    if (m_all.isEmpty()) return leave();
    change(m_all[qMin(place, m_all.size() - 1)]);
}

void LargeView::change(const QString& path) {
    m_path = path;
    load();
    Q_EMIT shown(path);
}

void LargeView::load() {
    m_zoom = 0.0;
    m_shift = {};
    setAccessibleName(tr("Picture %1").arg(QFileInfo(m_path).fileName()));
    inBackground(
        this, [path = m_path] { return loadEdited(path, {}, kReadPixels); },
        [this, path = m_path](const QImage& image) {
            if (m_path != path) return;
            m_image = image;
            update();
        });
}

double LargeView::fitting() const {
    if (m_image.isNull()) return 1.0;
    const double wide = double(width() - 2 * kMargin) / m_image.width();
    const double high = double(height() - 2 * kMargin) / m_image.height();
    return qMin(kMostEnlarged, qMin(wide, high));
}

QRectF LargeView::place() const {
    QRectF place(QPointF(), QSizeF(m_image.size()) * scale());
    place.moveCenter(QRectF(rect()).center() + m_shift);
    return place;
}

void LargeView::walk(int by) {
    const auto now = m_all.indexOf(m_path);
    const auto next = qBound<qsizetype>(0, now + by, m_all.size() - 1);
    if (next == now) return;
    change(m_all[next]);
}

void LargeView::zoom(double factor, QPointF around) {
    const double before = scale();
    const double after = qBound(fitting() / 4, before * factor, kMostZoom);
    const QPointF centre = QRectF(rect()).center() + m_shift;
    m_shift += (around - centre) * (1.0 - after / before);
    m_zoom = after;
    update();
}

void LargeView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QColor(12, 13, 15, 245));
    if (m_image.isNull()) {
        painter.setPen(Qt::white);
        painter.drawText(rect(), Qt::AlignCenter, tr("Opening..."));
        return;
    }
    const QRectF where = place();
    // Far enlarged pictures show their pixels as they are.
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          m_zoom <= 0.0 || where.width() < 8.0 * m_image.width());
    painter.drawImage(where, m_image);
    painter.setPen(QColor(255, 255, 255, 170));
    const auto at = m_all.indexOf(m_path) + 1;
    const QString percent = QLocale().toString(qRound(100.0 * scale()));
    painter.drawText(
        rect().adjusted(kMargin, 4, -kMargin, -4), Qt::AlignBottom | Qt::AlignHCenter,
        m_all.size() > 1
            ? tr("%1 of %2    %3 %    + - 0 1: zoom    Esc: back").arg(at).arg(m_all.size()).arg(percent)
            : tr("%1 %    + - 0 1: zoom    Esc: back").arg(percent));
}

void LargeView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return leave();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(kStep, QRectF(rect()).center());
    case Qt::Key_Minus:
        return zoom(1.0 / kStep, QRectF(rect()).center());
    case Qt::Key_0:
        return fit();
    case Qt::Key_1:
        return zoom(1.0 / scale(), QRectF(rect()).center());
    case Qt::Key_Home:
        return walk(-static_cast<int>(m_all.size()));
    case Qt::Key_End:
        return walk(static_cast<int>(m_all.size()));
    default:
        break;
    }
    const QPoint arrow = arrowOf(event->key());
    if (arrow.isNull()) return QWidget::keyPressEvent(event);
    // A picture larger than the view is moved with Shift, or it would take the mouse to see it all.
    if (!event->modifiers().testFlag(Qt::ShiftModifier)) return walk(arrow.x() + arrow.y());
    m_shift -= QPointF(arrow) * kPan;
    update();
}

QPoint LargeView::arrowOf(int key) {
    return key == Qt::Key_Left    ? QPoint(-1, 0)
           : key == Qt::Key_Right ? QPoint(1, 0)
           : key == Qt::Key_Up    ? QPoint(0, -1)
           : key == Qt::Key_Down  ? QPoint(0, 1)
                                  : QPoint();
}

void LargeView::fit() {
    m_zoom = 0.0;
    m_shift = {};
    update();
}

void LargeView::leave() {
    if (!isVisible()) return;
    hide();
    if (m_before) m_before->setFocus();
}

void LargeView::wheelEvent(QWheelEvent* event) {
    zoom(event->angleDelta().y() > 0 ? kStep : 1.0 / kStep, event->position());
    event->accept();
}

void LargeView::mousePressEvent(QMouseEvent* event) {
    m_grab = event->position();
    m_dragged = false;
}

void LargeView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    m_shift += event->position() - m_grab;
    m_grab = event->position();
    m_dragged = true;
    update();
}

void LargeView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_dragged && !place().contains(event->position())) leave();
}

bool LargeView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace homebooth::app
