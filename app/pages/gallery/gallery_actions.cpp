// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the gallery does with the pictures that are chosen.
#include "app/engine/places.h"
#include "app/library/background.h"
#include "app/library/file_copy.h"
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/gallery/gallery_page.h"
#include "app/widgets/file_dialog.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/picture_actions.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include <memory>

namespace homebooth::app {

void GalleryPage::useChosen() {
    if (chosen().size() != 1) return;
    const core::PictureRecord& picture = m_model.at(chosen().front().row());
    if (picture.parameters.empty())
        return messages().show({MessageKind::Note,
                                tr("The picture does not say how it was made."),
                                {},
                                QStringLiteral("settings")});
    Q_EMIT useSettings(QString::fromStdString(picture.parameters), QString::fromStdString(picture.modelPath));
}

void GalleryPage::trashChosen() {
    const QModelIndexList all = chosen();
    if (all.isEmpty()) return;
    int next = m_model.rowCount();
    for (const QModelIndex& index : all) next = qMin(next, index.row());
    // The picture after the deleted ones is chosen next.
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&m_model, &GalleryModel::reloaded, this, [this, next, once] {
        disconnect(*once);
        if (m_model.rowCount() > 0) chooseRow(qMin(next, m_model.rowCount() - 1));
    });
    Q_EMIT toast(trashPictures(m_services.album, all));
}

void GalleryPage::toggleFavourite() {
    toggleFavourites(m_services.album, chosen());
}

void GalleryPage::copyChosen() {
    if (chosen().size() == 1 && !chosenFiles().isEmpty())
        copyPicture(this, chosenFiles().front().data(PathRole).toString());
}

void GalleryPage::saveCopies() {
    QStringList files;
    for (const QModelIndex& index : chosenFiles()) files.append(index.data(PathRole).toString());
    if (files.isEmpty()) return;
    askForFile(this, {tr("Save a copy in"), QFileDialog::Directory},
               [this, files](const QString& folder) { copyTo(folder, files); });
}

void GalleryPage::copyTo(const QString& folder, const QStringList& files) {
    const auto copy = [folder, files]() -> core::Result<void> {
        for (const QString& file : files) {
            const QFileInfo from(file);
            HOMEBOOTH_CHECK(copyFile(file, freeFile(folder, from.completeBaseName(), from.suffix())));
        }
        return {};
    };
    const auto count = static_cast<int>(files.size());
    inBackground(this, copy, [this, folder, count](const core::Result<void>& copied) {
        const QString text = tr("%n picture(s) copied to %1.", nullptr, count).arg(folder.toHtmlEscaped());
        const QString key = QStringLiteral("copy");
        if (copied) return messages().show({MessageKind::Good, text, {}, key});
        messages().show({MessageKind::Error,
                         troubleText(tr("Not all pictures could be copied. Choose another folder."),
                                     QString::fromStdString(copied.error().text())),
                         {},
                         key});
    });
}

void GalleryPage::openFolder() {
    if (chosenFiles().isEmpty()) return;
    const QFileInfo file(chosenFiles().front().data(PathRole).toString());
    QDesktopServices::openUrl(QUrl::fromLocalFile(file.path()));
}

void GalleryPage::openMenu(const QPoint& place) {
    if (chosen().isEmpty()) return;
    const bool single = chosen().size() == 1;
    const bool file = single && !chosenFiles().isEmpty();
    openPictureMenu(
        *m_grid, place,
        {{tr("Large view"), QStringLiteral("zoom"), [this] { (void)command(Command::LargeView); }, file},
         {tr("Use settings"), QStringLiteral("reset"), [this] { useChosen(); }, single},
         {tr("Favourite"), QStringLiteral("favourite"), [this] { toggleFavourite(); }},
         {tr("Copy"), QStringLiteral("copy"), [this] { copyChosen(); }, file},
         {tr("Folder"), QStringLiteral("folder"), [this] { openFolder(); }, file},
         {tr("Save a copy..."), QStringLiteral("export"), [this] { saveCopies(); }, !chosenFiles().isEmpty()},
         {tr("Delete"), QStringLiteral("trash"), [this] { trashChosen(); }}});
}

bool GalleryPage::ready(Command command) const {
    switch (command) {
    case Command::Copy:
        return chosen().size() == 1 && !chosenFiles().isEmpty();
    case Command::LargeView:
    case Command::Export:
        return !chosenFiles().isEmpty();
    case Command::UseSettings:
        return chosen().size() == 1;
    case Command::Delete:
    case Command::Favourite:
        return m_grid->selectionModel()->hasSelection();
    default:
        return true;
    }
}

bool GalleryPage::command(Command command) {
    if (!offers(command)) return false;
    switch (command) {
    case Command::Copy:
        copyChosen();
        return true;
    case Command::Export:
        saveCopies();
        return true;
    case Command::Delete:
        trashChosen();
        return true;
    case Command::LargeView:
        Q_EMIT largeWanted(chosenFiles().front().data(PathRole).toString());
        return true;
    case Command::Favourite:
        toggleFavourite();
        return true;
    case Command::UseSettings:
        useChosen();
        return true;
    case Command::ZoomIn:
    case Command::ZoomOut:
    case Command::ZoomReset:
        zoom(command);
        return true;
    default:
        return false;
    }
}

} // namespace homebooth::app
