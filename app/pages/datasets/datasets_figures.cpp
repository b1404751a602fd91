// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Datasets does with all captions at once: counting them, filtering by what was counted, and
// replacing words in them. Counting and replacing are not done on the GUI thread.
#include "app/library/background.h"
#include "app/pages/datasets/captions/caption_panel.h"
#include "app/pages/datasets/datasets_page.h"
#include "app/pages/datasets/figures/dataset_stats.h"
#include "app/pages/datasets/figures/figures_view.h"
#include "app/widgets/progress_message.h"

#include <QComboBox>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

/// What is told of all pictures, and of those that are shown.
struct Counted {
    DatasetFigures all;
    std::vector<Figure> shown;
    int toReplace = 0; ///< captions that are shown and hold the words to find
};

} // namespace

void DatasetsPage::setLearnedSizes(const LearnedSizes& sizes) {
    if (std::exchange(m_sizes, sizes) != sizes) m_counting.start();
}

void DatasetsPage::countCaptions() {
    std::vector<DatasetItem> shown;
    for (int row = 0; row < m_model.rowCount(); ++row) shown.push_back(m_model.at(row));
    const int pictures = m_model.rowCount();
    const QString find = m_find->text();
    const auto take = [this, turn = ++m_counts, sizes = m_sizes, pictures, find](const Counted& counted) {
        if (turn != m_counts) return; // an older one may take longer
        if (!find.isEmpty() && find == m_find->text())
            m_replaceAll->setText(tr("Replace in all %1").arg(QLocale().toString(counted.toReplace)));
        fillTags(counted.all);
        m_panel->showFigures(counted.all);
        m_figures.set(counted.shown, pictures, sizes);
        m_figuresView->setEmptyText(whyNoFigures());
    };
    inBackground(
        this,
        [items = m_model.items(), shown = std::move(shown), sizes = m_sizes, find] {
            return Counted{figuresOf(items), countFigures(shown, sizes), captionsToReplace(shown, find)};
        },
        take);
}

QString DatasetsPage::whyNoFigures() const {
    if (m_reading) return tr("Reading the pictures...");
    if (m_model.packed())
        return tr("The pictures are packed: unpack them into a folder to have figures here.");
    if (m_unreadable) return tr("The folder cannot be read: find it again, or choose another one.");
    if (m_model.items().empty())
        return tr("Put pictures with captions into the folder: figures of them stand here then.");
    return tr("Nothing matches. Clear the filter to see the figures of all pictures.");
}

void DatasetsPage::fillTags(const DatasetFigures& figures) {
    constexpr qsizetype kMostTags = 200;
    const QSignalBlocker quiet(m_tag);
    const QString chosen = m_tag->currentData().toString();
    m_tag->clear();
    m_tag->addItem(tr("All tags"), QString());
    for (const auto& [tag, count] : figures.tags.first(qMin(kMostTags, figures.tags.size())))
        m_tag->addItem(QStringLiteral("%1 (%2)").arg(tag, QString::number(count)), tag);
    m_tag->setCurrentIndex(qMax(0, m_tag->findData(chosen)));
    // A tag or a shape that is on no list any more must not hide pictures: nobody would see why.
    const QString shape = m_model.filter().shape;
    const bool there = std::any_of(figures.shapes.begin(), figures.shapes.end(),
                                   [&shape](const auto& one) { return one.first == shape; });
    applyFilter(there ? shape : QString());
}

void DatasetsPage::applyFilter(const QString& shape) {
    m_model.setFilter({m_filter->text(), m_tag->currentData().toString(), shape, m_problems->isChecked()});
}

void DatasetsPage::takeFind() {
    m_replaceAll->setText(tr("Replace in all shown")); // until they are counted
    m_counting.start();
    refreshReplace();
}

void DatasetsPage::refreshReplace() {
    m_replaceAll->setEnabled(!m_replacing && !m_find->text().isEmpty() && m_model.rowCount() > 0);
}

void DatasetsPage::replaceAll() {
    const bool focused = m_replaceAll->hasFocus();
    m_replacing = true;
    refreshReplace(); // which hands its focus on
    const QPointer<QWidget> next = focused ? window()->focusWidget() : nullptr;
    const auto done = [this, next](int captions) {
        m_replacing = false;
        refreshReplace();
        if (next && next->hasFocus()) m_replaceAll->setFocus();
        if (captions > 0) Q_EMIT toast(tr("%n caption(s) changed.", nullptr, captions));
    };
    connect(&m_model, &DatasetModel::replaced, this, done, Qt::SingleShotConnection);
    m_model.replaceAll(m_find->text(), m_replace->text());
}

} // namespace homebooth::app
