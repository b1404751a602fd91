// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What takes long on the page Datasets: copying a folder into Homebooth, reading a large one and finding
// missing pictures again, each with the count of pictures and a way to stop.
#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/settings/settings.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/progress_message.h"
#include "app/widgets/room_message.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <memory>

namespace homebooth::app {
namespace {

constexpr int kLongMs = 700; // what is read sooner is not told

/// A copy's folder within another, if it is free.
QString copyFolderIn(const QString& folder, const QString& from) {
    return folder + '/' + safeFileName(QFileInfo(from).fileName());
}

QString numberOf(int count) {
    return QLocale().toString(count);
}

} // namespace

void DatasetsPage::copyFolder(const QString& folder) {
    const QString from = QDir(folder).absolutePath();
    const QString home = m_services.settings.text(keys::kHome) + QStringLiteral("/datasets");
    copyOn({from, copyFolderIn(home, from)});
}

void DatasetsPage::copyOn(const DatasetCopy& copy) {
    const auto count = std::make_shared<WorkCount>();
    const auto text = [name = QFileInfo(copy.from).fileName(), to = QFileInfo(copy.to).path()](int done,
                                                                                               int total) {
        const QString going = tr("Copying %1 to %2...").arg(name, to);
        if (total == 0) return going.toHtmlEscaped();
        return going.toHtmlEscaped() + QStringLiteral("<br>") +
               tr("%1 of %2 pictures").arg(numberOf(done), numberOf(total)).toHtmlEscaped();
    };
    const QString key = QStringLiteral("copy ") + copy.from; // several may be copied at once
    const QPointer progress = new ProgressMessage(messages(), key, count, text);
    inBackground(
        this,
        [copy, count] { return copy.goOn ? copyDataset(copy, *count) : copyDatasetWhereFree(copy, *count); },
        [this, copy, key, progress](const core::Result<DatasetCopied>& copied) {
            if (progress) progress->end();
            if (!copied) return tellTrouble(tr("The folder could not be copied."), copied.error(), key);
            if (copied->full) return tellFull(copy, *copied);
            tellCopied(copy, *copied);
        });
}

void DatasetsPage::tellCopied(const DatasetCopy& copy, const DatasetCopied& copied) {
    if (!copied.stopped) return addFolder(copied.to);
    if (copied.pictures > 0) addFolder(copied.to);
    const QString text = copied.pictures == 0
                             ? tr("Stopped. Nothing was copied.")
                             : tr("Stopped. %1 of %2 pictures were copied, with their captions.")
                                   .arg(numberOf(copied.pictures), numberOf(copied.ofPictures));
    messages().show({MessageKind::Note, text.toHtmlEscaped(), {}, QStringLiteral("copy ") + copy.from});
}

void DatasetsPage::tellFull(const DatasetCopy& copy, const DatasetCopied& copied) {
    RoomMessage message;
    message.folder = QFileInfo(copied.to).path();
    message.shortage = *copied.full;
    message.key = QStringLiteral("copy ") + copy.from;
    const bool some = copied.pictures > 0;
    message.kept =
        some ? tr("%1 of %2 pictures are copied.").arg(numberOf(copied.pictures), numberOf(copied.ofPictures))
             : tr("Nothing was copied.");
    // Where nothing was copied no folder was left: a free one is looked for again.
    const DatasetCopy on{copy.from, some ? copied.to : copy.to, some, copy.before};
    message.remedies.push_back({tr("Continue"), [this, on] { copyOn(on); }});
    if (some) message.remedies.push_back({tr("Keep these"), [this, on] { keepCopied(on); }});
    tellNoRoom(*this, messages(), message, [this, on](const QString& folder) {
        // In one folder again: what was copied goes when the others are where they should be.
        copyOn({on.from, copyFolderIn(folder, on.from), false,
                on.goOn ? on.before + QStringList(on.to) : on.before});
    });
}

void DatasetsPage::keepCopied(const DatasetCopy& copy) {
    const auto count = std::make_shared<WorkCount>();
    count->stopped = true; // so that nothing more is copied
    inBackground(
        this, [copy, count] { return copyDataset(copy, *count); },
        [this, copy](const core::Result<DatasetCopied>& kept) {
            if (kept && !kept->full) return tellCopied(copy, *kept);
            addFolder(copy.to); // what metadata.jsonl says of others is shown as missing
        });
}

void DatasetsPage::findBelow(const QString& search) {
    const auto count = std::make_shared<WorkCount>();
    const auto text = [search](int done, int total) {
        return tr("Looking through %1: %2 of %3 pictures found...")
            .arg(search, numberOf(done), numberOf(total))
            .toHtmlEscaped();
    };
    const QPointer progress = new ProgressMessage(messages(), QStringLiteral("finding"), count, text);
    inBackground(
        this,
        [search, count, folder = m_model.folder(), items = m_model.items()] {
            return findMissing(folder, items, search, count.get());
        },
        [this, count, progress, folder = m_model.folder()](int found) {
            if (progress) progress->end();
            const QString none = count->stopped ? tr("Stopped. None of these pictures was found by then.")
                                                : tr("None of these pictures lies there whole.");
            messages().show({found > 0 ? MessageKind::Good : MessageKind::Caution,
                             found > 0 ? tr("%n picture(s) found and copied.", nullptr, found) : none,
                             {},
                             QStringLiteral("missing")});
            if (m_model.folder() == folder) m_model.rescan(); // which tells what has other content now
        });
}

void DatasetsPage::connectReading() {
    connect(&m_model, &DatasetModel::reading, this, [this](const std::shared_ptr<WorkCount>& count) {
        if (m_reading) m_reading->end();
        m_unreadable = false;
        const auto text = [](int done, int total) {
            if (total == 0) return tr("Looking into the folder...").toHtmlEscaped();
            return tr("Reading %1 of %2 pictures...").arg(numberOf(done), numberOf(total)).toHtmlEscaped();
        };
        m_reading = new ProgressMessage(messages(), QStringLiteral("reading"), count, text, kLongMs);
    });
    connect(&m_model, &DatasetModel::read, this, [this] {
        if (m_reading) m_reading->end();
        m_reading.clear();
    });
    connect(&m_model, &DatasetModel::stopped, this, [this](int pictures, int ofPictures) {
        const QString text = tr("Stopped. %1 of %2 pictures are shown; a training learns all of them.")
                                 .arg(numberOf(pictures), numberOf(ofPictures));
        messages().show({MessageKind::Note,
                         text.toHtmlEscaped(),
                         {{tr("Read the rest"),
                           [this] {
                               messages().drop(QStringLiteral("stopped"));
                               m_model.rescan();
                           }}},
                         QStringLiteral("stopped")});
    });
    connect(&m_model, &DatasetModel::read, this, [this] { messages().drop(QStringLiteral("stopped")); });
}

} // namespace homebooth::app
