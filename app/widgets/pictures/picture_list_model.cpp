// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/pictures/picture_list_model.h"

#include "app/widgets/pictures/thumbnail_grid.h"

namespace homebooth::app {

Qt::ItemFlags PictureListModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    const bool file = !index.data(PathRole).toString().isEmpty() && !index.data(GoneRole).toBool();
    return file ? flags | Qt::ItemIsDragEnabled : flags;
}

} // namespace homebooth::app
