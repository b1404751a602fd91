// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_model.h"

#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/thumbnails.h"
#include "app/widgets/plain_tip.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <limits>

namespace homebooth::app {

std::vector<GridSection> sectionsByDate(const std::vector<core::PictureRecord>& pictures, QDate today) {
    constexpr int kWeek = 7;
    std::vector<GridSection> sections;
    qint64 since = std::numeric_limits<qint64>::max(); // of the section that the last picture is in
    for (size_t row = 0; row < pictures.size(); ++row) {
        if (pictures[row].createdMs >= since) continue; // most rows: nothing is worked out for them
        const QDate day = QDateTime::fromMSecsSinceEpoch(pictures[row].createdMs).date();
        QDate first = qMin(day, today);
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
    connect(&m_watch, &FileWatch::changed, this, &GalleryModel::lookAtFiles);
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
    constexpr size_t kMostRanges = 24; // each lays the wall out anew
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

void GalleryModel::set(const std::vector<core::PictureRecord>& pictures) {
    m_loaded = true;
    if (const std::optional<Changes> changes = changesTo(pictures)) {
        apply(*changes, pictures);
    } else {
        beginResetModel();
        m_pictures = pictures;
        endResetModel();
    }
    lookAtFiles();
    Q_EMIT reloaded();
}

void GalleryModel::lookAtFiles() {
    m_lookAgain = m_looking;
    if (std::exchange(m_looking, true)) return; // then once more, with what is known by then
    QStringList paths;
    for (const core::PictureRecord& picture : m_pictures) paths.append(QString::fromStdString(picture.path));
    const auto look = [paths] {
        Files files;
        QSet<QString> folders;
        for (const QString& path : paths) {
            const QFileInfo file(path);
            if (!file.exists()) files.gone.insert(path);
            folders.insert(file.path());
        }
        files.folders = folders.values();
        return files;
    };
    inBackground(this, look, [this](const Files& files) { take(files); });
}

void GalleryModel::take(const Files& files) {
    m_looking = false;
    m_watch.set(files.folders);
    const QSet<QString> before = std::exchange(m_gone, files.gone);
    if (before != m_gone) {
        m_services.thumbnails.forgetAll(before - m_gone); // they are there again
        if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        Q_EMIT filesChanged();
    }
    if (m_lookAgain) lookAtFiles();
}

bool GalleryModel::gone(int row) const {
    return !m_gone.isEmpty() && m_gone.contains(QString::fromStdString(at(row).path));
}

std::vector<GridSection> GalleryModel::sections() const {
    return sectionsByDate(m_pictures, QDate::currentDate());
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
        if (gone(index.row())) return tr("%1, the file is gone").arg(QString::fromStdString(picture.prompt));
        return picture.favourite ? tr("Favourite: %1").arg(QString::fromStdString(picture.prompt))
                                 : QString::fromStdString(picture.prompt);
    case PathRole:
        return QString::fromStdString(picture.path);
    case GoneRole:
    case DimmedRole:
        return gone(index.row());
    case OverlayRole:
        return gone(index.row()) ? tr("The file is gone.") : QString();
    case FavouriteRole:
        return picture.favourite;
    case IdRole:
        return QVariant::fromValue<qlonglong>(picture.id);
    default:
        return {};
    }
}

} // namespace homebooth::app
