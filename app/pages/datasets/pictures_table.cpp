// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/pictures_table.h"

#include "app/pages/datasets/dataset_table.h"
#include "app/theme/metrics.h"
#include "app/widgets/wide_header.h"

#include <QStyledItemDelegate>

#include <utility>

namespace homebooth::app {
namespace {

/// Cells of a row are painted as one piece.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->viewItemPosition = index.column() == 0 ? QStyleOptionViewItem::Beginning
                                   : index.column() == DatasetTable::ColumnCount - 1
                                       ? QStyleOptionViewItem::End
                                       : QStyleOptionViewItem::Middle;
    }
};

/// A column's width in letters, and in a small window; the last one takes the rest.
struct ColumnLetters {
    int column;
    int wide;
    int narrow;
};
constexpr ColumnLetters kColumnLetters[] = {{DatasetTable::File, 22, 14},
                                            {DatasetTable::Size, 15, 11},
                                            {DatasetTable::Words, 10, 7},
                                            {DatasetTable::Tags, 22, 12}};
constexpr int kRoomyLetters = 85; // of all columns: those above and some of the caption

} // namespace

PicturesTable::PicturesTable(DatasetTable& rows, QWidget* parent)
    : QTableView(parent) {
    setHorizontalHeader(new WideHeader);
    setModel(&rows);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setSortingEnabled(true);
    sortByColumn(DatasetTable::File, Qt::AscendingOrder);
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumHeight(kControlHeight);
    setItemDelegate(new RowDelegate(this));
}

void PicturesTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    const int letter = fontMetrics().averageCharWidth();
    const bool narrow = viewport()->width() < kRoomyLetters * letter;
    if (std::exchange(m_narrow, narrow) == narrow) return; // widths that somebody set stay
    for (const ColumnLetters& one : kColumnLetters)
        setColumnWidth(one.column, qMax((narrow ? one.narrow : one.wide) * letter,
                                        horizontalHeader()->sectionSizeHint(one.column)));
}

} // namespace homebooth::app
