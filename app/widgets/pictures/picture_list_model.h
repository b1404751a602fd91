// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A list of pictures for the grids: what has a file may be dragged to other programs. GUI thread.
#pragma once

#include <QAbstractListModel>

namespace homebooth::app {

class PictureListModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
};

} // namespace homebooth::app
