// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What keeps the wall in its place while rows come, go, or are all read anew.
#include "app/widgets/pictures/section_grid.h"

#include <QScrollBar>

namespace homebooth::app {

void SectionGrid::hold(int goneFrom, int goneTo) {
    m_held = {};
    if (verticalOffset() == 0) return; // what is new is seen
    const auto stays = [=](int row) { return row < goneFrom || row > goneTo; };
    const int now = currentIndex().row();
    int row = now >= 0 && stays(now) && visualRect(currentIndex()).intersects(viewport()->rect()) ? now : -1;
    for (const auto& [from, to] : rowsIn(verticalOffset(), verticalOffset() + viewport()->height()))
        for (int one = from; one <= to && row < 0; ++one)
            if (stays(one)) row = one;
    if (row < 0) return;
    m_held.row = model()->index(row, 0, rootIndex());
    m_held.y = cellOf(row).top() - verticalOffset();
}

void SectionGrid::putBack(int row) {
    if (row >= 0) verticalScrollBar()->setValue(cellOf(row).top() - m_held.y);
    m_held = {};
}

void SectionGrid::holdAll() {
    m_chosenKeys.clear();
    hold(-1, -1);
    if (m_keyRole == 0) return;
    m_held.key = m_held.row.data(m_keyRole).toString();
    m_currentKey = currentIndex().data(m_keyRole).toString();
    for (const QModelIndex& index : selectionModel()->selectedIndexes())
        m_chosenKeys.insert(index.data(m_keyRole).toString());
}

void SectionGrid::putAllBack() {
    if (m_keyRole == 0) return;
    int held = -1;
    QItemSelection chosen;
    QModelIndex current;
    for (int row = 0; row < model()->rowCount(rootIndex()); ++row) {
        const QModelIndex index = model()->index(row, 0, rootIndex());
        const QString key = index.data(m_keyRole).toString();
        if (key == m_held.key) held = row;
        if (key == m_currentKey) current = index;
        if (m_chosenKeys.contains(key)) chosen.select(index, index);
    }
    selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
    if (current.isValid()) selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
    if (held >= 0)
        putBack(held);
    else if (current.isValid())
        scrollTo(current);
}

} // namespace homebooth::app
