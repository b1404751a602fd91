// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Models does with a model: import, rename, note, take off the list, delete, free room.
#include "app/pages/models/models_page.h"

#include "app/engine/figures.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/pages/models/model_commands.h"
#include "app/pages/models/model_removal.h"
#include "app/theme/metrics.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/lighter_weights.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QUndoStack>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// Whether a training has gone on since, or pictures wait that are made with one of its moments.
bool inUse(const Services& services, const QString& runFolder) {
    if (services.runs.works(runFolder) || services.runs.startWanted(runFolder)) return true;
    const std::vector<GenerationJob>& jobs = services.generator.jobs();
    return std::any_of(jobs.begin(), jobs.end(), [&](const GenerationJob& job) {
        const MomentEntry* moment = services.models.moment(QString::fromStdString(job.config.model));
        return moment != nullptr && moment->path.startsWith(runFolder + '/');
    });
}

constexpr const char* kRoomMessage = "room";

/// What became of freeing room.
struct Pruned {
    qint64 bytes = 0; ///< that are free now
    QString problem;  ///< of the last one that could not be
};

Pruned pruneAll(const QStringList& folders) {
    Pruned pruned;
    for (const QString& folder : folders) {
        if (worksOn(folder)) continue; // as somebody may in a terminal
        const qint64 before = diskOf(folder).bytes;
        if (const auto done = pruneRun(folder); !done)
            pruned.problem = QString::fromStdString(done.error().text());
        pruned.bytes += std::max<qint64>(0, before - diskOf(folder).bytes);
    }
    return pruned;
}

} // namespace

void ModelsPage::measureRuns() {
    m_measureAgain = m_measuring;
    if (std::exchange(m_measuring, true)) return; // then once more, with what is there by then
    QStringList folders;
    const RunCentre& runs = m_services.runs;
    for (const core::RunRecord& run : runs.runs()) {
        const QString folder = QString::fromStdString(run.folder);
        if (!runs.works(folder) && !runs.queue().contains(folder)) folders.append(folder);
    }
    using Measured = std::pair<QHash<QString, RunDisk>, DiskName>;
    const auto measure = [folders, before = m_disks, full = m_roomFor] {
        Measured measured;
        for (const QString& folder : folders)
            measured.first.insert(folder, diskOf(folder, before.value(folder)));
        if (!full.isEmpty()) measured.second = fullDiskOf(full);
        return measured;
    };
    const auto take = [this, full = m_roomFor](const Measured& measured) {
        m_measuring = false;
        showDisks(measured.first);
        if (!full.isEmpty() && full == m_roomFor) {
            m_roomFor.clear();
            offerRoom(measured.second);
        }
        if (m_measureAgain) measureRuns();
    };
    // Minutes on a slow drive: no look at a model waits for it.
    inBackground(this, measure, take, &lookPool());
}

void ModelsPage::showDisks(const QHash<QString, RunDisk>& disks) {
    int moments = 0;
    qint64 bytes = 0;
    for (const RunDisk& disk : disks) {
        moments += disk.moments;
        bytes += disk.momentBytes;
    }
    m_disks = disks;
    m_prunable = prunableOf(disks);
    m_disk->setText(
        moments > 0 ? tr("Trainings keep %1 in %n saved moment(s).", nullptr, moments).arg(diskText(bytes))
                    : QString());
    showFree();
    refresh();
}

void ModelsPage::showFree() {
    m_freeMenu->clear();
    const bool several = m_prunable.size() > 1;
    if (several)
        for (const Prunable& one : m_prunable)
            m_freeMenu->addAction(tr("%1 on \"%2\"...").arg(diskText(one.bytes), asButtonText(one.disk.name)),
                                  this, [this, one] { askToPrune(one); });
    m_free->setMenu(several ? m_freeMenu : nullptr);
    m_free->setVisible(!m_prunable.empty());
    m_free->setText(several || m_prunable.empty() ? tr("Free room")
                                                  : tr("Free %1...").arg(diskText(m_prunable.front().bytes)));
}

void ModelsPage::offerRoom(const DiskName& full) {
    const QString name = full.name.toHtmlEscaped();
    const auto found = std::find_if(m_prunable.begin(), m_prunable.end(), [&full](const Prunable& one) {
        return full.device != 0 && one.disk.device == full.device; // known
    });
    const QString key = QLatin1String(kRoomMessage);
    if (found == m_prunable.end())
        return messages().show({MessageKind::Caution,
                                tr("<b>There is nothing to free here for \"%1\".</b> No training keeps older "
                                   "moments on that disk. Delete trainings in the queue that lie there, or "
                                   "choose another folder.")
                                    .arg(name),
                                {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }}},
                                key});
    messages().show(
        {MessageKind::Note,
         tr("<b>\"%1\" is full.</b> Trainings keep %2 there in older moments, which can go.")
             .arg(name, diskText(found->bytes)),
         {{tr("Free %1...").arg(diskText(found->bytes)), [this, one = *found] { askToPrune(one); }}},
         key});
}

