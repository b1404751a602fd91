// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/result_model.h"

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr size_t kMostKept = 400;
} // namespace

ResultModel::ResultModel(Thumbnails& thumbnails, QObject* parent)
    : PictureListModel(parent)
    , m_thumbnails(thumbnails) {}

void ResultModel::begin(const core::SampleConfig& config, const QStringList& made) {
    m_steps = static_cast<int>(config.steps);
    ++m_batch;
    m_made = static_cast<int>(made.size());
    const int count = m_made + static_cast<int>(config.count);
    std::vector<Item> fresh;
    for (int i = 0; i < count; ++i) {
        const bool done = i < m_made;
        if (done && made[i].isEmpty()) continue;
        Item item{m_batch, i, made.value(i), done ? QString() : tr("waiting"), done, {}, config};
        item.config.seed = config.seed - static_cast<uint64_t>(m_made) + static_cast<uint64_t>(i);
        item.config.count = 1;
        fresh.push_back(std::move(item));
    }
    if (fresh.empty()) return;
    beginInsertRows({}, 0, static_cast<int>(fresh.size()) - 1);
    m_items.insert(m_items.begin(), fresh.begin(), fresh.end());
    endInsertRows();
    if (m_items.size() <= kMostKept) return;
    beginRemoveRows({}, static_cast<int>(kMostKept), static_cast<int>(m_items.size()) - 1);
    m_items.resize(kMostKept);
    endRemoveRows();
}

int ResultModel::rowOfPlace(int place) const {
    for (size_t row = 0; row < m_items.size() && m_items[row].batch == m_batch; ++row)
        if (m_items[row].place == m_made + place) return static_cast<int>(row);
    return -1;
}

void ResultModel::showPreview(int place, int step, const QString& path) {
    const int row = rowOfPlace(place);
    if (row < 0 || m_items[static_cast<size_t>(row)].done) return;
    Item& item = m_items[static_cast<size_t>(row)];
    m_thumbnails.forget(path); // the file is written anew at every step
    item.path = path;
    item.overlay = tr("step %1 of %2").arg(step).arg(m_steps);
    Q_EMIT dataChanged(index(row), index(row));
}

void ResultModel::finish(int place, const QString& path) {
    const int row = rowOfPlace(place);
    if (row < 0) return;
    Item& item = m_items[static_cast<size_t>(row)];
    m_thumbnails.forget(path); // it may have the name of one that was deleted
    item.path = path;
    item.overlay.clear();
    item.done = true;
    Q_EMIT dataChanged(index(row), index(row));
}

void ResultModel::clear() {
    beginResetModel();
    m_items.clear();
    m_hidden.clear();
    endResetModel();
}

std::vector<std::string> ResultModel::files() const {
    std::vector<std::string> files;
    for (const std::vector<Item>* list : {&m_items, &m_hidden})
        for (const Item& item : *list)
            if (item.done) files.push_back(item.path.toStdString());
    return files;
}

bool ResultModel::setStates(const std::vector<std::string>& files,
                            const std::vector<core::PictureState>& states) {
    bool different = false;
    for (size_t i = 0; i < files.size() && i < states.size(); ++i) {
        const QString path = QString::fromStdString(files[i]);
        const auto hidden = std::find_if(m_hidden.begin(), m_hidden.end(),
                                         [&path](const Item& item) { return item.path == path; });
        const int row = hidden == m_hidden.end() ? rowOf(path) : -1;
        if (row < 0 && hidden == m_hidden.end()) continue; // gone meanwhile
        Item& item = row < 0 ? *hidden : m_items[static_cast<size_t>(row)];
        if (item.state == states[i]) continue;
        different = true;
        item.state = states[i];
        if (row < 0 && !item.state.trashed)
            bringBack(static_cast<size_t>(hidden - m_hidden.begin()));
        else if (row >= 0 && item.state.trashed)
            hide(row);
        else if (row >= 0)
            Q_EMIT dataChanged(index(row), index(row));
    }
    return different;
}

void ResultModel::hide(int row) {
    beginRemoveRows({}, row, row);
    m_hidden.push_back(std::move(m_items[static_cast<size_t>(row)]));
    m_items.erase(m_items.begin() + row);
    endRemoveRows();
}

void ResultModel::bringBack(size_t hidden) {
    Item item = std::move(m_hidden[hidden]);
    m_hidden.erase(m_hidden.begin() + static_cast<std::ptrdiff_t>(hidden));
    const auto at = std::find_if(m_items.begin(), m_items.end(),
                                 [&item](const Item& other) { return item.before(other); });
    const int row = static_cast<int>(at - m_items.begin());
    beginInsertRows({}, row, row);
    m_items.insert(at, std::move(item));
    endInsertRows();
}

QStringList ResultModel::paths() const {
    QStringList paths;
    for (const Item& item : m_items)
        if (item.done) paths.append(item.path);
    return paths;
}

int ResultModel::rowOf(const QString& path) const {
    for (size_t row = 0; row < m_items.size(); ++row)
        if (m_items[row].done && m_items[row].path == path) return static_cast<int>(row);
    return -1;
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
        return !item.done             ? tr("Picture, %1").arg(item.overlay)
               : item.state.favourite ? tr("Favourite: picture, seed %1").arg(item.config.seed)
                                      : tr("Picture, seed %1").arg(item.config.seed);
    case PathRole:
        return item.path;
    case OverlayRole:
        return item.overlay;
    case SeedRole:
        return QVariant::fromValue<qulonglong>(item.config.seed);
    case DoneRole:
        return item.done;
    case FavouriteRole:
        return item.state.favourite;
    case RecordIdRole:
        return QVariant::fromValue<qlonglong>(item.state.id);
    default:
        return {};
    }
}

} // namespace homebooth::app
