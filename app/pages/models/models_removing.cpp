// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Models does with models that are to go: off the list, or into the trash.
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/pages/models/in_use_message.h"
#include "app/pages/models/model_commands.h"
#include "app/pages/models/model_removal.h"
#include "app/pages/models/models_page.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QUndoStack>

#include <optional>
#include <utility>

namespace homebooth::app {

/// What is asked about: models and add-ons that were brought along, and trainings.
struct ModelsPage::Removal {
    std::vector<ModelRemoval> parts;
    QStringList names; ///< of the parts
    std::vector<core::ModelRecord> files;
    QStringList runs; ///< folders
    bool builtIn = false;
};

namespace {

/// One step of undo for models that leave the list, whose files stay or are gone.
void forgetAll(const Services& services, const std::vector<core::ModelRecord>& records, const QString& text) {
    const bool several = records.size() > 1;
    if (several) services.undo.beginMacro(text);
    for (const core::ModelRecord& record : records)
        services.undo.push(new ModelCommand(services.models, record, std::nullopt, text));
    if (several) services.undo.endMacro();
}

QString nameOf(const core::ModelRecord& record) {
    return QString::fromStdString(record.name);
}

} // namespace

void ModelsPage::forgetChosen() {
    std::vector<core::ModelRecord> records;
    QStringList trained;
    QStringList paths;
    for (const ModelEntry* entry : allChosen()) paths.append(entry->path);
    for (const ModelEntry* entry : allChosen()) {
        if (entry->origin != ModelEntry::Origin::Imported) return;
        if (const auto record = m_services.models.record(entry->recordId)) records.push_back(*record);
        trained += removalOf(m_services, *entry, paths).neededBy;
    }
    if (records.empty()) return;
    const auto count = static_cast<int>(records.size());
    const QString name = m_services.models.nameOf(paths.front());
    QString told = count == 1 ? tr("%1 is off the list. Its files stay.").arg(name)
                              : tr("%n model(s) are off the list. Their files stay.", nullptr, count);
    forgetAll(m_services, records,
              count == 1 ? tr("take %1 off the list").arg(name)
                         : tr("take %n model(s) off the list", nullptr, count));
    constexpr qsizetype kMostNamed = 3;
    if (!trained.isEmpty())
        told += ' ' + tr("Add-ons that were trained on it: %1.")
                          .arg(trained.mid(0, kMostNamed).join(QStringLiteral(", ")) +
                               (trained.size() > kMostNamed ? QStringLiteral(" ...") : QString()));
    Q_EMIT toast(told);
}

ModelsPage::Removal ModelsPage::removalOfChosen() const {
    Removal removal;
    QStringList going;
    for (const ModelEntry* entry : allChosen())
        going.append(entry->origin == ModelEntry::Origin::Run ? entry->runFolder : entry->path);
    for (const ModelEntry* entry : allChosen()) {
        if (entry->origin == ModelEntry::Origin::BuiltIn) {
            removal.builtIn = true;
            continue;
        }
        const bool run = entry->origin == ModelEntry::Origin::Run;
        if (run && removal.runs.contains(entry->runFolder)) continue; // a model and an add-on came out of it
        removal.parts.push_back(removalOf(m_services, *entry, going));
        removal.names.append(entry->name);
        const auto disk = m_disks.constFind(entry->runFolder);
        if (run && entry->facts.gone && disk != m_disks.cend() && disk->bytes == 0)
            removal.parts.back().gone = true;
        if (run)
            removal.runs.append(entry->runFolder);
        else if (const auto record = m_services.models.record(entry->recordId))
            removal.files.push_back(*record);
    }
    return removal;
}

void ModelsPage::askToDelete() {
    const Removal removal = removalOfChosen();
    if (removal.parts.empty()) return;
    for (const ModelEntry* entry : allChosen())
        if (!removalOf(m_services, *entry).usedBy.isEmpty() && entry->origin != ModelEntry::Origin::BuiltIn)
            return m_inUse->show(*entry, {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }}});
    const bool one = removal.parts.size() == 1;
    bool gone = true;
    for (const ModelRemoval& part : removal.parts) gone = gone && part.gone;
    QString text = one ? removalText(removal.parts.front(), removal.names.front())
                       : removalText(removal.parts, removal.names);
    if (removal.builtIn) text += QStringLiteral("<br>") + tr("The built-in model stays.");
    auto* box = new QMessageBox(QMessageBox::Question, one ? tr("Delete a model") : tr("Delete models"), text,
                                QMessageBox::Cancel, this);
    QPushButton* go =
        box->addButton(gone ? tr("Forget") : tr("Move to the trash"), QMessageBox::DestructiveRole);
    box->button(QMessageBox::Cancel)->setText(tr("Cancel"));
    box->setDefaultButton(QMessageBox::Cancel);
    connect(go, &QPushButton::clicked, this, [this, removal] {
        if (removal.files.empty()) return m_services.runs.remove(removal.runs);
        deleteFiles(removal);
    });
    openQuestion(*box);
}

