// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_table.h"

#include "app/pages/datasets/dataset_model.h"
#include "app/pages/datasets/figures/dataset_stats.h"
#include "core/media/picture_list.h"

#include <QCollator>
#include <QFileInfo>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>

namespace homebooth::app {
namespace {

QString nameOf(const DatasetItem& item) {
    return QFileInfo(item.path).fileName();
}

qint64 areaOf(const DatasetItem& item) {
    return qint64{item.widthPixels} * item.heightPixels;
}

QString tagTextOf(const DatasetItem& item) {
    return tagsOf(item.caption).join(QStringLiteral(", "));
}

/// The rows of a model in the order of their keys. Each key is made once: of many rows one is compared about
/// twenty times.
template <class KeyOf, class Less = std::less<>>
std::vector<int> rowsBy(const DatasetModel& model, Qt::SortOrder order, const KeyOf& keyOf,
                        const Less& less = {}) {
    std::vector<int> rows(static_cast<size_t>(model.rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<std::invoke_result_t<KeyOf, const DatasetItem&>> keys;
    keys.reserve(rows.size());
    for (const int row : rows) keys.push_back(keyOf(model.at(row)));
    const auto before = [&](int a, int b) {
        return less(keys[static_cast<size_t>(a)], keys[static_cast<size_t>(b)]);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](int a, int b) { return order == Qt::AscendingOrder ? before(a, b) : before(b, a); });
    return rows;
}

} // namespace

DatasetTable::DatasetTable(DatasetModel& source, QObject* parent)
    : QAbstractTableModel(parent)
    , m_source(source) {
    connect(&source, &QAbstractItemModel::modelReset, this, [this] {
        beginResetModel();
        arrange();
        endResetModel();
    });
    connect(&source, &QAbstractItemModel::dataChanged, this, [this] {
        if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
    arrange();
}

void DatasetTable::arrange() {
    const auto by = [this](const auto& keyOf, const auto&... less) {
        m_rows = rowsBy(m_source, m_order, keyOf, less...);
    };
    const QCollator words;
    switch (m_column) {
    case Size:
        return by(areaOf);
    case Words:
        return by([](const DatasetItem& item) { return wordsOf(item.caption); });
    case Tags:
        return by([&words](const DatasetItem& item) { return words.sortKey(tagTextOf(item)); });
    case Caption:
        return by([&words](const DatasetItem& item) { return words.sortKey(item.caption); });
    default:
        return by([](const DatasetItem& item) { return nameOf(item).toStdString(); }, core::naturallyLess);
    }
}

void DatasetTable::sort(int column, Qt::SortOrder order) {
    m_column = column < 0 ? File : column;
    m_order = order;
    Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<int> before = m_rows;
    arrange();
    QModelIndexList to;
    for (const QModelIndex& from : persistentIndexList())
        to.append(index(rowOf(before[static_cast<size_t>(from.row())]), from.column()));
    changePersistentIndexList(persistentIndexList(), to);
    Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int DatasetTable::sourceRow(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<size_t>(row)] : -1;
}

int DatasetTable::rowOf(int sourceRow) const {
    const auto found = std::find(m_rows.begin(), m_rows.end(), sourceRow);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int DatasetTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DatasetTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString DatasetTable::textOf(int sourceRow, int column) const {
    const DatasetItem& item = m_source.at(sourceRow);
    switch (column) {
    case File:
        return nameOf(item);
    case Size:
        if (!item.problem.isEmpty()) return m_source.index(sourceRow).data(StateTextRole).toString();
        return tr("%1 x %2").arg(item.widthPixels).arg(item.heightPixels);
    case Words:
        return QString::number(wordsOf(item.caption));
    case Tags:
        return tagTextOf(item);
    default:
        return item.caption;
    }
}

QVariant DatasetTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const int row = m_rows[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue<int>(index.column() == Words ? Qt::AlignHCenter | Qt::AlignVCenter
                                                                : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case PathRole:
        return m_source.index(row).data(role);
    default:
        return {};
    }
}

QVariant DatasetTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue<int>(section == Words ? Qt::AlignHCenter | Qt::AlignVCenter
                                                         : Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case File:
        return tr("File");
    case Size:
        return tr("Size");
    case Words:
        return tr("Words", "column: how long the caption is");
    case Tags:
        return tr("Tags");
    default:
        return tr("Caption");
    }
}

} // namespace homebooth::app
