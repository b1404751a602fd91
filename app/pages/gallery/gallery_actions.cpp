// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the gallery does with the pictures that are chosen.
#include "app/library/picture_album.h"
#include "app/library/picture_clip.h"
#include "app/pages/gallery/gallery_page.h"

#include <memory>

namespace homebooth::app {

void GalleryPage::useChosen() {
    if (chosen().size() != 1) return;
    const core::PictureRecord& picture = m_model.at(chosen().front().row());
    Q_EMIT useSettings(QString::fromStdString(picture.parameters), QString::fromStdString(picture.modelPath));
}

void GalleryPage::trashChosen() {
    const QModelIndexList all = chosen();
    if (all.isEmpty()) return;
    std::vector<int64_t> ids;
    int next = m_model.rowCount();
    for (const QModelIndex& index : all) {
        ids.push_back(index.data(GalleryModel::IdRole).toLongLong());
        next = qMin(next, index.row());
    }
    // The picture after the deleted ones is chosen next.
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&m_model, &GalleryModel::reloaded, this, [this, next, once] {
        disconnect(*once);
        if (m_model.rowCount() > 0) chooseRow(qMin(next, m_model.rowCount() - 1));
    });
    m_services.album.trash(ids);
    Q_EMIT toast(tr("%n picture(s) in the trash.", nullptr, int(ids.size())));
}

void GalleryPage::toggleFavourite() {
    const QModelIndexList all = chosen();
    bool every = true;
    std::vector<int64_t> ids;
    for (const QModelIndex& index : all) every = every && index.data(FavouriteRole).toBool();
    for (const QModelIndex& index : all) // those that change, so that undo changes no others
        if (index.data(FavouriteRole).toBool() == every)
            ids.push_back(index.data(GalleryModel::IdRole).toLongLong());
    m_services.album.setFavourite(ids, !every);
}

void GalleryPage::copyChosen() {
    if (chosen().size() == 1) copyPicture(this, chosen().front().data(PathRole).toString());
}

bool GalleryPage::command(Command command) {
    switch (command) {
    case Command::Copy:
        copyChosen();
        return true;
    case Command::Delete:
        trashChosen();
        return true;
    case Command::LargeView:
        if (!chosen().isEmpty()) Q_EMIT largeWanted(chosen().front().data(PathRole).toString());
        return true;
    case Command::Favourite:
        toggleFavourite();
        return true;
    case Command::UseSettings:
        useChosen();
        return true;
    default:
        return false;
    }
}

} // namespace homebooth::app
