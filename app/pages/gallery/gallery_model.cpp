// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/gallery/gallery_model.h"

#include "app/library/library_service.h"

#include <algorithm>

namespace homebooth::app {

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
