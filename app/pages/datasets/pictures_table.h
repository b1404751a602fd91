// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures of a dataset as a table, whose columns fit into a small window, too. Owned by the page;
// GUI thread.
#pragma once

#include <QTableView>

#include <optional>

namespace homebooth::app {

class DatasetTable;

class PicturesTable : public QTableView {
    Q_OBJECT
public:
    explicit PicturesTable(DatasetTable& rows, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    std::optional<bool> m_narrow; ///< the columns are as a small window needs them
};

} // namespace homebooth::app