void ModelsPage::askToPrune(const Prunable& disk) {
    QStringList names;
    for (const QString& folder : disk.folders) {
        const core::RunRecord* run = m_services.runs.find(folder);
        names.append(run != nullptr ? QString::fromStdString(run->title) : QFileInfo(folder).fileName());
    }
    const QString room = diskText(disk.bytes);
    QStringList text{
        tr("<b>Free %1 on \"%2\"?</b> The newest two saved moments of each training stay, and what "
           "came out of it.")
            .arg(room, disk.disk.name.toHtmlEscaped())};
    if (disk.moments > 0) text.append(tr("%n older moment(s) will be deleted.", nullptr, disk.moments));
    text.append(tr("A training can then go on from its newest moment alone; the other one can still make "
                   "pictures. This cannot be undone."));
    auto* box = new QMessageBox(QMessageBox::Question, tr("Free room"),
                                QStringLiteral("%1<br>%2").arg(text.join(' '), listOf(names)),
                                QMessageBox::Cancel, this);
    QPushButton* go = box->addButton(tr("Free %1").arg(room), QMessageBox::DestructiveRole);
    box->button(QMessageBox::Cancel)->setText(tr("Cancel"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QPushButton::clicked, this, [this, disk] { prune(disk); });
    openQuestion(*box);
}

void ModelsPage::prune(const Prunable& disk) {
    QStringList folders = disk.folders;
    folders.removeIf([this](const QString& folder) { return inUse(m_services, folder); });
    const auto take = [this, name = disk.disk.name](const Pruned& pruned) {
        messages().drop(QLatin1String(kRoomMessage));
        const QString key = QStringLiteral("prune");
        if (!pruned.problem.isEmpty())
            messages().show({MessageKind::Error,
                             troubleText(tr("Not all room could be freed."), pruned.problem),
                             {},
                             key});
        else if (pruned.bytes > 0)
            messages().show({MessageKind::Good,
                             tr("%1 were freed on \"%2\".").arg(diskText(pruned.bytes), name).toHtmlEscaped(),
                             {},
                             key});
        else
            messages().show({MessageKind::Caution,
                             tr("Nothing was freed: these trainings are being worked on, or pictures wait "
                                "for their moments.")
                                 .toHtmlEscaped(),
                             {},
                             key});
        m_services.models.refresh();
        measureRuns();
    };
    inBackground(
        this, [folders] { return pruneAll(folders); }, take);
}

QWidget* ModelsPage::makeHint() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    tidy(column, 0, kGapLabel);
    column->addWidget(
        new MutedLabel(tr("The built-in model is small. Drop a .safetensors file or a diffusers "
                          "folder here for better pictures.")));
    column->addWidget(
        new MutedLabel(tr("These fit: Stable Diffusion 1.x (2 to 4 GB; also for graphics cards of 8 GB), "
                          "2.x, and XL (about 7 GB). Not: Stable Diffusion 3, Flux, inpainting.")));
    auto* import = makeButton(tr("Import..."), QStringLiteral("import"));
    column->addWidget(import, 0, Qt::AlignLeft);
    connect(import, &QPushButton::clicked, this, [this] { chooseImport(false); });
    part->hide();
    return part;
}

void ModelsPage::chooseImport(bool folder) {
    askForFiles(this,
                {tr("Import a model: Stable Diffusion 1.x, 2.x or XL"),
                 folder ? QFileDialog::Directory : QFileDialog::ExistingFiles,
                 folder ? QString() : tr("Models and add-ons (*.safetensors *.ckpt *.pt *.bin)")},
                [this](const QStringList& paths) { Q_EMIT importWanted(paths); });
}

void ModelsPage::rename(const QString& path, const QString& name) {
    const ModelEntry* entry = m_services.models.find(path);
    const QString after = name.trimmed();
    if (entry == nullptr || after.isEmpty() || after == entry->name) return;
    const QString text = tr("rename %1").arg(entry->name);
    if (entry->origin == ModelEntry::Origin::Run) {
        const core::RunRecord* run = m_services.runs.find(entry->runFolder);
        if (run == nullptr) return;
        m_services.undo.push(new RunTitleCommand(m_services.runs, entry->runFolder,
                                                 QString::fromStdString(run->title), after, text));
    } else if (const auto before = m_services.models.record(entry->recordId)) {
        core::ModelRecord record = *before;
        record.name = after.toStdString();
        m_services.undo.push(new ModelCommand(m_services.models, before, record, text));
    }
}

void ModelsPage::noteLicence(const QString& path, const QString& note) {
    const ModelEntry* entry = m_services.models.find(path);
    const auto before = entry != nullptr ? m_services.models.record(entry->recordId) : std::nullopt;
    if (!before || before->note == note.trimmed().toStdString()) return;
    core::ModelRecord record = *before;
    record.note = note.trimmed().toStdString();
    m_services.undo.push(
        new ModelCommand(m_services.models, before, record, tr("licence of %1").arg(entry->name)));
}

void ModelsPage::sayTrialFailed(const QString& headline, const QString& detail) {
    Message message{MessageKind::Error, troubleText(headline, detail), {}, QStringLiteral("trial")};
    const std::vector<GenerationJob>& jobs = m_services.generator.jobs(); // the first one is still there
    if (lacksMemory(headline, detail) && !jobs.empty())
        proposeLighterWeights(message, jobs.front().config, m_services.settings, [this, key = message.key] {
            refresh(); // the next trial has them
            messages().drop(key);
        });
    messages().show(message);
}

} // namespace homebooth::app
