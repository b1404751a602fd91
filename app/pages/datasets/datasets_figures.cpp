// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page Datasets does with all captions at once: counting them, and replacing words in them. Neither
// is done on the GUI thread.
#include "app/engine/request_pool.h"
#include "app/library/background.h"
#include "app/pages/datasets/caption_panel.h"
#include "app/pages/datasets/dataset_stats.h"
#include "app/pages/datasets/datasets_page.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>

namespace homebooth::app {

void DatasetsPage::count() {
    const auto take = [this, turn = ++m_counts](const DatasetFigures& figures) {
        if (turn != m_counts) return; // an older one may take longer
        fillTags(figures);
        m_panel->showFigures(figures);
    };
    inBackground(
        this, [items = m_model.items()] { return figuresOf(items); }, take,
        &requestPool()); // in a blink: never behind what takes long
}

void DatasetsPage::fillTags(const DatasetFigures& figures) {
    constexpr qsizetype kMostTags = 200;
    const QSignalBlocker quiet(m_tag);
    const QString chosen = m_tag->currentData().toString();
    m_tag->clear();
    m_tag->addItem(tr("All tags"), QString());
    for (const auto& [tag, count] : figures.tags.first(qMin(kMostTags, figures.tags.size())))
        m_tag->addItem(QStringLiteral("%1 (%2)").arg(tag).arg(count), tag);
    m_tag->setCurrentIndex(qMax(0, m_tag->findData(chosen)));
}

void DatasetsPage::replaceAll() {
    const bool focused = m_replaceAll->hasFocus();
    m_replaceAll->setEnabled(false); // which hands its focus on
    const QPointer<QWidget> next = focused ? window()->focusWidget() : nullptr;
    const auto done = [this, next](int captions) {
        m_replaceAll->setEnabled(true);
        if (next && next->hasFocus()) m_replaceAll->setFocus();
        if (captions > 0) Q_EMIT toast(tr("%n caption(s) changed.", nullptr, captions));
    };
    connect(&m_model, &DatasetModel::replaced, this, done, Qt::SingleShotConnection);
    m_model.replaceAll(m_find->text(), m_replace->text());
}

} // namespace homebooth::app
