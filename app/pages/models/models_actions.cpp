// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Models does with a model: import, export, delete, free room, and the answer to how it
// predicts.
#include "app/pages/models/models_page.h"

#include "app/engine/disk_use.h"
#include "app/engine/engine_call.h"
#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/engine/run_centre.h"
#include "app/engine/run_session.h"
#include "app/library/background.h"
#include "app/pages/models/model_removal.h"
#include "app/settings/settings.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

namespace homebooth::app {

QByteArray ModelsPage::predictionKey(const QString& path) {
    return "prediction/" +
           QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
}

void ModelsPage::answerPrediction(bool noise) {
    const ModelEntry* entry = chosen();
    if (entry == nullptr) return;
    const QString word = noise ? QStringLiteral("epsilon") : QStringLiteral("v_prediction");
    m_services.settings.set(predictionKey(entry->path).constData(), word);
    refresh();
    if (word.toStdString() == m_prediction) return; // as was assumed
    const QString to = freeFolder(m_services.settings.text(keys::kHome) + QStringLiteral("/models"),
                                  safeFileName(entry->name));
    messages().show({MessageKind::Note,
                     tr("Writing the model anew with what you said, to %1. The file itself stays as it is.")
                         .arg(to.toHtmlEscaped()),
                     {},
                     QStringLiteral("prediction")});
    QDir().mkpath(QFileInfo(to).path());
    EngineCall::start(this,
                      {QStringLiteral("convert"), entry->path, to, QStringLiteral("--to"),
                       QStringLiteral("diffusers"), QStringLiteral("--prediction-type"), word},
                      [this, to](const EngineAnswer& answer) {
                          messages().drop(QStringLiteral("prediction"));
                          if (answer.exitCode == 0) return m_services.models.import(to);
                          messages().show(
                              {MessageKind::Error,
                               troubleText(tr("The model could not be written anew."), answer.error),
                               {},
                               QStringLiteral("prediction")});
                      });
}

void ModelsPage::measureRuns() {
    QStringList folders;
    const RunCentre& runs = m_services.runs;
    for (const core::RunRecord& run : runs.runs()) {
        const QString folder = QString::fromStdString(run.folder);
        const bool works = runs.busy() && runs.working()->folder() == folder;
        if (!works && !runs.queue().contains(folder)) folders.append(folder);
    }
    const auto measure = [folders] {
        RunDisk sum;
        QStringList prunable;
        for (const QString& folder : folders) {
            const RunDisk disk = diskOf(folder);
            sum.moments += disk.moments;
            sum.momentBytes += disk.momentBytes;
            sum.prunableBytes += disk.prunableBytes;
            if (disk.prunableBytes > 0) prunable.append(folder);
        }
        return std::pair(sum, prunable);
    };
    inBackground(this, measure, [this](const std::pair<RunDisk, QStringList>& found) {
        const auto& [sum, prunable] = found;
        m_prunable = prunable;
        m_prunableBytes = sum.prunableBytes;
        m_disk->setText(sum.moments > 0 ? tr("Trainings keep %1 in %n saved moment(s).", nullptr, sum.moments)
                                              .arg(diskText(sum.momentBytes))
                                        : QString());
        m_free->setVisible(!prunable.isEmpty());
        m_free->setText(tr("Free %1...").arg(diskText(sum.prunableBytes)));
    });
}

void ModelsPage::askToPrune() {
    QStringList names;
    for (const QString& folder : m_prunable) {
        const core::RunRecord* run = m_services.runs.find(folder);
        names.append(run != nullptr ? QString::fromStdString(run->title) : QFileInfo(folder).fileName());
    }
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("Free room"),
                        tr("<b>Free %1?</b> The newest two saved moments of each training stay, and what "
                           "came out of it. It can still be trained further. This cannot be undone.<br>%2")
                            .arg(diskText(m_prunableBytes), names.join(QStringLiteral(", ")).toHtmlEscaped()),
                        QMessageBox::Cancel, this);
    QPushButton* go =
        box->addButton(tr("Free %1").arg(diskText(m_prunableBytes)), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(go, &QPushButton::clicked, this, [this, folders = m_prunable] { prune(folders); });
    box->open();
}

void ModelsPage::prune(const QStringList& folders) {
    const auto pruneAll = [folders] {
        QString problem;
        for (const QString& folder : folders)
            if (const auto done = pruneRun(folder); !done)
                problem = QString::fromStdString(done.error().text());
        return problem;
    };
    inBackground(this, pruneAll, [this](const QString& problem) {
        if (!problem.isEmpty())
            messages().show({MessageKind::Error,
                             troubleText(tr("Not all room could be freed."), problem),
                             {},
                             QStringLiteral("prune")});
        m_services.models.refresh();
        measureRuns();
    });
}

void ModelsPage::chooseImport(bool folder) {
    auto* dialog = new QFileDialog(this, tr("Import a model"), QDir::homePath(),
                                   folder ? QString() : tr("Models and add-ons (*.safetensors *.ckpt)"));
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, &m_services.models, &ModelShelf::import);
    dialog->open();
}

