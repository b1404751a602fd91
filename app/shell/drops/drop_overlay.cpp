// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/drops/drop_overlay.h"

#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QPainter>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kInset = 40;
constexpr int kSign = 40;
constexpr int kLeavingMs = 150;
} // namespace

DropOverlay::DropOverlay(QWidget* parent)
    : QWidget(parent) {
    setAcceptDrops(true);
    m_leaving.setSingleShot(true);
    m_leaving.setInterval(kLeavingMs);
    connect(&m_leaving, &QTimer::timeout, this, &QWidget::hide);
    hide();
}

void DropOverlay::hideUnlessEntered() {
    if (isVisible()) m_leaving.start();
}

void DropOverlay::show(std::vector<DropZone> zones) {
    m_leaving.stop();
    m_zones = std::move(zones);
    m_over = m_zones.size() == 1 ? 0 : -1;
    setGeometry(parentWidget()->rect());
    setVisible(!m_zones.empty());
    raise();
    update();
}

QRectF DropOverlay::rectOf(size_t zone) const {
    const QRectF room = QRectF(rect()).adjusted(kInset, kInset, -kInset, -kInset);
    const double high = (room.height() - kPageMargin * double(m_zones.size() - 1)) / double(m_zones.size());
    return {room.left(), room.top() + double(zone) * (high + kPageMargin), room.width(), high};
}

/// Also between the zones and beside them: what is dropped there is meant for the nearest one.
int DropOverlay::zoneAt(const QPointF& point) const {
    int nearest = -1;
    double least = 0.0;
    for (size_t zone = 0; zone < m_zones.size(); ++zone) {
        const QRectF box = rectOf(zone); // they differ in height alone
        const double away = std::max({box.top() - point.y(), point.y() - box.bottom(), 0.0});
        if (nearest >= 0 && away >= least) continue;
        nearest = static_cast<int>(zone);
        least = away;
    }
    return nearest;
}

void DropOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = colours().window;
    veil.setAlpha(225);
    painter.fillRect(rect(), veil);
    for (size_t zone = 0; zone < m_zones.size(); ++zone) {
        const QRectF box = rectOf(zone);
        const bool over = static_cast<int>(zone) == m_over;
        painter.setPen(QPen(over ? colours().link : colours().outline, 2, Qt::DashLine));
        painter.setBrush(over ? mixed(colours().accent, colours().base, 0.14) : colours().base);
        painter.drawRoundedRect(box, 2 * kRadius, 2 * kRadius);
        painter.drawPixmap(QPointF(box.center().x() - kSign / 2.0, box.center().y() - kSign - kGapInside),
                           iconPixmap(m_zones[zone].icon, over ? colours().link : colours().muted, kSign,
                                      devicePixelRatioF()));
        painter.setPen(colours().text);
        painter.setFont(Theme::instance().font(TypeRole::Section));
        painter.drawText(box.adjusted(kGapBlock, box.height() / 2 + kGapLabel, -kGapBlock, 0),
                         Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_zones[zone].text);
    }
}

void DropOverlay::dragEnterEvent(QDragEnterEvent* event) {
    m_leaving.stop();
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

void DropOverlay::dragMoveEvent(QDragMoveEvent* event) {
    m_over = zoneAt(event->position());
    event->setDropAction(Qt::CopyAction);
    event->setAccepted(m_over >= 0);
    update();
}

void DropOverlay::dragLeaveEvent(QDragLeaveEvent*) {
    hide();
}

void DropOverlay::dropEvent(QDropEvent* event) {
    const int zone = zoneAt(event->position());
    hide();
    if (zone < 0) return;
    event->setDropAction(Qt::CopyAction);
    event->accept();
    const bool file = !localPathsOf(*event->mimeData()).isEmpty();
    const QImage picture = file ? QImage() : qvariant_cast<QImage>(event->mimeData()->imageData());
    // The drag's own loop has to end first.
    QTimer::singleShot(0, this, [act = m_zones[static_cast<size_t>(zone)].act, picture] { act(picture); });
}

void DropOverlay::mousePressEvent(QMouseEvent*) {
    hide(); // whoever clicks drags nothing
}

} // namespace homebooth::app
