// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which models of the list are chosen on the page Models, and which one it shows.
#include "app/pages/models/models_page.h"
#include "app/pages/models/prediction_trial.h"
#include "app/settings/settings.h"

#include <QLineEdit>
#include <QListView>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace homebooth::app {

QModelIndex ModelsPage::shownIndex() const {
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    return rows.size() == 1 ? rows.front() : m_view->currentIndex();
}

const ModelEntry* ModelsPage::shown() const {
    return m_list.at(shownIndex().row());
}

const ModelEntry* ModelsPage::chosen() const {
    return m_view->selectionModel()->selectedRows().size() > 1 ? nullptr : shown();
}

std::vector<const ModelEntry*> ModelsPage::allChosen() const {
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.isEmpty()) rows.append(m_view->currentIndex());
    std::sort(rows.begin(), rows.end());
    std::vector<const ModelEntry*> all;
    for (const QModelIndex& row : rows)
        if (const ModelEntry* entry = m_list.at(row.row())) all.push_back(entry);
    return all;
}

bool ModelsPage::anyToDelete() const {
    const std::vector<const ModelEntry*> all = allChosen();
    return std::any_of(all.begin(), all.end(),
                       [](const ModelEntry* one) { return one->origin != ModelEntry::Origin::BuiltIn; });
}

void ModelsPage::chooseRow(int row) {
    // Not as keys that are held down would have it, such as those of undo.
    m_view->selectionModel()->setCurrentIndex(m_list.index(row), QItemSelectionModel::ClearAndSelect);
}

void ModelsPage::chooseLast() {
    if (m_last.isEmpty() || m_list.rowOf(m_last) < 0) return; // it may come with the next answer
    const QString path = std::exchange(m_last, {});
    if (!isBeingEdited()) chooseRow(m_list.rowOf(path));
}

void ModelsPage::noteChosen() {
    m_several.clear();
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (rows.size() < 2) return;
    for (const QModelIndex& row : rows) m_several.append(row.data(ModelList::ModelPathRole).toString());
}

void ModelsPage::chooseShown() {
    QItemSelection kept;
    for (const QString& path : std::exchange(m_several, {}))
        if (const int row = m_list.rowOf(path); row >= 0) kept.select(m_list.index(row), m_list.index(row));
    const int shown = m_list.rowOf(m_shown);
    // What comes after one that is gone takes its place, unless others stay chosen.
    const int next = shown >= 0       ? shown
                     : kept.isEmpty() ? qMin(m_row, m_list.rowCount() - 1)
                                      : kept.indexes().front().row();
    if (next >= 0 && kept.isEmpty()) chooseRow(next);
    if (!kept.isEmpty()) {
        m_view->selectionModel()->setCurrentIndex(m_list.index(next), QItemSelectionModel::NoUpdate);
        m_view->selectionModel()->select(kept, QItemSelectionModel::Select);
    }
    if (shown < 0) Q_EMIT chosenGone();
    refresh();
}

void ModelsPage::chooseImported() {
    if (m_services.models.find(m_imported) == nullptr) return; // it comes with the next answer
    const QString path = std::exchange(m_imported, {});
    if (!isBeingEdited()) showModel(path);
}

bool ModelsPage::isBeingEdited() const {
    return m_licence->hasFocus() || m_licence->isModified() || !m_name->isHidden() || m_trial->isOut();
}

void ModelsPage::showModel(const QString& path) {
    if (m_list.rowOf(path) < 0) m_search->clear(); // whose words hide it
    if (path != m_shown) Q_EMIT chosenGone();
    chooseRow(m_list.rowOf(path));
}

void ModelsPage::leaveShown(QString next) {
    const QString before = m_shown;
    const bool typed = m_licence->isModified();
    const QSignalBlocker quiet(m_licence); // it is noted once the next one is shown
    if (window()->focusWidget() == m_licence) m_view->setFocus();
    m_licence->setModified(false);
    takeShown(std::move(next));
    m_stale = true;
    if (typed) noteLicence(before, m_licence->text());
}

} // namespace homebooth::app