void ModelsPage::exportChosen(const QString& kind) {
    const ModelEntry* entry = chosen();
    if (entry == nullptr) return;
    const bool file = kind == QLatin1String("checkpoint");
    const QString name = entry->name + (file ? QStringLiteral(".safetensors") : QString());
    auto* dialog = new QFileDialog(this, tr("Export %1").arg(entry->name), QDir::homePath() + '/' + name);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, [this, from = entry->path, kind](const QString& to) {
        messages().show({MessageKind::Note, tr("Exporting..."), {}, QStringLiteral("export")});
        EngineCall::start(this, {QStringLiteral("convert"), from, to, QStringLiteral("--to"), kind},
                          [this, to](const EngineAnswer& answer) {
                              const bool fine = answer.exitCode == 0;
                              messages().show(
                                  {fine ? MessageKind::Good : MessageKind::Error,
                                   fine ? tr("Exported to %1.").arg(to).toHtmlEscaped()
                                        : troubleText(tr("The model could not be exported."), answer.error),
                                   {},
                                   QStringLiteral("export")});
                          });
    });
    dialog->open();
}

void ModelsPage::forgetChosen() {
    const ModelEntry* entry = chosen();
    if (entry == nullptr || entry->origin != ModelEntry::Origin::Imported) return;
    const QString path = entry->path;
    m_services.models.forget(entry->recordId);
    messages().show(
        {MessageKind::Note,
         tr("%1 is off the list. Its files stay.").arg(QFileInfo(path).fileName().toHtmlEscaped()),
         {{tr("Undo"),
           [this, path] {
               messages().drop(QStringLiteral("removed"));
               m_services.models.import(path);
           }}},
         QStringLiteral("removed")});
}

void ModelsPage::askToDelete() {
    const ModelEntry* entry = chosen();
    if (entry == nullptr || entry->origin == ModelEntry::Origin::BuiltIn) return;
    const ModelRemoval removal = removalOf(m_services, *entry);
    const QString text = removalText(removal, entry->name);
    if (!removal.usedBy.isEmpty())
        return messages().show({MessageKind::Caution,
                                text,
                                {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }}},
                                QStringLiteral("delete")});
    auto* box = new QMessageBox(QMessageBox::Question, tr("Delete a model"), text, QMessageBox::Cancel, this);
    QPushButton* go = box->addButton(tr("Move to the trash"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(go, &QPushButton::clicked, this,
            [this, path = removal.path, run = removal.run, id = entry->recordId] {
                if (!run) m_services.models.forget(id);
                deleteFiles(path, run);
            });
    box->open();
}

void ModelsPage::deleteFiles(const QString& path, bool run) {
    if (run) return m_services.runs.remove(path);
    inBackground(
        this, [path] { return QFile::moveToTrash(path); },
        [this, path](bool moved) {
            if (!moved)
                messages().show({MessageKind::Error,
                                 tr("%1 could not be moved into the trash.").arg(path.toHtmlEscaped()),
                                 {},
                                 QStringLiteral("delete")});
        });
}

} // namespace homebooth::app
