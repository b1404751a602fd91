// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Queue does with a training that ended: lets it go on, deletes it.
#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/pages/models/in_use_message.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/queue/queue_page.h"
#include "app/widgets/parts.h"

#include <QFileInfo>
#include <QListView>
#include <QMessageBox>

#include <algorithm>
#include <vector>

namespace homebooth::app {

QModelIndex QueuePage::chosen() const {
    const QModelIndexList rows = m_list->selectionModel()->selectedRows();
    return rows.size() == 1 ? rows.front() : QModelIndex();
}

QModelIndexList QueuePage::chosenWaiting() const {
    QModelIndexList rows = m_list->selectionModel()->selectedRows();
    rows.removeIf([this](const QModelIndex& one) { return !m_model.waits(one.row()); });
    std::sort(rows.begin(), rows.end()); // in whichever order they were chosen
    return rows;
}

QStringList QueuePage::chosenToDelete() const {
    QStringList folders;
    for (const QModelIndex& one : m_list->selectionModel()->selectedRows())
        if (m_model.canDelete(one.row())) folders.append(one.data(QueueModel::FolderRole).toString());
    return folders;
}

void QueuePage::resumeChosen() {
    const QModelIndex now = chosen();
    if (!m_model.canWaitAgain(now.row())) return;
    m_services.runs.resume(now.data(QueueModel::FolderRole).toString());
}

void QueuePage::fitChosen() {
    const QModelIndex now = chosen();
    if (!m_model.canFit(now.row())) return;
    const QString folder = now.data(QueueModel::FolderRole).toString();
    const bool lessRam = m_model.lacksRam(now.row());
    m_services.runs.show(folder); // what it took is known of the one that is looked at
    m_services.runs.resume(folder, {.lessMemory = true, .lessRam = lessRam});
}

ModelEntry QueuePage::entryOf(const QString& folder) const {
    ModelEntry entry;
    entry.origin = ModelEntry::Origin::Run;
    entry.runFolder = folder;
    entry.path = folder + QStringLiteral("/result/model");
    const core::RunRecord* run = m_services.runs.find(folder);
    entry.name = run != nullptr ? QString::fromStdString(run->title) : QFileInfo(folder).fileName();
    return entry;
}

void QueuePage::askToDelete() {
    const QStringList folders = chosenToDelete();
    if (folders.isEmpty()) return;
    std::vector<ModelRemoval> removals;
    QStringList names;
    for (const QString& folder : folders) {
        const ModelEntry entry = entryOf(folder);
        removals.push_back(removalOf(m_services, entry, folders));
        removals.back().gone = m_model.folderGone(folder);
        names.append(entry.name);
        if (!removals.back().usedBy.isEmpty()) return m_inUse->show(entry);
    }
    const bool one = folders.size() == 1;
    QString text = one ? removalText(removals.front(), names.front()) : removalText(removals, names);
    const auto stay = static_cast<int>(m_list->selectionModel()->selectedRows().size() - folders.size());
    if (stay > 0)
        text += QStringLiteral("<br>") +
                tr("%n other chosen job(s) stay: what works or waits is not deleted.", nullptr, stay);
    askAbout(folders, text);
}

void QueuePage::askAbout(const QStringList& folders, const QString& text) {
    const bool one = folders.size() == 1;
    auto* box = new QMessageBox(QMessageBox::Question, one ? tr("Delete a training") : tr("Delete trainings"),
                                text, QMessageBox::Cancel, this);
    const bool gone = std::all_of(folders.begin(), folders.end(),
                                  [this](const QString& folder) { return m_model.folderGone(folder); });
    QPushButton* go =
        box->addButton(gone ? tr("Forget") : tr("Move to the trash"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QPushButton::clicked, this, [this, folders] { m_services.runs.remove(folders); });
    const auto measure = [folders] {
        int64_t bytes = 0;
        for (const QString& folder : folders) bytes += diskOf(folder).bytes;
        return bytes;
    };
    inBackground(box, measure, [box, text, one](int64_t bytes) {
        if (bytes <= 0) return; // gone
        const QString taken = one ? tr("It takes %1, which are free once the trash is emptied.")
                                  : tr("They take %1, which are free once the trash is emptied.");
        box->setText(text + QStringLiteral("<br>") + taken.arg(diskText(bytes)));
    });
    openQuestion(*box);
}

} // namespace homebooth::app
