// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Datasets does with folders: take up, mend, take off the list.
#include "app/pages/datasets/datasets_page.h"

#include "app/engine/runs/held_out.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/pages/datasets/captions/caption_panel.h"
#include "app/pages/datasets/leaving_out.h"
#include "app/pages/datasets/scratch_dialog.h"
#include "app/settings/settings.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QDir>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <utility>

namespace homebooth::app {

void DatasetsPage::load() {
    m_services.library.ask<std::vector<core::DatasetRecord>>(
        this, [](core::Library& library) { return core::loadDatasets(library); },
        [this](const std::vector<core::DatasetRecord>& records) {
            m_datasets.set(records);
            fillList();
            takeColour();
            countAll();
        });
}

void DatasetsPage::countAll() {
    const auto count = [folders = m_datasets.folders()] {
        QHash<QString, int> counts;
        for (const QString& folder : folders) counts.insert(folder, countPictures(folder));
        return counts;
    };
    inBackground(this, count, [this](const QHash<QString, int>& counts) {
        for (auto one = counts.cbegin(); one != counts.cend(); ++one)
            m_datasets.setCount(one.key(), one.value(), false);
    });
}

void DatasetsPage::fillList() {
    const int last = m_datasets.rowCount() - 1;
    int known = m_datasets.rowOf(m_wanted); // it may come with the next answer only
    if (known >= 0)
        m_wanted.clear();
    else
        known = m_datasets.rowOf(m_model.folder());
    const int row = known >= 0 ? known : qMin(m_row, last); // what comes after one that is gone
    m_row = qMax(0, row);
    if (row >= 0)
        m_list->setCurrentIndex(m_datasets.index(row));
    else
        m_model.open({});
    refresh();
}

void DatasetsPage::addFolder(const QString& folder) {
    core::DatasetRecord record;
    record.id = core::newRecordId();
    record.folder = QDir(folder).absolutePath().toStdString();
    record.name = QFileInfo(QString::fromStdString(record.folder)).fileName().toStdString();
    record.createdMs = core::nowMs();
    m_wanted = QString::fromStdString(record.folder);
    if (m_datasets.rowOf(m_wanted) >= 0) return load(); // it is on the list: nothing to be undone
    m_services.undo.push(new DatasetAddition(m_services.library, record, afterListing(m_wanted)));
}

std::function<void()> DatasetsPage::afterListing(const QString& folder) {
    return [self = QPointer(this), folder] {
        if (!self) return;
        self->m_wanted = self->m_model.folder() == folder ? QString() : folder; // back: it is shown
        if (self->m_wanted.isEmpty()) {
            self->m_model.open({});
            self->messages().drop(QStringLiteral("taken ") + folder);
        }
        self->load();
    };
}

void DatasetsPage::takeFolder(const QString& folder, const QStringList& photos) {
    addFolder(folder);
    if (photos.isEmpty()) return;
    const QString key = QStringLiteral("taken ") + folder;
    messages().show(
        {MessageKind::Note,
         tr("<b>%1 became a dataset</b>: a folder of many pictures, or of pictures with captions.")
             .arg(QFileInfo(folder).fileName().toHtmlEscaped()),
         {{tr("Make a subject instead"),
           [this, photos, key] {
               messages().drop(key);
               Q_EMIT subjectWanted(photos);
           }}},
         key});
}

void DatasetsPage::train(const QString& shapeOf, bool autoencoder) {
    const QString folder = m_model.folder();
    if (folder.isEmpty()) return;
    const auto& items = m_model.items();
    const int64_t pictures = std::count_if(items.begin(), items.end(),
                                           [](const DatasetItem& item) { return item.problem.isEmpty(); });
    Q_EMIT trainWanted({QFileInfo(folder).fileName(), folder, shapeOf, autoencoder, m_model.broken() > 0,
                        m_model.packed() ? 0 : pictures});
}

void DatasetsPage::askForShape() {
    const int pictures = m_model.packed() ? kUnknownCount : static_cast<int>(m_model.items().size());
    auto* dialog = new ScratchDialog(m_services.models, pictures, this);
    connect(dialog, &ScratchDialog::chosen, this, &DatasetsPage::train);
    dialog->open();
}

void DatasetsPage::chooseFolder(bool copy) {
    askForFile(this, {tr("Add a folder of pictures"), QFileDialog::Directory},
               [this, copy](const QString& folder) { copy ? copyFolder(folder) : addFolder(folder); });
}

void DatasetsPage::chooseMissing() {
    askForFile(this, {tr("Where may whole copies of the pictures be?"), QFileDialog::Directory},
               [this](const QString& folder) { findBelow(folder); });
}

void DatasetsPage::askHeldOut() {
    const QString dataset = m_model.folder();
    if (std::exchange(m_heldOutOf, dataset) == dataset) return;
    const int question = ++m_heldOutAsked;
    if (dataset.isEmpty()) return m_panel->setHeldOut({});
    std::vector<core::RunRecord> runs = m_services.runs.runs();
    std::stable_sort(runs.begin(), runs.end(), [](const core::RunRecord& a, const core::RunRecord& b) {
        return a.createdMs > b.createdMs;
    });
    QStringList folders;
    for (const core::RunRecord& run : runs) folders.append(QString::fromStdString(run.folder));
    inBackground(
        this, [folders, dataset] { return heldOutOf(folders, dataset); },
        [this, dataset, question](const HeldOut& heldOut) {
            const bool latest = question == m_heldOutAsked; // an older one may take longer
            if (latest && m_model.folder() == dataset) m_panel->setHeldOut(heldOut);
        });
}

void DatasetsPage::chooseWanted() {
    if (m_wantedPicture.isEmpty() || m_model.items().empty()) return;
    const QString wanted = std::exchange(m_wantedPicture, {});
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (m_model.at(row).path == wanted) return m_grid->setCurrentIndex(m_model.index(row));
}

void DatasetsPage::showChosen() {
    QList<int> rows;
    for (const QModelIndex& one : m_grid->selectionModel()->selectedIndexes()) rows.append(one.row());
    std::sort(rows.begin(), rows.end());
    m_panel->showRows(rows.isEmpty() ? QList<int>{m_grid->currentIndex().row()} : rows);
}

void DatasetsPage::leaveOut() {
    m_leave->setEnabled(false); // until that is done: a second step would have nothing to do
    const auto after = [self = QPointer(this), folder = m_model.folder(),
                        first = std::make_shared<bool>(true)](const core::Result<void>& done, bool out) {
        if (!self) return;
        const bool asked = std::exchange(*first, false);
        self->m_leave->setEnabled(true);
        if (!done)
            self->tellTrouble(out ? tr("Not everything could be left out.")
                                  : tr("Not everything could be taken back."),
                              done.error(), QStringLiteral("leave out"));
        else if (out)
            Q_EMIT self->toast(tr("Files and captions went into the folder \"left out\"."));
        if (self->m_model.folder() == folder) return self->m_model.open(folder);
        if (asked) return;       // somebody has gone on to another one
        self->m_wanted = folder; // what was undone is seen
        self->fillList();
    };
    m_services.undo.push(new LeavingOut(this, m_model.folder(), m_model.items(), after));
}

void DatasetsPage::offerCaptions() {
    constexpr qsizetype kMostKeys = 20;
    QMenu* menu = m_takeCaptions->menu();
    menu->clear();
    for (const QString& key : m_model.captionKeys().mid(0, kMostKeys))
        menu->addAction(
            asButtonText(key), this,
            [this, key] {
                const int count = m_model.takeCaptions(key);
                if (count > 0) Q_EMIT toast(tr("%n caption(s) changed.", nullptr, count));
            },
            Qt::QueuedConnection);
}

void DatasetsPage::tellGone() {
    const QString gone = m_model.folder();
    const int row = m_datasets.rowOf(gone);
    if (row < 0) return;
    messages().show(
        {MessageKind::Caution,
         tr("<b>Folder \"%1\" is gone.</b> Captions lie in it, and stay as they are. Connect the drive.")
             .arg(QFileInfo(gone).fileName().toHtmlEscaped()),
         {{tr("Find folder"),
           [this, record = m_datasets.at(row)] {
               askForFile(this, {tr("Where is the folder now?"), QFileDialog::Directory},
                          [this, record](const QString& now) { moveTo(record, QDir(now).absolutePath()); });
           }}},
         QStringLiteral("dataset")});
}

void DatasetsPage::tellShards() {
    m_grid->setEmptyText(tr("The pictures are packed."));
    messages().show(
        {MessageKind::Note,
         tr("<b>The pictures are packed in WebDataset shards (.tar).</b> They can be trained on as they are. "
            "To see them and their captions here, unpack them into a folder."),
         {{tr("Colour behind transparent parts"), [this] { chooseColour(); }}},
         QStringLiteral("dataset")});
}

void DatasetsPage::moveTo(const core::DatasetRecord& record, const QString& folder) {
    const auto after = [self = QPointer(this)](const QString& now) {
        if (!self) return;
        self->m_wanted = now;
        self->load();
    };
    if (folder.toStdString() == record.folder) { // is there again
        if (m_model.folder() == folder) m_model.rescan();
        return;
    }
    const auto gone = [after, folder] { after(folder); };
    if (m_datasets.rowOf(folder) >= 0) // is on the list already: the other entry is of no use
        return m_services.undo.push(new DatasetRemoval(m_services.library, record, gone));
    core::DatasetRecord moved = record;
    moved.folder = folder.toStdString();
    moved.name = QFileInfo(folder).fileName().toStdString();
    m_services.undo.push(new DatasetMove(m_services.library, record, moved, after));
}

void DatasetsPage::tellTrouble(const QString& headline, const core::Error& error, const QString& key) {
    const QString words = DatasetModel::tr(
        "The folder holds WebDataset shards (.tar), no pictures that could be copied. Use it where it is, or "
        "unpack them into a folder.");
    const QString text = saysShards(error) ? troubleText(headline, {}) + ' ' + words.toHtmlEscaped()
                                           : troubleText(headline, QString::fromStdString(error.text()));
    messages().show({MessageKind::Error, text, {}, key});
}

bool DatasetsPage::ready(Command command) const {
    return command != Command::Delete || (m_list->hasFocus() && m_list->currentIndex().isValid());
}

bool DatasetsPage::command(Command command) {
    if (!offers(command)) return false;
    if (command == Command::Import) {
        chooseFolder(false);
        return true;
    }
    if (command != Command::Delete) return false;
    const core::DatasetRecord record = m_datasets.at(m_list->currentIndex().row());
    const auto after = afterListing(QString::fromStdString(record.folder));
    m_services.undo.push(new DatasetRemoval(m_services.library, record, after));
    Q_EMIT toast(tr("%1 is off the list. Its files stay.").arg(QString::fromStdString(record.name)));
    return true;
}

} // namespace homebooth::app
