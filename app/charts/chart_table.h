// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values of a chart as a table, oldest first. GUI thread. Invariant: at most kMostRows rows, however long
// the run: every second, fourth, eighth step and so on; the export has them all.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

namespace homebooth::app {

class Chart;

class ChartTable : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr size_t kMostRows = 2000;

    /// @param chart  outlives this
    explicit ChartTable(const Chart& chart, QObject* parent = nullptr);

    /// Takes over what the chart has by now.
    void refresh();
    /// Of so many steps one is shown.
    [[nodiscard]] size_t stride() const { return m_stride; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Chart& m_chart;
    QStringList m_columns;
    size_t m_stride = 1;
    int m_rows = 0;
};

} // namespace homebooth::app
