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

int FlowLayout::flow(const QRect& whole, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect rect = whole.marginsRemoved(margins);
    QPoint next = rect.topLeft();
    int line = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty()) continue;
        const QSize size =
            item->sizeHint().boundedTo(QSize(qMax(1, rect.width()), item->sizeHint().height()));
        if (next.x() > rect.left() && next.x() + size.width() > rect.right() + 1) {
            next = {rect.left(), next.y() + line + spacing()};
            line = 0;
        }
        if (place) item->setGeometry(QRect(next, size));
        next.rx() += size.width() + spacing();
        line = qMax(line, size.height());
    }
    return next.y() + line - rect.top() + margins.top() + margins.bottom();
}

} // namespace homebooth::app
