// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of a dataset: a table of few rows under headings, with a quiet bar in each; read with the arrow
// keys. Without rows it says what to do. GUI thread.
#pragma once

#include <QTableView>

namespace homebooth::app {

class FiguresModel;

class FiguresView : public QTableView {
    Q_OBJECT
public:
    /// @param model  outlives this
    explicit FiguresView(FiguresModel& model, QWidget* parent = nullptr);
    /// What stands there while there are no figures.
    void setEmptyText(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// Headings go over all columns; there is no header above nothing.
    void arrange();

    QString m_emptyText;
    int m_kept = -1; ///< the row that was current before the rows became others
};

} // namespace homebooth::app
