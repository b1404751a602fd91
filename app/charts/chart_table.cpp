// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts/chart_table.h"

#include "app/charts/chart.h"

namespace homebooth::app {

ChartTable::ChartTable(const Chart& chart, QObject* parent)
    : QAbstractTableModel(parent)
    , m_chart(chart) {
    refresh();
}

void ChartTable::refresh() {
    const size_t all = m_chart.tableRows();
    size_t stride = 1;
    while (all > stride * kMostRows) stride *= 2;
    const auto rows = static_cast<int>((all + stride - 1) / stride);
    const QStringList columns = m_chart.tableColumns();
    if (stride == m_stride && rows >= m_rows && columns == m_columns) {
        if (rows == m_rows) return;
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        return endInsertRows();
    }
    beginResetModel();
    m_stride = stride;
    m_rows = rows;
    m_columns = columns;
    endResetModel();
}

int ChartTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int ChartTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant ChartTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const size_t row = static_cast<size_t>(index.row()) * m_stride;
    // The chart may have been emptied, and not been asked since.
    return row < m_chart.tableRows() ? m_chart.tableCell(row, index.column()) : QString();
}

QVariant ChartTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue<int>(Qt::AlignRight | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? m_columns.value(section) : QVariant();
}

} // namespace homebooth::app
