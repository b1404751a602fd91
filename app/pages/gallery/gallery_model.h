// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures that match a filter, newest first, out of the library. A change of the library keeps what is
// selected. GUI thread.
#pragma once

#include "app/shell/services.h"
#include "app/widgets/thumbnail_grid.h"
#include "core/library/picture_store.h"

#include <QAbstractListModel>

namespace homebooth::app {

class GalleryModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { IdRole = Qt::UserRole + 80 };
    explicit GalleryModel(Services services, QObject* parent = nullptr);

    void setFilter(const core::PictureFilter& filter);
    [[nodiscard]] const core::PictureFilter& filter() const { return m_filter; }
    void reload();
    /// Takes pictures as they are, e.g. in tests.
    void set(const std::vector<core::PictureRecord>& pictures);
    [[nodiscard]] const core::PictureRecord& at(int row) const {
        return m_pictures[static_cast<size_t>(row)];
    }
    [[nodiscard]] bool loaded() const { return m_loaded; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void reloaded();

private:
    Services m_services;
    core::PictureFilter m_filter;
    std::vector<core::PictureRecord> m_pictures;
    bool m_loaded = false;
};

} // namespace homebooth::app
