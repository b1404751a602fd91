// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dragging the pictures of a grid to another place within it. What is dragged says whose it is, so that what
// comes from elsewhere is left to the window.
#include "app/theme/theme.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <QCoreApplication>
#include <QDrag>
#include <QDropEvent>
#include <QMimeData>
#include <QPainter>

namespace homebooth::app {
namespace {
constexpr const char* kOwnFormat = "application/x-homebooth-own-pictures";
constexpr int kLineWidth = 2;
} // namespace

QByteArray ThumbnailGrid::ownMark() const {
    return QByteArray::number(QCoreApplication::applicationPid()) + ' ' +
           QByteArray::number(reinterpret_cast<quintptr>(this), 16);
}

void ThumbnailGrid::setReorders(bool reorders) {
    m_reorders = reorders;
    setDragDropMode(reorders ? QAbstractItemView::DragDrop : QAbstractItemView::DragOnly);
    viewport()->setAcceptDrops(reorders);
    setDropIndicatorShown(false); // the line between two pictures is painted here
}

QMimeData* ThumbnailGrid::dragged() const {
    QMimeData* files = mimeOfPictures(selectedIndexes());
    if (m_reorders && files != nullptr) files->setData(QLatin1String(kOwnFormat), ownMark());
    return files;
}

void ThumbnailGrid::startDrag(Qt::DropActions) {
    QMimeData* files = dragged();
    if (files == nullptr) return;
    auto* drag = new QDrag(this);
    drag->setMimeData(files);
    drag->exec(Qt::CopyAction);
    setDropRow(-1);
}

bool ThumbnailGrid::isOwn(const QDropEvent& event) const {
    return m_reorders && event.mimeData()->data(QLatin1String(kOwnFormat)) == ownMark();
}

int ThumbnailGrid::dropRowAt(const QPoint& place) const {
    const int count = model() == nullptr ? 0 : model()->rowCount(rootIndex());
    int before = 0;
    for (int row = 0; row < count; ++row) {
        const QRect cell = visualRect(model()->index(row, 0, rootIndex()));
        const bool passed = isRightToLeft() ? place.x() < cell.center().x() : place.x() > cell.center().x();
        if (cell.bottom() < place.y() || (cell.top() <= place.y() && passed)) before = row + 1;
    }
    return before;
}

void ThumbnailGrid::setDropRow(int row) {
    if (row == m_dropRow) return;
    m_dropRow = row;
    viewport()->update();
}

void ThumbnailGrid::dragEnterEvent(QDragEnterEvent* event) {
    if (!isOwn(*event)) return event->ignore();
    event->acceptProposedAction();
}

void ThumbnailGrid::dragMoveEvent(QDragMoveEvent* event) {
    if (!isOwn(*event)) return event->ignore();
    const QPoint place = event->position().toPoint();
    setDropRow(dropRowAt(place));
    const int margin = autoScrollMargin();
    if (place.y() < margin || place.y() > viewport()->height() - margin) startAutoScroll();
    event->acceptProposedAction();
}

void ThumbnailGrid::dragLeaveEvent(QDragLeaveEvent*) {
    stopAutoScroll();
    setDropRow(-1);
}

void ThumbnailGrid::dropEvent(QDropEvent* event) {
    stopAutoScroll();
    setDropRow(-1);
    if (!isOwn(*event)) return event->ignore();
    event->acceptProposedAction();
    Q_EMIT moved(dropRowAt(event->position().toPoint()));
}

void ThumbnailGrid::paintDropLine(QPainter& painter) const {
    const int count = model() == nullptr ? 0 : model()->rowCount(rootIndex());
    if (m_dropRow < 0 || count == 0) return;
    const bool last = m_dropRow == count;
    const QRect cell = visualRect(model()->index(last ? count - 1 : m_dropRow, 0, rootIndex()));
    const bool atRight = last != isRightToLeft();
    const int x = atRight ? cell.right() : cell.left();
    painter.fillRect(QRect(x - kLineWidth / 2, cell.top(), kLineWidth, cell.height()), colours().link);
}

} // namespace homebooth::app
