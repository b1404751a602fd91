// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/settings/kept_copies.h"

#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/engine/runs/disk_use.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/background.h"
#include "app/library/disk_cache.h"
#include "app/library/thumbnails.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>

namespace homebooth::app {

KeptCopies::KeptCopies(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_measured(
          [folder = services.thumbnails.folder()] { return Bytes(diskBytesOf(folder), preparedBytes()); })
    , m_name(new QLabel(tr("Copies of your photos")))
    , m_meaning(new MutedLabel(
          tr("Small pictures, photos and captions as trainings prepare them, and example pictures. "
             "They stay when a subject or a training is deleted, and are made again when they are needed.")))
    , m_size(new MutedLabel(tr("Looking how much that is...")))
    , m_empty(makeButton(tr("Empty"))) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapInside / 2);
    m_name->setWordWrap(true);
    for (QLabel* label : {m_name, m_meaning, m_size}) column->addWidget(label);
    column->addSpacing(kGapLabel);
    column->addWidget(m_empty, 0, Qt::AlignLeft);
    m_empty->setAccessibleName(tr("Empty the copies of your photos"));
    connect(m_empty, &QPushButton::clicked, this, &KeptCopies::empty);
}

QString KeptCopies::words() const {
    return m_name->text() + ' ' + m_meaning->text() + ' ' + m_empty->text();
}

void KeptCopies::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    measure();
}

void KeptCopies::measure() {
    inBackground(this, m_measured, [this, turn = ++m_turn](const Bytes& bytes) {
        if (turn != m_turn) return; // from before they were emptied
        const auto [small, prepared] = bytes;
        m_size->setText(
            small + prepared == 0
                ? tr("There are none now.")
                : tr("Now: %1 of small pictures, %2 by trainings.").arg(diskText(small), diskText(prepared)));
    });
}

void KeptCopies::empty() {
    if (m_services.runs.computes() || m_services.runs.prepares()) return take(Emptied::InUse);
    m_empty->setEnabled(false);
    const auto work = [folder = m_services.thumbnails.folder()] {
        const Emptied prepared = emptyPrepared();
        if (prepared == Emptied::InUse) return prepared; // the others wait, too: one press, one answer
        return keepUsedLast(folder, 0) == 0 ? prepared : Emptied::Partly;
    };
    inBackground(this, work, [this](Emptied how) { take(how); });
}

void KeptCopies::take(Emptied how) {
    m_empty->setEnabled(true);
    measure();
    switch (how) {
    case Emptied::All:
        return Q_EMIT emptied();
    case Emptied::InUse:
        return Q_EMIT refused(tr("<b>Nothing was emptied.</b> A training works with these copies. Empty them "
                                 "when it has ended."));
    case Emptied::Partly:
        break;
    }
    Q_EMIT refused(tr("<b>Not all could be emptied.</b> Look at the permissions of the folder %1.")
                       .arg(cacheFolder().toHtmlEscaped()));
}

} // namespace homebooth::app
