// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_model.h"

#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/thumbnails.h"
#include "app/widgets/plain_tip.h"
#include "core/base/text/generation_parameters.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace homebooth::app {
namespace {
constexpr size_t kMostRanges = 24; // each lays the wall out anew
/// Of more, which come when the wall opens, all files are looked at in the background: to find those of these
/// folders each picture is compared with each folder on the window's thread.
constexpr qsizetype kMostFolders = 8;

/// When what is dated later is of no day so far.
qint64 endOfDay(QDate day) {
    return day.addDays(1).startOfDay().toMSecsSinceEpoch();
}

/// Its prompt, and what parts it from others of the same prompt.
QString spokenName(const core::PictureRecord& picture) {
    const QString prompt = QString::fromStdString(picture.prompt);
    const auto seed = core::parseGenerationParameters(picture.parameters).seed;
    return seed ? GalleryModel::tr("%1, seed %2").arg(prompt, QString::number(*seed)) : prompt;
}

} // namespace

std::vector<GridSection> sectionsByDate(const std::vector<core::PictureRecord>& pictures, QDate today) {
    constexpr int kWeek = 7;
    std::vector<GridSection> sections;
    qint64 since = std::numeric_limits<qint64>::max(); // of the section that the last picture is in
    const qint64 end = endOfDay(today);
    bool later = false;
    for (size_t row = 0; row < pictures.size(); ++row) {
        if (pictures[row].createdMs >= end) { // the clock was wrong
            if (!std::exchange(later, true))
                sections.push_back({static_cast<int>(row), GalleryModel::tr("Dated in the future")});
            continue;
        }
        if (pictures[row].createdMs >= since) continue; // most rows: nothing is worked out for them
        const QDate day = QDateTime::fromMSecsSinceEpoch(pictures[row].createdMs).date();
        QDate first = day;
        QString title = GalleryModel::tr("Today");
        if (day == today.addDays(-1)) {
            title = GalleryModel::tr("Yesterday");
        } else if (day < today.addDays(-1) && day > today.addDays(-kWeek)) {
            title = GalleryModel::tr("Last 7 days");
            first = today.addDays(1 - kWeek);
        } else if (day < today) {
            title = QLocale().standaloneMonthName(day.month()) + QStringLiteral(" %1").arg(day.year());
            first = QDate(day.year(), day.month(), 1);
        }
        since = first.startOfDay().toMSecsSinceEpoch();
        sections.push_back({static_cast<int>(row), title});
    }
    return sections;
}

GalleryModel::GalleryModel(Services services, QObject* parent)
    : PictureListModel(parent)
    , m_services(services) {
    connect(&m_watch, &FileWatch::changed, this, &GalleryModel::foldersChanged);
    connect(&m_watch, &FileWatch::begun, this, &GalleryModel::foldersChanged); // looked at before
    connect(&m_days, &DayWatch::changed, this, [this] {
        // What was dated in the future may be of today, or the other way round where the clock was set.
        std::vector<core::PictureRecord> pictures = m_pictures;
        std::sort(pictures.begin(), pictures.end(), [](const auto& one, const auto& other) {
            return std::tuple(one.createdMs, one.id) > std::tuple(other.createdMs, other.id);
        });
        if (m_loaded) set(std::move(pictures));
        Q_EMIT dayChanged();
    });
}

void GalleryModel::setFilter(const core::PictureFilter& filter) {
    m_filter = filter;
    reload();
}

void GalleryModel::reload() {
    constexpr int64_t kAll = int64_t{1} << 40;
    m_services.library.ask<std::vector<core::PictureRecord>>(
        this,
        [filter = m_filter](core::Library& library) { return core::findPictures(library, filter, 0, kAll); },
        [this](const std::vector<core::PictureRecord>& pictures) { set(pictures); });
}

void GalleryModel::reload(const std::vector<int64_t>& ids) {
    if (!m_loaded || ids.empty() || ids.size() > kMostRanges) return reload();
    m_services.library.ask<std::vector<core::PictureRecord>>(
        this,
        [filter = m_filter, ids](core::Library& library) {
            return core::findPicturesOf(library, filter, ids);
        },
        [this, ids](const std::vector<core::PictureRecord>& found) { takeSome(ids, found); });
}

