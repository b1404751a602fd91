// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/section_grid.h"

#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kCellPadding = 6; // of a cell, as the delegate has it
constexpr int kWheelStep = 24;
} // namespace

SectionGrid::SectionGrid(Thumbnails& thumbnails, QWidget* parent)
    : QAbstractItemView(parent)
    , m_delegate(new ThumbnailDelegate(thumbnails, this)) {
    installReader();
    setItemDelegate(m_delegate);
    setSelectionMode(ExtendedSelection);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setDragEnabled(true);
    setDragDropMode(DragOnly);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_Hover);
    connect(&thumbnails, &Thumbnails::ready, viewport(), qOverload<>(&QWidget::update));
    connect(this, &QAbstractItemView::doubleClicked, this, &SectionGrid::opened);
}

void SectionGrid::setSections(std::function<std::vector<GridSection>()> source) {
    m_source = std::move(source);
    layOut();
}

void SectionGrid::setSide(int pixels) {
    m_side = pixels;
    const QModelIndex keep = currentIndex();
    const bool seen = keep.isValid() && visualRect(keep).intersects(viewport()->rect());
    const int middle = middleRow();
    layOut();
    if (seen)
        scrollTo(keep);
    else
        putIntoMiddle(middle);
}

int SectionGrid::middleRow() const {
    const int end = verticalOffset() + viewport()->height();
    const auto rows = rowsIn(end - viewport()->height() / 2, end);
    return rows.empty() ? -1 : rows.front().first;
}

void SectionGrid::putIntoMiddle(int row) {
    if (row >= 0) verticalScrollBar()->setValue(cellOf(row).center().y() - viewport()->height() / 2);
}

void SectionGrid::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

void SectionGrid::setModel(QAbstractItemModel* model) {
    if (this->model() != nullptr) this->model()->disconnect(this);
    QAbstractItemView::setModel(model);
    if (model != nullptr) {
        connect(model, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] { hold(-1, -1); });
        connect(model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
                [this](const QModelIndex&, int from, int to) { hold(from, to); });
        connect(model, &QAbstractItemModel::rowsRemoved, this, [this] {
            layOut();
            putBack(m_held.row.row());
        });
        // After the selection was emptied, which it is by the same signal.
        connect(model, &QAbstractItemModel::modelAboutToBeReset, this, &SectionGrid::holdAll);
        connect(model, &QAbstractItemModel::modelReset, this, &SectionGrid::putAllBack);
    }
    layOut();
}

void SectionGrid::reset() {
    QAbstractItemView::reset();
    layOut();
}

void SectionGrid::doItemsLayout() {
    layOut();
    QAbstractItemView::doItemsLayout();
}

void SectionGrid::rowsInserted(const QModelIndex& parent, int start, int end) {
    layOut();
    QAbstractItemView::rowsInserted(parent, start, end);
    putBack(m_held.row.row());
}

int SectionGrid::headingHeight() const {
    return QFontMetrics(Theme::instance().font(TypeRole::Section)).height() + 2 * kGapLabel;
}

int SectionGrid::bottomOf(const Block& block) const {
    const int lines = (block.count + m_columns - 1) / m_columns;
    return block.top + (block.title.isEmpty() ? 0 : headingHeight()) + lines * m_cell;
}

void SectionGrid::layOut() {
    const int wide = std::max(1, viewport()->width());
    m_columns = std::max(1, wide / (m_side + 2 * kCellPadding));
    m_cell = std::max(1, wide / m_columns);
    m_delegate->setLook(std::max(1, m_cell - 2 * kCellPadding), 0);
    m_blocks.clear();
    const int count = model() != nullptr ? model()->rowCount() : 0;
    const std::vector<GridSection> sections =
        m_source ? m_source() : std::vector<GridSection>{{0, QString()}};
    int top = 0;
    for (size_t i = 0; i < sections.size(); ++i) {
        const int end = i + 1 < sections.size() ? std::min(count, sections[i + 1].first) : count;
        if (end <= sections[i].first) continue;
        m_blocks.push_back({sections[i].first, end - sections[i].first, top, sections[i].title});
        top = bottomOf(m_blocks.back());
    }
    m_height = top;
    updateGeometries();
    viewport()->update();
}

void SectionGrid::updateGeometries() {
    QScrollBar* bar = verticalScrollBar();
    bar->setRange(0, std::max(0, m_height - viewport()->height()));
    bar->setPageStep(viewport()->height());
    bar->setSingleStep(kWheelStep);
    QAbstractItemView::updateGeometries();
}

void SectionGrid::resizeEvent(QResizeEvent* event) {
    const int middle = middleRow();
    QAbstractItemView::resizeEvent(event);
    const int columns = m_columns;
    layOut();
    if (columns != m_columns) putIntoMiddle(middle);
}

