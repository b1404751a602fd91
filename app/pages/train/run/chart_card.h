// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chart with its heading and its controls; in its place, when it is asked for, a sentence and a table say
// the same. GUI thread.
#pragma once

#include "app/widgets/parts.h"

class QBoxLayout;
class QTableView;

namespace homebooth::app {

class Chart;
class ChartTable;

class ChartCard : public Card {
    Q_OBJECT
public:
    /// Takes the chart.
    explicit ChartCard(Chart* chart, QWidget* parent = nullptr);

    [[nodiscard]] Chart& chart() const { return *m_chart; }
    void setHead(const QString& text) { m_head->setFullText(text); }
    /// Puts a control behind the heading, ahead of those that are there.
    void addControl(QWidget* control);
    /// Puts something below the chart.
    void addBelow(QWidget* part);
    /// What the chart shows has changed.
    void refresh();
    [[nodiscard]] bool showsTable() const { return m_text != nullptr && !m_text->isHidden(); }

Q_SIGNALS:
    void exportWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void showTable(bool on);
    void makeTable();
    [[nodiscard]] QTableView* makeView();
    void fitColumns();

    Chart* m_chart = nullptr;
    ElidedLabel* m_head = nullptr;
    QBoxLayout* m_controls = nullptr;
    QList<QWidget*> m_stops; ///< of Tab, as one reads
    QBoxLayout* m_column = nullptr;
    QWidget* m_text = nullptr; ///< sentence, table and note; made when they are asked for
    QLabel* m_sentence = nullptr;
    QLabel* m_note = nullptr;
    QTableView* m_view = nullptr;
    ChartTable* m_table = nullptr;
};

} // namespace homebooth::app
