// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/result_model.h"

namespace homebooth::app {
namespace {
constexpr size_t kMostKept = 400;
} // namespace

ResultModel::ResultModel(Thumbnails& thumbnails, QObject* parent)
    : QAbstractListModel(parent)
    , m_thumbnails(thumbnails) {}

void ResultModel::begin(const core::SampleConfig& config) {
    m_steps = static_cast<int>(config.steps);
    const int count = static_cast<int>(config.count);
    beginInsertRows({}, 0, count - 1);
    std::vector<Item> fresh;
    for (int i = 0; i < count; ++i) {
        Item item{{}, tr("waiting"), false, config};
        item.config.seed = config.seed + static_cast<uint64_t>(i);
        item.config.count = 1;
        fresh.push_back(std::move(item));
    }
    m_items.insert(m_items.begin(), fresh.begin(), fresh.end());
    endInsertRows();
    if (m_items.size() <= kMostKept) return;
    beginRemoveRows({}, static_cast<int>(kMostKept), static_cast<int>(m_items.size()) - 1);
    m_items.resize(kMostKept);
    endRemoveRows();
}

void ResultModel::showPreview(int index, int step, const QString& path) {
    if (index < 0 || index >= static_cast<int>(m_items.size()) || m_items[static_cast<size_t>(index)].done)
        return;
    Item& item = m_items[static_cast<size_t>(index)];
    m_thumbnails.forget(path); // the file is written anew at every step
    item.path = path;
    item.overlay = tr("step %1 of %2").arg(step).arg(m_steps);
    Q_EMIT dataChanged(this->index(index), this->index(index));
}

void ResultModel::finish(int index, const QString& path) {
    if (index < 0 || index >= static_cast<int>(m_items.size())) return;
    Item& item = m_items[static_cast<size_t>(index)];
    item.path = path;
    item.overlay.clear();
    item.done = true;
    Q_EMIT dataChanged(this->index(index), this->index(index));
}

void ResultModel::clear() {
    beginResetModel();
    m_items.clear();
    endResetModel();
}

void ResultModel::end() {
    for (int row = static_cast<int>(m_items.size()) - 1; row >= 0; --row) {
        if (m_items[static_cast<size_t>(row)].done) continue;
        beginRemoveRows({}, row, row);
        m_items.erase(m_items.begin() + row);
        endRemoveRows();
    }
}

const core::SampleConfig& ResultModel::configOf(int row) const {
    return m_items[static_cast<size_t>(row)].config;
}

int ResultModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_items.size());
}

QVariant ResultModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Item& item = m_items[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return tr("seed %1").arg(item.config.seed);
    case Qt::AccessibleTextRole:
        return item.done ? tr("Picture, seed %1").arg(item.config.seed) : tr("Picture, %1").arg(item.overlay);
    case PathRole:
        return item.path;
    case OverlayRole:
        return item.overlay;
    case SeedRole:
        return QVariant::fromValue<qulonglong>(item.config.seed);
    case DoneRole:
        return item.done;
    default:
        return {};
    }
}

} // namespace homebooth::app
