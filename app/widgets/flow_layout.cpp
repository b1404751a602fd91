// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/flow_layout.h"

#include <QWidget>

namespace homebooth::app {

FlowLayout::FlowLayout(QWidget* parent, int spacing)
    : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

FlowLayout::~FlowLayout() {
    qDeleteAll(m_items);
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.append(item);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const {
    return flow(QRect(0, 0, width, 0), false);
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    flow(rect, true);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

QSize FlowLayout::sizeOf(const QLayoutItem& item, int room) {
    QSize size = item.sizeHint();
    // A field may be narrow before it goes on in the next line: it gets what is left of its own.
    if (item.expandingDirections() & Qt::Horizontal)
        size.setWidth(qMax(item.minimumSize().width(), size.width() / 2));
    return size.boundedTo(QSize(qMax(1, room), size.height()));
}

void FlowLayout::placeLine(const QList<QLayoutItem*>& line, QPoint at, int room) const {
    int left = room;
    int growing = 0;
    for (const QLayoutItem* item : line) {
        left -= sizeOf(*item, room).width() + (item == line.front() ? 0 : spacing());
        growing += (item->expandingDirections() & Qt::Horizontal) ? 1 : 0;
    }
    if (m_centred && growing == 0) at.rx() += qMax(0, left / 2);
    for (QLayoutItem* item : line) {
        QSize size = sizeOf(*item, room);
        if (item->expandingDirections() & Qt::Horizontal) {
            const int share = left / growing--;
            size.rwidth() += share;
            left -= share;
        }
        item->setGeometry(QRect(at, size));
        at.rx() += size.width() + spacing();
    }
}

int FlowLayout::flow(const QRect& whole, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect rect = whole.marginsRemoved(margins);
    int x = 0;
    int top = 0;
    int high = 0;
    QList<QLayoutItem*> line;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize size = sizeOf(*item, rect.width());
        if (x > 0 && x + size.width() > rect.width()) {
            if (place) placeLine(line, rect.topLeft() + QPoint(0, top), rect.width());
            line.clear();
            top += high + spacing();
            x = high = 0;
        }
        line.append(item);
        x += size.width() + spacing();
        high = qMax(high, size.height());
    }
    if (place) placeLine(line, rect.topLeft() + QPoint(0, top), rect.width());
    return top + high + margins.top() + margins.bottom();
}

} // namespace homebooth::app
