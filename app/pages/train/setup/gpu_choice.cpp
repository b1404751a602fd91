// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/gpu_choice.h"

#include "app/engine/figures.h"
#include "app/engine/runs/run_cards.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace homebooth::app {
namespace {

/// "5.9 of 8.0 GB free, 61 °C", as far as it is known.
QString figuresOf(const GpuCard& card) {
    QStringList parts;
    if (card.totalBytes > 0 && card.freeBytes >= 0)
        parts.append(GpuChoice::tr("%1 free", "5.9 of 8.0 GB free")
                         .arg(memoryOfText(card.freeBytes, card.totalBytes)));
    else if (card.totalBytes > 0)
        parts.append(memoryText(card.totalBytes));
    if (card.temperatureCelsius) parts.append(GpuChoice::tr("%1 °C").arg(*card.temperatureCelsius));
    return parts.join(QStringLiteral(", "));
}

} // namespace

GpuChoice::GpuChoice(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(kGapBlock);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(1, 1);
}

bool GpuChoice::setCards(const std::vector<GpuCard>& cards) {
    const bool same = std::equal(cards.begin(), cards.end(), m_rows.begin(), m_rows.end(),
                                 [](const GpuCard& card, const Row& row) { return card.id == row.id; });
    if (!same) makeRows(cards);
    for (size_t at = 0; at < m_rows.size(); ++at) {
        const Row& row = m_rows[at];
        const QString figures = figuresOf(cards[at]);
        row.name->setText(cards[at].name);
        row.figures->setText(figures);
        row.figures->setVisible(!figures.isEmpty());
        QStringList words{row.box->text(), cards[at].name, figures};
        words.removeAll(QString());
        row.box->setAccessibleName(words.join(QStringLiteral(", ")));
    }
    return !same;
}

void GpuChoice::makeRows(const std::vector<GpuCard>& cards) {
    for (const Row& row : m_rows)
        for (QWidget* part : std::initializer_list<QWidget*>{row.box, row.name, row.figures}) delete part;
    m_rows.clear();
    for (const GpuCard& card : cards) {
        const auto at = static_cast<int>(m_rows.size());
        Row row{card.id, new QCheckBox(cardsText({at})), new QLabel, new MutedLabel};
        row.name->setTextFormat(Qt::PlainText);
        row.name->setWordWrap(true);
        row.box->setChecked(at == 0);
        row.box->setToolTip(tr("Trains on this card, together with the others that are checked. One at least "
                               "stays checked."));
        m_grid->addWidget(row.box, 2 * at, 0, Qt::AlignTop);
        m_grid->addWidget(row.name, 2 * at, 1);
        m_grid->addWidget(row.figures, 2 * at + 1, 1);
        connect(row.box, &QCheckBox::toggled, this, [this, box = row.box] { take(*box); });
        m_rows.push_back(row);
    }
}

void GpuChoice::take(QCheckBox& box) {
    const bool any =
        std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.box->isChecked(); });
    if (any) return Q_EMIT changed();
    const QSignalBlocker quiet(box);
    box.setChecked(true);
}

void GpuChoice::choose(const QStringList& ids) {
    const bool any =
        std::any_of(m_rows.begin(), m_rows.end(), [&ids](const Row& row) { return ids.contains(row.id); });
    for (size_t at = 0; at < m_rows.size(); ++at) {
        const QSignalBlocker quiet(m_rows[at].box);
        m_rows[at].box->setChecked(any ? ids.contains(m_rows[at].id) : at == 0);
    }
}

QStringList GpuChoice::chosen() const {
    QStringList ids;
    for (const Row& row : m_rows)
        if (row.box->isChecked()) ids.append(row.id);
    const bool first = ids.size() == 1 && ids.front() == m_rows.front().id;
    return first ? QStringList() : ids;
}

QList<QWidget*> GpuChoice::boxes() const {
    QList<QWidget*> boxes;
    for (const Row& row : m_rows) boxes.append(row.box);
    return boxes;
}

} // namespace homebooth::app
