// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures that match a filter, newest first, out of the library. Rows come and go one by one while
// they are few, so that views keep what is selected and in sight. There may be tens of thousands: of a few
// that changed no others are read, nor their files looked at. GUI thread.
#pragma once

#include "app/library/day_watch.h"
#include "app/library/file_watch.h"
#include "app/shell/services.h"
#include "app/widgets/pictures/picture_list_model.h"
#include "app/widgets/pictures/section_grid.h"
#include "core/library/picture_store.h"

#include <QDate>
#include <QSet>

#include <optional>
#include <utility>

namespace homebooth::app {

/// Where the pictures, newest first, begin a new heading. Those that are dated in the future have their own,
/// behind all others.
[[nodiscard]] std::vector<GridSection> sectionsByDate(const std::vector<core::PictureRecord>& pictures,
                                                      QDate today);

class GalleryModel : public PictureListModel {
    Q_OBJECT
public:
    enum Role { IdRole = RecordIdRole };
    explicit GalleryModel(Services services, QObject* parent = nullptr);

    void setFilter(const core::PictureFilter& filter);
    [[nodiscard]] const core::PictureFilter& filter() const { return m_filter; }
    void reload();
    /// Reads these alone, where others are there already; no names: all.
    void reload(const std::vector<int64_t>& ids);
    /// Takes pictures as they are, e.g. in tests.
    void set(std::vector<core::PictureRecord> pictures);
    [[nodiscard]] const core::PictureRecord& at(int row) const {
        return m_pictures[static_cast<size_t>(row)];
    }
    [[nodiscard]] bool loaded() const { return m_loaded; }
    /// Looks which files are there; `filesChanged` follows where that is news.
    void lookAtFiles();
    /// The same of those below these folders alone; no folders: of all.
    void lookAtFilesIn(const QStringList& folders);
    [[nodiscard]] bool gone(int row) const;
    [[nodiscard]] bool anyGone() const { return !m_files.gone.isEmpty(); }
    /// "Today", "Yesterday", "Last 7 days", then a month each.
    [[nodiscard]] std::vector<GridSection> sections() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void reloaded();
    void filesChanged(); ///< some came or went
    void filesGone();    ///< some went
    /// Something happened where the files are, which nobody has looked at yet.
    /// @param folders  none: anywhere
    void foldersChanged(const QStringList& folders);
    void dayChanged(); ///< what was of today is no more

private:
    /// Rows that go from the old pictures and come with the new ones, each from and to.
    struct Changes {
        std::vector<std::pair<int, int>> gone;
        std::vector<std::pair<int, int>> come;
    };
    /// Nothing where the order changed, or where reading all anew is cheaper.
    [[nodiscard]] std::optional<Changes> changesTo(const std::vector<core::PictureRecord>& pictures) const;
    void apply(const Changes& changes, const std::vector<core::PictureRecord>& pictures);
    /// @param ids  those that were asked for  @param found  what the library shows of them
    void takeSome(const std::vector<int64_t>& ids, std::vector<core::PictureRecord> found);

    Services m_services;
    core::PictureFilter m_filter;
    /// Folders that hold the pictures, and files that are not there.
    struct Files {
        QSet<QString> folders;
        QSet<QString> gone;
    };
    [[nodiscard]] static Files look(const QStringList& paths); // any thread
    void lookAt(const QStringList& paths);
    void take(const Files& files);

    std::vector<core::PictureRecord> m_pictures;
    Files m_files;
    DayWatch m_days{this};
    FileWatch m_watch{this}; ///< of the pictures' folders
    bool m_looking = false;
    bool m_lookAgain = false;
    bool m_loaded = false;
};

} // namespace homebooth::app
