// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of the last clicks as they form: places that wait, rough views, finished ones. GUI thread.
#pragma once

#include "app/widgets/thumbnail_grid.h"
#include "core/base/config/sample_config.h"

#include <QAbstractListModel>

#include <vector>

namespace homebooth::app {

class ResultModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { SeedRole = Qt::UserRole + 70, DoneRole };
    explicit ResultModel(Thumbnails& thumbnails, QObject* parent = nullptr);

    /// New places before those that are there.
    void begin(const core::SampleConfig& config);
    void showPreview(int index, int step, const QString& path);
    void finish(int index, const QString& path);
    void clear();
    /// Takes away the places that stayed empty.
    void end();
    [[nodiscard]] QModelIndex place(int index) const { return this->index(index); }
    [[nodiscard]] const core::SampleConfig& configOf(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Item {
        QString path;
        QString overlay;
        bool done = false;
        core::SampleConfig config; // with this picture's own seed
    };
    Thumbnails& m_thumbnails;
    std::vector<Item> m_items;
    int m_steps = 0;
};

} // namespace homebooth::app
