// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Queue does with a training that ended: lets it go on, deletes it.
#include "app/engine/disk_use.h"
#include "app/engine/figures.h"
#include "app/engine/model_shelf.h"
#include "app/engine/run_centre.h"
#include "app/library/background.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/queue/queue_page.h"
#include "app/widgets/message_bar.h"

#include <QListView>
#include <QMessageBox>

namespace homebooth::app {

void QueuePage::resumeChosen() {
    const QModelIndex now = m_list->currentIndex();
    if (!m_model.canWaitAgain(now.row())) return;
    m_services.runs.resume(now.data(QueueModel::FolderRole).toString());
}

void QueuePage::fitChosen() {
    const QModelIndex now = m_list->currentIndex();
    if (!m_model.canFit(now.row())) return;
    const QString folder = now.data(QueueModel::FolderRole).toString();
    const bool lessRam = m_model.lacksRam(now.row());
    m_services.runs.show(folder); // what it took is known of the one that is looked at
    m_services.runs.resume(folder, {.lessMemory = true, .lessRam = lessRam});
}

void QueuePage::askToDelete() {
    const QModelIndex now = m_list->currentIndex();
    if (!m_model.canDelete(now.row())) return;
    ModelEntry entry;
    entry.origin = ModelEntry::Origin::Run;
    entry.runFolder = now.data(QueueModel::FolderRole).toString();
    entry.path = entry.runFolder + QStringLiteral("/result/model");
    const core::RunRecord* run = m_services.runs.find(entry.runFolder);
    entry.name = run != nullptr ? QString::fromStdString(run->title) : now.data().toString();
    const ModelRemoval removal = removalOf(m_services, entry);
    const QString text = removalText(removal, entry.name);
    if (!removal.usedBy.isEmpty())
        return messages().show({MessageKind::Caution, text, {}, QStringLiteral("delete")});
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Delete a training"), text, QMessageBox::Cancel, this);
    QPushButton* go = box->addButton(tr("Move to the trash"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(go, &QPushButton::clicked, this,
            [this, folder = entry.runFolder] { m_services.runs.remove(folder); });
    inBackground(
        box, [folder = entry.runFolder] { return diskOf(folder); },
        [box, text](const RunDisk& disk) {
            box->setText(
                text + QStringLiteral("<br>") +
                tr("It takes %1, which are free once the trash is emptied.").arg(diskText(disk.bytes)));
        });
    box->open();
}

} // namespace homebooth::app