void ModelsPage::deleteFiles(const Removal& removal) {
    using Moved = std::vector<std::optional<TrashedModel>>;
    const auto move = [files = removal.files] {
        Moved moved;
        for (const core::ModelRecord& one : files)
            moved.push_back(moveModelToTrash(QString::fromStdString(one.path)));
        return moved;
    };
    const auto take = [this, removal](const Moved& moved) {
        std::vector<ModelTrashCommand::One> trashed;
        QStringList stay;
        for (size_t i = 0; i < moved.size(); ++i) {
            const auto record = m_services.models.record(removal.files[i].id);
            if (!moved[i])
                stay.append(tr("%1 could not be moved into the trash.")
                                .arg(QString::fromStdString(removal.files[i].path).toHtmlEscaped()));
            else if (record) // else forgotten meanwhile
                trashed.push_back({*record, *moved[i]});
        }
        if (!stay.isEmpty())
            messages().show(
                {MessageKind::Error, stay.join(QStringLiteral("<br>")), {}, QStringLiteral("delete")});
        noteTrashed(trashed, removal.runs);
        if (!removal.runs.isEmpty()) m_services.runs.remove(removal.runs);
    };
    inBackground(this, move, take);
}

void ModelsPage::noteTrashed(const std::vector<ModelTrashCommand::One>& trashed, const QStringList& runs) {
    if (trashed.empty()) return;
    std::vector<core::ModelRecord> records;
    int files = 0;
    for (const ModelTrashCommand::One& one : trashed) {
        records.push_back(one.record);
        if (!one.trashed.empty()) ++files;
    }
    std::vector<int64_t> ids;
    for (const QString& folder : runs)
        if (const core::RunRecord* run = m_services.runs.find(folder)) ids.push_back(run->id);
    const auto count = static_cast<int>(trashed.size());
    const auto all = count + static_cast<int>(ids.size());
    const QString name = nameOf(records.front());
    const QString step = all == 1 ? tr("delete %1").arg(name) : tr("delete %n model(s)", nullptr, all);
    if (files == 0 && ids.empty()) {
        forgetAll(m_services, records, step);
        return Q_EMIT toast(count == 1 ? tr("%1 is forgotten.").arg(name)
                                       : tr("%n model(s) are forgotten.", nullptr, count));
    }
    for (const core::ModelRecord& record : records) m_services.models.forget(record.id);
    const auto sayFailed = [page = QPointer<ModelsPage>(this)](const QString& text) {
        if (page) page->messages().show({MessageKind::Error, text, {}, QStringLiteral("delete")});
    };
    m_services.undo.push(new ModelTrashCommand(m_services, trashed, sayFailed, step, ids));
    QStringList told;
    if (files > 0)
        told += count == 1 ? tr("%1 is in the trash.").arg(name)
                           : tr("%n model(s) are in the trash.", nullptr, files);
    if (files < count)
        told += count == 1 ? tr("%1 is forgotten.").arg(name)
                           : tr("%n model(s) are forgotten.", nullptr, count - files);
    Q_EMIT toast(told.join(' '));
}

} // namespace homebooth::app
