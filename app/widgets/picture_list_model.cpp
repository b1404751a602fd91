// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/picture_list_model.h"

#include "app/widgets/thumbnail_grid.h"

namespace homebooth::app {

Qt::ItemFlags PictureListModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    return index.data(PathRole).toString().isEmpty() ? flags : flags | Qt::ItemIsDragEnabled;
}

} // namespace homebooth::app
