// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_model.h"

#include "app/library/library_service.h"

#include <QDateTime>
#include <QLocale>

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
    : QAbstractListModel(parent)
    , m_services(services) {}

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

void GalleryModel::set(const std::vector<core::PictureRecord>& pictures) {
    m_loaded = true;
    const auto sameKey = [](const core::PictureRecord& a, const core::PictureRecord& b) {
        return a.id == b.id;
    };
    // New pictures come at the front; then nothing else moves and the selection stays.
    const size_t more = pictures.size() > m_pictures.size() ? pictures.size() - m_pictures.size() : 0;
    const bool grown = pictures.size() >= m_pictures.size() &&
                       std::equal(m_pictures.begin(), m_pictures.end(),
                                  pictures.begin() + static_cast<std::ptrdiff_t>(more), sameKey);
    if (grown) {
        if (more > 0) beginInsertRows({}, 0, static_cast<int>(more) - 1);
        m_pictures = pictures;
        if (more > 0) endInsertRows();
        if (!m_pictures.empty())
            Q_EMIT dataChanged(index(0), index(static_cast<int>(m_pictures.size()) - 1), {FavouriteRole});
    } else {
        beginResetModel();
        m_pictures = pictures;
        endResetModel();
    }
    Q_EMIT reloaded();
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
        return QString::fromStdString(picture.prompt);
    case Qt::AccessibleTextRole:
        return picture.favourite ? tr("Favourite: %1").arg(QString::fromStdString(picture.prompt))
                                 : QString::fromStdString(picture.prompt);
    case PathRole:
        return QString::fromStdString(picture.path);
    case FavouriteRole:
        return picture.favourite;
    case IdRole:
        return QVariant::fromValue<qlonglong>(picture.id);
    default:
        return {};
    }
}

} // namespace homebooth::app
