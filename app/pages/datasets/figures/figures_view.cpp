// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/figures/figures_view.h"

#include "app/pages/datasets/figures/figures_model.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyle>
#include <QStyledItemDelegate>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kBarHeight = 8;
constexpr int kLeastBar = 2; // of a figure that is not 0

bool isHeading(const QModelIndex& index) {
    return index.data(FiguresModel::HeadingRole).toBool();
}

/// Rows of figures, and the headings above them.
class FigureRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        if (index.column() == FiguresModel::Bar && !isHeading(index)) paintBar(*painter, option, index);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        if (isHeading(index))
            return {0, QFontMetrics(Theme::instance().font(TypeRole::Section)).height() + 2 * kGapBlock};
        const QSize size = QStyledItemDelegate::sizeHint(option, index);
        const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
        const int most = view != nullptr ? view->viewport()->width() / 2 : size.width();
        return {qMin(size.width(), most), option.fontMetrics.height() + kGapLabel};
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
        if (isHeading(index)) {
            option->font = Theme::instance().font(TypeRole::Section);
            option->fontMetrics = QFontMetrics(option->font);
            option->displayAlignment = Qt::AlignLeft | Qt::AlignBottom;
            return;
        }
        option->viewItemPosition = index.column() == 0 ? QStyleOptionViewItem::Beginning
                                   : index.column() == FiguresModel::ColumnCount - 1
                                       ? QStyleOptionViewItem::End
                                       : QStyleOptionViewItem::Middle;
    }

private:
    static void paintBar(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
        const double part = index.data(FiguresModel::BarRole).toDouble();
        QRect room = option.rect.adjusted(kGapBlock, 0, -kGapLabel, 0);
        room.setTop(option.rect.center().y() - kBarHeight / 2);
        room.setHeight(kBarHeight);
        if (part <= 0.0 || room.width() < kBarHeight) return;
        QRect bar = room;
        bar.setWidth(qMax(kLeastBar, qRound(part * room.width())));
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours().outline);
        painter.drawRoundedRect(QStyle::visualRect(option.direction, option.rect, bar), kLeastBar, kLeastBar);
        painter.restore();
    }
};

} // namespace

FiguresView::FiguresView(FiguresModel& model, QWidget* parent)
    : QTableView(parent) {
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    setItemDelegate(new FigureRow(this));
    setModel(&model);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents); // also in larger text
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setMinimumHeight(kControlHeight);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(FiguresModel::Bar, QHeaderView::Stretch);
    connect(&model, &QAbstractItemModel::modelAboutToBeReset, this,
            [this] { m_kept = currentIndex().row(); });
    connect(&model, &QAbstractItemModel::modelReset, this, &FiguresView::arrange);
    arrange();
}

void FiguresView::arrange() {
    clearSpans();
    const int rows = model()->rowCount();
    for (int row = 0; row < rows; ++row)
        if (isHeading(model()->index(row, 0))) setSpan(row, 0, 1, FiguresModel::ColumnCount);
    horizontalHeader()->setVisible(rows > 0);
    if (const int kept = std::exchange(m_kept, -1); kept >= 0 && rows > 0)
        setCurrentIndex(model()->index(qMin(kept, rows - 1), 0));
}

void FiguresView::setEmptyText(const QString& text) {
    m_emptyText = text;
    setAccessibleDescription(model()->rowCount() == 0 ? text : QString());
    viewport()->update();
}

void FiguresView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (model()->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(colours().muted);
    painter.drawText(viewport()->rect().adjusted(kPageMargin, kPageMargin, -kPageMargin, -kPageMargin),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

} // namespace homebooth::app
