// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The previews of a run in a column or a row: one a saved step, the newest last. GUI thread.
#pragma once

#include "app/engine/runs/run_data.h"
#include "app/widgets/pictures/picture_list_model.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <set>

namespace homebooth::app {

class PreviewModel : public PictureListModel {
    Q_OBJECT
public:
    explicit PreviewModel(QObject* parent = nullptr);
    enum Role { StepRole = Qt::UserRole + 60 };
    void set(const std::vector<core::PreviewEvent>& previews);
    /// Of these steps the saved moments are favourites.
    void setFavourites(std::set<int64_t> steps);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<core::PreviewEvent> m_previews;
    std::set<int64_t> m_favourites;
};

} // namespace homebooth::app