namespace {

using Ranges = std::vector<std::pair<int, int>>;

QSet<qint64> keysOf(const std::vector<core::PictureRecord>& pictures) {
    QSet<qint64> keys;
    keys.reserve(static_cast<qsizetype>(pictures.size()));
    for (const core::PictureRecord& picture : pictures) keys.insert(picture.id);
    return keys;
}

/// Of the pictures whose keys are not among these.
Ranges rangesWithout(const std::vector<core::PictureRecord>& pictures, const QSet<qint64>& keys) {
    Ranges ranges;
    for (int row = 0; row < static_cast<int>(pictures.size()); ++row) {
        if (keys.contains(pictures[static_cast<size_t>(row)].id)) continue;
        if (!ranges.empty() && ranges.back().second == row - 1)
            ranges.back().second = row;
        else
            ranges.emplace_back(row, row);
    }
    return ranges;
}

/// Whether the keys that both have stand in the same order.
bool sameOrder(const std::vector<core::PictureRecord>& before, const QSet<qint64>& beforeKeys,
               const std::vector<core::PictureRecord>& after, const QSet<qint64>& afterKeys) {
    size_t next = 0;
    for (const core::PictureRecord& picture : after) {
        if (!beforeKeys.contains(picture.id)) continue;
        while (next < before.size() && !afterKeys.contains(before[next].id)) ++next;
        if (next == before.size() || before[next++].id != picture.id) return false;
    }
    return true;
}

} // namespace

std::optional<GalleryModel::Changes>
GalleryModel::changesTo(const std::vector<core::PictureRecord>& pictures) const {
    const QSet<qint64> before = keysOf(m_pictures);
    const QSet<qint64> after = keysOf(pictures);
    Changes changes{rangesWithout(m_pictures, after), rangesWithout(pictures, before)};
    const bool few = changes.gone.size() + changes.come.size() <= kMostRanges;
    const bool unique = before.size() == static_cast<qsizetype>(m_pictures.size()) &&
                        after.size() == static_cast<qsizetype>(pictures.size());
    if (!few || !unique || !sameOrder(m_pictures, before, pictures, after)) return std::nullopt;
    return changes;
}

void GalleryModel::apply(const Changes& changes, const std::vector<core::PictureRecord>& pictures) {
    for (auto range = changes.gone.crbegin(); range != changes.gone.crend(); ++range) {
        beginRemoveRows({}, range->first, range->second);
        m_pictures.erase(m_pictures.begin() + range->first, m_pictures.begin() + range->second + 1);
        endRemoveRows();
    }
    for (const auto& [from, to] : changes.come) {
        beginInsertRows({}, from, to);
        m_pictures.insert(m_pictures.begin() + from, pictures.begin() + from, pictures.begin() + to + 1);
        endInsertRows();
    }
    int first = -1;
    int last = -1;
    for (int row = 0; row < static_cast<int>(pictures.size()); ++row) {
        if (m_pictures[static_cast<size_t>(row)] == pictures[static_cast<size_t>(row)]) continue;
        m_pictures[static_cast<size_t>(row)] = pictures[static_cast<size_t>(row)];
        first = first < 0 ? row : first;
        last = row;
    }
    if (first >= 0) Q_EMIT dataChanged(index(first), index(last));
}

void GalleryModel::set(std::vector<core::PictureRecord> pictures) {
    m_loaded = true;
    const auto known = [end = endOfDay(m_days.today())](const core::PictureRecord& one) {
        return one.createdMs < end;
    };
    std::stable_partition(pictures.begin(), pictures.end(), known); // else they would be the newest for years
    if (const std::optional<Changes> changes = changesTo(pictures)) {
        apply(*changes, pictures);
    } else {
        beginResetModel();
        m_pictures = std::move(pictures);
        endResetModel();
    }
    lookAtFiles();
    Q_EMIT reloaded();
}

