// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/chart_card.h"

#include "app/charts/chart.h"
#include "app/charts/chart_table.h"
#include "app/theme/metrics.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QTableView>

#include <algorithm>
#include <numeric>
#include <vector>

namespace homebooth::app {

ChartCard::ChartCard(Chart* chart, QWidget* parent)
    : Card(parent)
    , m_chart(chart)
    , m_head(new ElidedLabel(chart->accessibleName()))
    , m_controls(new QHBoxLayout)
    , m_column(new QVBoxLayout(this)) {
    tidy(m_column, kGapBlock, kGapLabel);
    m_controls->setSpacing(kGapLabel);
    setTypeRole(m_head, TypeRole::Section);
    auto* table = makeIconButton(QStringLiteral("table"), tr("Show the numbers as a table"));
    table->setCheckable(true);
    table->setAccessibleName(tr("Show the numbers as a table: %1").arg(chart->accessibleName()));
    auto* save = makeIconButton(QStringLiteral("export"), tr("Export the chart"));
    save->setAccessibleName(tr("Export the chart: %1").arg(chart->accessibleName()));
    m_controls->addWidget(m_head, 1);
    m_controls->addWidget(table);
    m_controls->addWidget(save);
    m_stops = {table, save, chart};
    m_column->addLayout(m_controls);
    m_column->addWidget(chart, 1);
    connect(table, &QToolButton::toggled, this, &ChartCard::showTable);
    connect(save, &QToolButton::clicked, this, &ChartCard::exportWanted);
}

void ChartCard::addControl(QWidget* control) {
    m_controls->insertWidget(1, control);
    m_stops.prepend(control);
}

void ChartCard::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // Only in a window with other stops: alone they are a ring, which has no beginning to set.
    for (qsizetype i = 1; i < m_stops.size(); ++i) setTabOrder(m_stops[i - 1], m_stops[i]);
}

void ChartCard::addBelow(QWidget* part) {
    m_column->addWidget(part);
}

QTableView* ChartCard::makeView() {
    constexpr int kRowsLookedAt = 20; // for a column's width: all would be looked at with each step
    auto* view = new QTableView;
    view->setModel(m_table);
    view->setAccessibleName(tr("%1 as a table").arg(m_chart->accessibleName()));
    view->setFrameShape(QFrame::NoFrame);
    view->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // as high as the chart in its place
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setTabKeyNavigation(false);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + kGapLabel);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view->horizontalHeader()->setResizeContentsPrecision(kRowsLookedAt);
    view->viewport()->installEventFilter(this);
    return view;
}

void ChartCard::makeTable() {
    m_text = new QWidget;
    m_text->hide();
    auto* column = new QVBoxLayout(m_text);
    tidy(column, 0, kGapLabel);
    m_sentence = new QLabel;
    m_sentence->setWordWrap(true);
    m_table = new ChartTable(*m_chart, this);
    m_view = makeView();
    m_note = new MutedLabel;
    column->addWidget(m_sentence);
    column->addWidget(m_view, 1);
    column->addWidget(m_note);
    m_column->insertWidget(m_column->indexOf(m_chart) + 1, m_text, 1);
    // The view alone says which step is meant: charts beside it follow.
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (!now.isValid()) return;
                const QString step = now.siblingAtColumn(0).data().toString();
                Q_EMIT m_chart->crosshairMoved(QLocale().toDouble(step));
            });
}

/// Each as wide as what stands in it, and as much more as there is for all; where there is less, the table
/// scrolls.
void ChartCard::fitColumns() {
    QHeaderView* header = m_view->horizontalHeader();
    std::vector<int> widths;
    for (int column = 0; column < header->count(); ++column)
        widths.push_back(std::max(header->sectionSizeHint(column),
                                  static_cast<const QAbstractItemView*>(m_view)->sizeHintForColumn(column)));
    const int rest = m_view->viewport()->width() - std::accumulate(widths.begin(), widths.end(), 0);
    const int more = std::max(0, rest) / std::max(1, header->count());
    for (int column = 0; column < header->count(); ++column)
        header->resizeSection(column, widths[static_cast<size_t>(column)] + more);
}

bool ChartCard::eventFilter(QObject* watched, QEvent* event) {
    const bool resized =
        m_view != nullptr && watched == m_view->viewport() && event->type() == QEvent::Resize;
    if (resized) fitColumns();
    return Card::eventFilter(watched, event);
}

void ChartCard::showTable(bool on) {
    if (m_text == nullptr && !on) return;
    if (m_text == nullptr) makeTable();
    m_chart->setVisible(!on);
    m_text->setVisible(on);
    refresh();
    if (on) m_view->scrollToBottom();
}

void ChartCard::refresh() {
    m_chart->invalidate();
    if (!showsTable()) return;
    m_table->refresh();
    fitColumns(); // there may be another one
    m_sentence->setText(m_chart->sentence());
    m_note->setVisible(m_table->stride() > 1);
    m_note->setText(tr("One step in %1 is shown; the export has all of them.").arg(m_table->stride()));
}

} // namespace homebooth::app
