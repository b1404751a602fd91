// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order of a subject's photos, by button and by dragging.
#include "app/pages/subjects/subjects_page.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <QItemSelectionModel>

#include <utility>
#include <vector>

namespace homebooth::app {

void SubjectsPage::move(int by) {
    const QList<int> rows = selectedRows();
    const core::Subject* subject = m_photos.subject();
    if (rows.size() != 1 || subject == nullptr) return;
    const int to = rows.front() + by;
    if (to < 0 || to >= int(subject->photos.size())) return;
    core::Subject after = *subject;
    std::swap(after.photos[static_cast<size_t>(rows.front())], after.photos[static_cast<size_t>(to)]);
    m_services.subjects.change(after, tr("move photo %1").arg(rows.front() + 1));
    m_grid->setCurrentIndex(m_photos.index(to));
}

void SubjectsPage::moveTo(int before) {
    const QList<int> rows = selectedRows();
    const core::Subject* subject = m_photos.subject();
    if (rows.isEmpty() || subject == nullptr) return;
    std::vector<core::Photo> order;
    std::vector<core::Photo> moved;
    std::vector<core::Photo> behind;
    for (int row = 0; row < int(subject->photos.size()); ++row)
        (rows.contains(row) ? moved
         : row < before     ? order
                            : behind)
            .push_back(subject->photos[static_cast<size_t>(row)]);
    const int first = int(order.size());
    order.insert(order.end(), moved.begin(), moved.end());
    order.insert(order.end(), behind.begin(), behind.end());
    if (order == subject->photos) return;
    core::Subject after = *subject;
    after.photos = order;
    m_services.subjects.change(after, rows.size() == 1 ? tr("move photo %1").arg(rows.front() + 1)
                                                       : tr("move %n photo(s)", nullptr, int(rows.size())));
    const QModelIndex from = m_photos.index(first);
    const QModelIndex to = m_photos.index(first + int(rows.size()) - 1);
    m_grid->setCurrentIndex(from);
    m_grid->selectionModel()->select(QItemSelection(from, to), QItemSelectionModel::ClearAndSelect);
}

} // namespace homebooth::app
