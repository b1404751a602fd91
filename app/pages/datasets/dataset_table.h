// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of a data set as rows of figures: file, size, words of the caption, tags, caption; sorted by a
// column. Follows a DatasetModel, with its filter. GUI thread.
#pragma once

#include <QAbstractTableModel>

#include <vector>

namespace homebooth::app {

class DatasetModel;

class DatasetTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { File, Size, Words, Tags, Caption, ColumnCount };
    explicit DatasetTable(DatasetModel& source, QObject* parent = nullptr);

    /// The row of the DatasetModel that stands here, and where one of its rows stands; -1: nowhere.
    [[nodiscard]] int sourceRow(int row) const;
    [[nodiscard]] int rowOf(int sourceRow) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Equal ones stand as the folder has them. A caption that is typed does not move its row.
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] QString textOf(int sourceRow, int column) const;
    void arrange();

    DatasetModel& m_source;
    std::vector<int> m_rows; ///< of the source, as they stand here
    int m_column = File;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace homebooth::app
