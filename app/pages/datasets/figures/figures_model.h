// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of a dataset as a table under headings: what is counted, how many pictures, which part of all.
// GUI thread. Invariant: a heading stands before the first row of its group and is a row of its own, with
// words in its first column alone.
#pragma once

#include "app/pages/datasets/figures/dataset_figures.h"

#include <QAbstractTableModel>

#include <vector>

namespace homebooth::app {

class FiguresModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Pictures, Share, Bar, ColumnCount };
    /// HeadingRole: whether the row is one. BarRole: 0 to 1, its part of all; invalid for headings.
    enum Role { HeadingRole = Qt::UserRole + 150, BarRole };
    using QAbstractTableModel::QAbstractTableModel;

    /// @param pictures  of which the figures were counted
    void set(const std::vector<Figure>& figures, int pictures, const LearnedSizes& sizes);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        bool heading = false;
        Figure figure; ///< of a heading: the first below it
        friend bool operator==(const Row&, const Row&) = default;
    };
    void take(std::vector<Row> rows);
    [[nodiscard]] QString headingOf(FigureKind kind) const;
    [[nodiscard]] QString nameOf(const Figure& figure) const;
    [[nodiscard]] QString shareOf(const Figure& figure) const;
    /// What stands in a cell.
    [[nodiscard]] QString textOf(const Row& row, int column) const;
    /// The whole row in words, for who hears it.
    [[nodiscard]] QString sentenceOf(const Row& row) const;
    [[nodiscard]] QString toolTipOf(const Row& row) const;

    std::vector<Row> m_rows;
    int m_pictures = 0;
    LearnedSizes m_sizes;
};

} // namespace homebooth::app
