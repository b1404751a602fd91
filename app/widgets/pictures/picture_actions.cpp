// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/picture_actions.h"

#include "app/library/picture_album.h"
#include "app/theme/icons.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <QMenu>

#include <algorithm>

namespace homebooth::app {

void toggleFavourites(PictureAlbum& album, const QModelIndexList& chosen) {
    const bool every = std::all_of(chosen.begin(), chosen.end(), [](const QModelIndex& index) {
        return index.data(FavouriteRole).toBool();
    });
    std::vector<int64_t> ids;
    for (const QModelIndex& index : chosen) { // those that change, so that undo changes no others
        const int64_t id = index.data(RecordIdRole).toLongLong();
        if (id != 0 && index.data(FavouriteRole).toBool() == every) ids.push_back(id);
    }
    album.setFavourite(ids, !every);
}

QString trashPictures(PictureAlbum& album, const QModelIndexList& chosen) {
    std::vector<int64_t> ids;
    for (const QModelIndex& index : chosen)
        if (const int64_t id = index.data(RecordIdRole).toLongLong(); id != 0) ids.push_back(id);
    if (ids.empty()) return {};
    album.trash(ids);
    return PictureAlbum::trashedText(static_cast<int>(ids.size()));
}

void openPictureMenu(QWidget& owner, const QPoint& place, const std::vector<PictureAction>& actions) {
    auto* menu = new QMenu(&owner);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const PictureAction& one : actions) {
        QAction* action = menu->addAction(icon(one.icon), one.text, &owner, one.run);
        action->setEnabled(one.enabled);
    }
    menu->popup(place);
}

} // namespace homebooth::app