void GalleryModel::takeSome(const std::vector<int64_t>& ids, std::vector<core::PictureRecord> found) {
    QStringList paths;
    for (const core::PictureRecord& one : found) paths.append(QString::fromStdString(one.path));
    for (int row = rowCount() - 1; row >= 0; --row) {
        core::PictureRecord& here = m_pictures[static_cast<size_t>(row)];
        const auto now = std::find_if(found.begin(), found.end(), [&here](const auto& one) {
            return one.id == here.id || one.path == here.path; // a new one may have an old one's place
        });
        if (now != found.end() && now->id == here.id && now->createdMs == here.createdMs) {
            here = std::move(*now);
            found.erase(now);
            Q_EMIT dataChanged(index(row), index(row));
        } else if (now != found.end() || std::find(ids.begin(), ids.end(), here.id) != ids.end()) {
            beginRemoveRows({}, row, row);
            m_pictures.erase(m_pictures.begin() + row);
            endRemoveRows();
        }
    }
    const auto newer = [end = endOfDay(m_days.today())](const core::PictureRecord& one,
                                                        const core::PictureRecord& other) {
        return std::tuple(one.createdMs < end, one.createdMs, one.id) >
               std::tuple(other.createdMs < end, other.createdMs, other.id);
    };
    for (core::PictureRecord& one : found) {
        const auto place = std::lower_bound(m_pictures.begin(), m_pictures.end(), one, newer);
        const int row = static_cast<int>(place - m_pictures.begin());
        beginInsertRows({}, row, row);
        m_pictures.insert(place, std::move(one));
        endInsertRows();
    }
    lookAt(paths);
    Q_EMIT reloaded();
}

GalleryModel::Files GalleryModel::look(const QStringList& paths) {
    Files files;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (!file.exists()) files.gone.insert(path);
        files.folders.insert(file.path());
    }
    return files;
}

void GalleryModel::lookAtFiles() {
    m_lookAgain = m_looking;
    if (std::exchange(m_looking, true)) return; // then once more, with what is known by then
    QStringList paths;
    for (const core::PictureRecord& picture : m_pictures) paths.append(QString::fromStdString(picture.path));
    const auto takeAll = [this](const Files& files) {
        m_looking = false;
        take(files);
        if (m_lookAgain) lookAtFiles();
    };
    inBackground(
        this, [paths] { return look(paths); }, takeAll, &lookPool());
}

void GalleryModel::lookAtFilesIn(const QStringList& folders) {
    if (folders.isEmpty() || folders.size() > kMostFolders) return lookAtFiles();
    std::vector<std::string> begins;
    for (const QString& folder : folders)
        begins.push_back((folder.endsWith('/') ? folder : folder + '/').toStdString());
    QStringList paths;
    for (const core::PictureRecord& picture : m_pictures)
        if (std::any_of(begins.begin(), begins.end(),
                        [&picture](const std::string& begin) { return picture.path.starts_with(begin); }))
            paths.append(QString::fromStdString(picture.path));
    lookAt(paths);
}

void GalleryModel::lookAt(const QStringList& paths) {
    if (paths.isEmpty()) return;
    m_lookAgain = m_looking;
    if (m_looking) return; // all are looked at now, perhaps without what is new of these: then once more
    const auto takeThese = [this, paths](const Files& files) {
        Files all = m_files;
        all.folders.unite(files.folders);
        for (const QString& path : paths) all.gone.remove(path);
        take({all.folders, all.gone.unite(files.gone)});
    };
    inBackground(
        this, [paths] { return look(paths); }, takeThese, &lookPool());
}

void GalleryModel::take(const Files& files) {
    m_watch.set(files.folders.values());
    const Files before = std::exchange(m_files, files);
    if (before.gone == files.gone) return;
    m_services.thumbnails.forgetAll(before.gone - files.gone); // they are there again
    if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    Q_EMIT filesChanged();
    if (!(files.gone - before.gone).isEmpty()) Q_EMIT filesGone();
}

bool GalleryModel::gone(int row) const {
    return !m_files.gone.isEmpty() && m_files.gone.contains(QString::fromStdString(at(row).path));
}

std::vector<GridSection> GalleryModel::sections() const {
    return sectionsByDate(m_pictures, m_days.today());
}

int GalleryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_pictures.size());
}

QVariant GalleryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::PictureRecord& picture = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(picture.prompt);
    case Qt::ToolTipRole:
        return plainTip(QString::fromStdString(picture.prompt));
    case Qt::AccessibleTextRole:
        if (gone(index.row())) return tr("%1, the file is gone").arg(spokenName(picture));
        return picture.favourite ? tr("Favourite: %1").arg(spokenName(picture)) : spokenName(picture);
    case PathRole:
        return QString::fromStdString(picture.path);
    case GoneRole:
    case DimmedRole:
        return gone(index.row());
    case OverlayRole:
        if (gone(index.row())) return tr("The file is gone.");
        return m_services.thumbnails.unreadableFile(QString::fromStdString(picture.path))
                   ? tr("The file cannot be opened.")
                   : QString();
    case FavouriteRole:
        return picture.favourite;
    case IdRole:
        return QVariant::fromValue<qlonglong>(picture.id);
    default:
        return {};
    }
}

} // namespace homebooth::app
