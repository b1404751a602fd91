// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/preview_strip.h"

#include "app/engine/figures.h"

namespace homebooth::app {

PreviewModel::PreviewModel(QObject* parent)
    : PictureListModel(parent) {}

void PreviewModel::set(const std::vector<core::PreviewEvent>& previews) {
    const auto known = static_cast<int>(m_previews.size());
    const auto now = static_cast<int>(previews.size());
    const bool grown =
        now >= known && std::equal(m_previews.begin(), m_previews.end(), previews.begin(),
                                   [](const core::PreviewEvent& a, const core::PreviewEvent& b) {
                                       return a.step == b.step && a.path == b.path;
                                   });
    if (grown && now == known) return;
    if (grown) {
        beginInsertRows({}, known, now - 1);
        m_previews = previews;
        endInsertRows();
        return;
    }
    beginResetModel();
    m_previews = previews;
    endResetModel();
}

void PreviewModel::setFavourites(std::set<int64_t> steps) {
    if (steps == m_favourites) return;
    m_favourites = std::move(steps);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {FavouriteRole});
}

int PreviewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_previews.size());
}

QVariant PreviewModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const core::PreviewEvent& preview = m_previews[static_cast<size_t>(index.row())];
    const QString step = countText(preview.step);
    switch (role) {
    case Qt::DisplayRole:
        return tr("step %1").arg(step);
    case Qt::AccessibleTextRole: // else those of one step sound alike
        return preview.index > 0 ? tr("step %1, picture %2").arg(step).arg(preview.index + 1)
                                 : tr("step %1").arg(step);
    case PathRole:
        return QString::fromStdString(preview.path);
    case FavouriteRole:
        return m_favourites.contains(preview.step);
    case StepRole:
        return QVariant::fromValue<qlonglong>(preview.step);
    default:
        return {};
    }
}

} // namespace homebooth::app
