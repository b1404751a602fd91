// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of the last clicks as they form: places that wait, rough views, finished ones. Those that the
// library hides leave their places and come back to them. GUI thread.
#pragma once

#include "app/widgets/pictures/picture_list_model.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "core/base/config/sample_config.h"
#include "core/library/picture_store.h"

#include <vector>

namespace homebooth::app {

class ResultModel : public PictureListModel {
    Q_OBJECT
public:
    enum Role { SeedRole = Qt::UserRole + 70, DoneRole };
    explicit ResultModel(Thumbnails& thumbnails, QObject* parent = nullptr);

    /// New places before those that are there. @param made  finished pictures, of the seeds before it; one
    /// without a name is gone, and has no place
    void begin(const core::SampleConfig& config, const QStringList& made = {});
    /// @param place  among the new ones of the last `begin`, from 0
    void showPreview(int place, int step, const QString& path);
    void finish(int place, const QString& path);
    void clear();
    /// Takes away the places that stayed empty.
    void end();
    [[nodiscard]] const core::SampleConfig& configOf(int row) const;

    /// Files of finished pictures, also of hidden ones.
    [[nodiscard]] std::vector<std::string> files() const;
    /// What the library has of `files`, in their order. @returns whether anything is another than before
    bool setStates(const std::vector<std::string>& files, const std::vector<core::PictureState>& states);
    /// Paths of the finished pictures that are seen.
    [[nodiscard]] QStringList paths() const;
    /// The row of a finished picture that is seen; -1: none.
    [[nodiscard]] int rowOf(const QString& path) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Item {
        int batch = 0; ///< counts the calls of `begin`
        int place = 0; ///< within its batch
        QString path;
        QString overlay;
        bool done = false;
        core::PictureState state;
        core::SampleConfig config; // with this picture's own seed
        [[nodiscard]] bool before(const Item& other) const {
            return batch != other.batch ? batch > other.batch : place < other.place;
        }
    };
    /// The row of a place of the last batch; -1: it is hidden, or there is none.
    [[nodiscard]] int rowOfPlace(int place) const;
    void hide(int row);
    void bringBack(size_t hidden);

    Thumbnails& m_thumbnails;
    std::vector<Item> m_items;  ///< in their order, newest batch first
    std::vector<Item> m_hidden; ///< in the library's trash
    int m_batch = 0;
    int m_made = 0; ///< places of the last batch that were finished when it began
    int m_steps = 0;
};

} // namespace homebooth::app