int SectionGrid::verticalOffset() const {
    return verticalScrollBar()->value();
}

const SectionGrid::Block* SectionGrid::blockOf(int row) const {
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), row,
                                        [](int one, const Block& block) { return one < block.first; });
    if (after == m_blocks.begin()) return nullptr;
    const Block& block = *(after - 1);
    return row < block.first + block.count ? &block : nullptr;
}

QRect SectionGrid::cellOf(int row) const {
    const Block* block = blockOf(row);
    if (block == nullptr) return {};
    const int place = row - block->first;
    const int top = block->top + (block->title.isEmpty() ? 0 : headingHeight());
    return {place % m_columns * m_cell, top + place / m_columns * m_cell, m_cell, m_cell};
}

QRect SectionGrid::visualRect(const QModelIndex& index) const {
    return index.isValid() ? cellOf(index.row()).translated(0, -verticalOffset()) : QRect();
}

int SectionGrid::rowAt(const QPoint& wall) const {
    const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), wall.y(),
                                        [](int y, const Block& block) { return y < block.top; });
    if (after == m_blocks.begin() || wall.x() < 0) return -1;
    const Block& block = *(after - 1);
    const int below = wall.y() - block.top - (block.title.isEmpty() ? 0 : headingHeight());
    const int column = wall.x() / m_cell;
    if (below < 0 || column >= m_columns) return -1;
    const int place = below / m_cell * m_columns + column;
    return place < block.count ? block.first + place : -1;
}

QModelIndex SectionGrid::indexAt(const QPoint& point) const {
    const int row = rowAt(point + QPoint(0, verticalOffset()));
    return row >= 0 ? model()->index(row, 0, rootIndex()) : QModelIndex();
}

void SectionGrid::scrollTo(const QModelIndex& index, ScrollHint hint) {
    if (!index.isValid()) return;
    QRect cell = cellOf(index.row());
    // The first line brings its heading along.
    if (const Block* block = blockOf(index.row()); index.row() - block->first < m_columns)
        cell.setTop(block->top);
    QScrollBar* bar = verticalScrollBar();
    const int high = viewport()->height();
    if (hint == PositionAtCenter)
        bar->setValue(cell.center().y() - high / 2);
    else if (hint == PositionAtTop || cell.top() < bar->value())
        bar->setValue(cell.top());
    else if (hint == PositionAtBottom || cell.bottom() >= bar->value() + high)
        bar->setValue(cell.bottom() - high + 1);
}

int SectionGrid::rowBelow(int row, int lines) const {
    const QRect cell = cellOf(row);
    const int step = lines < 0 ? -1 : 1;
    int now = row;
    for (int line = 0; line != lines; line += step) {
        const Block* block = blockOf(now);
        const int column = (now - block->first) % m_columns;
        int next = now + step * m_columns;
        if (step > 0 && next >= block->first + block->count) {
            const int lastLine = (block->count - 1) / m_columns;
            const bool inLast = (now - block->first) / m_columns == lastLine;
            // A short last line ends where the next heading begins.
            next = inLast ? block->first + block->count + column : block->first + block->count - 1;
            if (inLast) {
                const Block* below = blockOf(block->first + block->count);
                if (below == nullptr) return now;
                next = std::min(next, below->first + below->count - 1);
            }
        } else if (step < 0 && next < block->first) {
            const Block* above = blockOf(block->first - 1);
            if (above == nullptr) return now;
            const int lastLine = (above->count - 1) / m_columns * m_columns;
            next = above->first + std::min(above->count - 1, lastLine + column);
        }
        now = next;
    }
    return cell.isNull() ? row : now;
}

QModelIndex SectionGrid::moveCursor(CursorAction action, Qt::KeyboardModifiers) {
    const int count = model() != nullptr ? model()->rowCount(rootIndex()) : 0;
    if (count == 0) return {};
    const int now = currentIndex().isValid() ? currentIndex().row() : 0;
    const int page = std::max(1, viewport()->height() / m_cell - 1);
    int next = now;
    switch (action) {
    case MoveLeft:
    case MovePrevious:
        next = now - 1;
        break;
    case MoveRight:
    case MoveNext:
        next = now + 1;
        break;
    case MoveUp:
        next = rowBelow(now, -1);
        break;
    case MoveDown:
        next = rowBelow(now, 1);
        break;
    case MovePageUp:
        next = rowBelow(now, -page);
        break;
    case MovePageDown:
        next = rowBelow(now, page);
        break;
    case MoveHome:
        next = 0;
        break;
    case MoveEnd:
        next = count - 1;
        break;
    }
    return model()->index(std::clamp(next, 0, count - 1), 0, rootIndex());
}

