// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/generate/compare_view.h"

#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QScrollBar>

#include <algorithm>

namespace homebooth::app {
namespace {
constexpr int kSide = 168; // at least, unless not even one has room
constexpr int kFrame = 24; // of a cell, with the space to the next one
constexpr int kSideStep = 16;
} // namespace

CompareView::CompareView(Thumbnails& thumbnails, QWidget* parent)
    : QWidget(parent) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapBlock);
    for (size_t side = 0; side < m_grids.size(); ++side) {
        m_models[side] = new ResultModel(thumbnails, this);
        m_heads[side] = new ElidedLabel;
        setTypeRole(m_heads[side], TypeRole::Section);
        m_heads[side]->keepEnds(); // models have names that begin alike
        m_grids[side] = new ThumbnailGrid(thumbnails);
        m_grids[side]->setModel(m_models[side]);
        m_grids[side]->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // both columns break alike
        auto* card = new Card;
        auto* column = new QVBoxLayout(card);
        tidy(column, kGapBlock, kGapLabel);
        column->addWidget(m_heads[side]);
        column->addWidget(m_grids[side], 1);
        row->addWidget(card, 1);
    }
    connect(m_grids[0]->verticalScrollBar(), &QScrollBar::valueChanged, m_grids[1]->verticalScrollBar(),
            &QScrollBar::setValue);
    connect(m_grids[1]->verticalScrollBar(), &QScrollBar::valueChanged, m_grids[0]->verticalScrollBar(),
            &QScrollBar::setValue);
    begin({}, {});
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int room = (width() - kGapBlock) / 2 - 2 * kGapBlock - bar;
    const int across = std::max(1, room / (kSide + kFrame));
    const int side = std::max(kSideStep, (room / across - kFrame) / kSideStep * kSideStep);
    for (ThumbnailGrid* grid : m_grids) grid->setLook(side, 1);
}

QStringList CompareView::paths() const {
    const QStringList left = m_models[0]->paths();
    const QStringList right = m_models[1]->paths();
    QStringList paths;
    for (qsizetype row = 0; row < std::max(left.size(), right.size()); ++row) {
        if (row < left.size()) paths.append(left[row]);
        if (row < right.size()) paths.append(right[row]);
    }
    return paths;
}

void CompareView::begin(const QString& left, const QString& right) {
    for (ResultModel* model : m_models) model->clear();
    setNames(left, right);
}

void CompareView::setNames(const QString& left, const QString& right) {
    const QString names[] = {left, right};
    for (size_t side = 0; side < m_grids.size(); ++side) {
        m_heads[side]->setFullText(names[side]);
        m_grids[side]->setAccessibleName(tr("Pictures of %1").arg(names[side]));
    }
}

} // namespace homebooth::app