std::vector<std::pair<int, int>> SectionGrid::rowsIn(int top, int bottom) const {
    std::vector<std::pair<int, int>> ranges;
    for (const Block& block : m_blocks) {
        if (block.top > bottom) break;
        const int heading = block.top + (block.title.isEmpty() ? 0 : headingHeight());
        if (bottomOf(block) < top || bottom < heading) continue;
        const int first = std::max(0, (top - heading) / m_cell) * m_columns;
        const int last = std::min(block.count, ((bottom - heading) / m_cell + 1) * m_columns);
        if (first < last) ranges.emplace_back(block.first + first, block.first + last - 1);
    }
    return ranges;
}

void SectionGrid::setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) {
    QItemSelection chosen;
    const auto add = [this, &chosen](int from, int to) {
        chosen.select(model()->index(from, 0, rootIndex()), model()->index(to, 0, rootIndex()));
    };
    if (state() == DragSelectingState) {
        const QRect area = rect.normalized().translated(0, verticalOffset());
        for (const auto& [from, to] : rowsIn(area.top(), area.bottom()))
            for (int row = from; row <= to; ++row)
                if (cellOf(row).intersects(area)) add(row, row);
    } else {
        const QModelIndex from = indexAt(rect.topLeft());
        const QModelIndex to = indexAt(rect.bottomRight());
        if (from.isValid() && to.isValid())
            add(std::min(from.row(), to.row()), std::max(from.row(), to.row()));
    }
    selectionModel()->select(chosen, command);
}

QRegion SectionGrid::visualRegionForSelection(const QItemSelection& selection) const {
    QRegion region;
    const QRect view = viewport()->rect();
    for (const auto& [from, to] : rowsIn(verticalOffset(), verticalOffset() + view.height()))
        for (int row = from; row <= to; ++row)
            if (selection.contains(model()->index(row, 0, rootIndex())))
                region += cellOf(row).translated(0, -verticalOffset());
    return region;
}

void SectionGrid::paintBlock(QPainter& painter, const Block& block, int from, int to) {
    QStyleOptionViewItem option;
    initViewItemOption(&option);
    const QPoint under = viewport()->mapFromGlobal(QCursor::pos());
    const QModelIndex hovered = viewport()->underMouse() ? indexAt(under) : QModelIndex();
    for (int row = std::max(from, block.first); row <= std::min(to, block.first + block.count - 1); ++row) {
        const QModelIndex index = model()->index(row, 0, rootIndex());
        option.rect = cellOf(row).translated(0, -verticalOffset());
        option.state = QStyle::State_Enabled;
        option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        option.state.setFlag(QStyle::State_MouseOver, index == hovered);
        option.state.setFlag(QStyle::State_HasFocus, hasFocus() && index == currentIndex());
        itemDelegateForIndex(index)->paint(&painter, option, index);
    }
}

void SectionGrid::paintEvent(QPaintEvent* event) {
    QPainter painter(viewport());
    if (m_blocks.empty()) {
        painter.setPen(colours().muted);
        painter.drawText(viewport()->rect().adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    const int top = verticalOffset() + event->rect().top();
    const int bottom = verticalOffset() + event->rect().bottom();
    for (const Block& block : m_blocks) {
        if (block.top > bottom) break;
        if (bottomOf(block) < top) continue;
        if (!block.title.isEmpty()) {
            painter.setFont(Theme::instance().font(TypeRole::Section));
            painter.setPen(colours().text);
            painter.drawText(
                QRect(kCellPadding, block.top - verticalOffset(), viewport()->width(), headingHeight()),
                Qt::AlignVCenter | Qt::AlignLeft, block.title);
        }
    }
    for (const auto& [from, to] : rowsIn(top, bottom))
        if (const Block* block = blockOf(from)) paintBlock(painter, *block, from, to);
}

void SectionGrid::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->key() == Qt::Key_Space && currentIndex().isValid()) {
        if (!control) return Q_EMIT large(currentIndex());
        return selectionModel()->select(currentIndex(), selectionCommand(currentIndex(), event));
    }
    if (enter && !control && currentIndex().isValid()) return Q_EMIT opened(currentIndex());
    QAbstractItemView::keyPressEvent(event);
}

void SectionGrid::wheelEvent(QWheelEvent* event) {
    if (event->modifiers().testFlag(Qt::ControlModifier)) return event->ignore();
    QAbstractItemView::wheelEvent(event);
}

void SectionGrid::startDrag(Qt::DropActions) {
    dragPictures(this, selectedIndexes());
}

} // namespace homebooth::app
