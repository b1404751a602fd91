// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/train_progress.h"

#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/engine/runs/run_session.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/run/chart_board.h"
#include "app/pages/train/run/further_line.h"
#include "app/pages/train/run/left_out_dialog.h"
#include "app/pages/train/run/log_dialog.h"
#include "app/pages/train/run/moment_menu.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/run/warning_line.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "app/widgets/plain_tip.h"

#include <QBoxLayout>

#include <set>

namespace homebooth::app {
namespace {
constexpr int kPreviewSide = 116;
constexpr int kPreviewWidth = 168;
constexpr int kNarrower = 16;          // in a compact window
constexpr int kLeastBoardHeight = 264; // a chart with its tabs that can still be read

std::set<int64_t> favouritesOf(const std::vector<Moment>& moments) {
    std::set<int64_t> steps;
    for (const Moment& one : moments)
        if (one.favourite) steps.insert(one.step);
    return steps;
}

/// Whether it has ended with what the built-in model draws.
bool endedWithSketches(const RunSession& run) {
    const core::TrainConfig& config = run.config();
    return run.phase() == RunPhase::Done && config.mode != core::TrainMode::FromScratch &&
           QString::fromStdString(config.model) == builtInModel();
}

} // namespace

TrainProgress::TrainProgress(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_warnings(new WarningLine)
    , m_moments(new MomentRow(services.thumbnails))
    , m_further(new FurtherLine)
    , m_board(new ChartBoard) {
    m_board->remember(services.settings);
    m_board->setMinimumHeight(kLeastBoardHeight);
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    column->addWidget(m_warnings);
    column->addWidget(m_moments);
    column->addWidget(m_further);
    m_further->hide();
    column->addWidget(m_sketch = makeSketchLine());
    column->setSpacing(kGapBlock);
    auto* row = new QHBoxLayout;
    tidy(row, 0, kGapBlock);
    row->addWidget(m_board, 1);
    row->addWidget(m_previewPart = makePreviews());
    column->addLayout(row, 1);
    connect(m_moments, &MomentRow::largeWanted, this, &TrainProgress::largeWanted);
    connect(m_moments, &MomentRow::shownChanged, this, &TrainProgress::showParts);
    connect(m_moments, &MomentRow::stepChosen, m_board, &ChartBoard::showStep);
    connect(m_warnings, &WarningLine::logWanted, this, [this] {
        if (m_run) showRunLog(this, m_run->folder(), m_run->title());
    });
    connect(m_warnings, &WarningLine::leftOutWanted, this, [this] {
        if (m_run) showLeftOut(this, m_run->folder(), m_run->title(), m_run->data().leftOut);
    });
}

QWidget* TrainProgress::makeSketchLine() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapBlock);
    row->addWidget(new MutedLabel(tr("Sketch draws small, simple pictures. For photos train with another "
                                     "model, such as Stable Diffusion 1.5.")),
                   1);
    auto* other = makeButton(tr("Train with another model"), {}, "quiet");
    other->setToolTip(tr("Opens the form for a new training. This one stays."));
    row->addWidget(other);
    connect(other, &QPushButton::clicked, this, &TrainProgress::formWanted);
    part->hide();
    return part;
}

QWidget* TrainProgress::makePreviews() {
    auto* card = new Card;
    card->setFixedWidth(kPreviewWidth);
    auto* column = new QVBoxLayout(card);
    tidy(column, kGapBlock, kGapLabel);
    m_strip = new ThumbnailGrid(m_services.thumbnails);
    m_strip->setModel(&m_previews);
    m_strip->setLook(kPreviewSide, 1);
    m_strip->setAccessibleName(tr("Previews"));
    column->addWidget(makeLabel(tr("Previews"), TypeRole::Section));
    column->addWidget(m_strip, 1);
    column->addWidget(m_previewNote = new MutedLabel);
    column->addWidget(m_larger = makeButton(tr("Larger")), 0, Qt::AlignLeft);
    m_larger->setEnabled(false);
    const auto open = [this](const QModelIndex& index) {
        Q_EMIT largeWanted(index.data(PathRole).toString());
    };
    connect(m_strip, &ThumbnailGrid::opened, this, open);
    connect(m_strip, &ThumbnailGrid::large, this, open);
    connect(m_larger, &QPushButton::clicked, this, [this, open] {
        const QModelIndex chosen = m_strip->currentIndex(); // else the newest
        open(chosen.isValid() ? chosen : m_previews.index(m_previews.rowCount() - 1));
    });
    connect(m_strip, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        m_board->showStep(index.data(PreviewModel::StepRole).toDouble());
    });
    connect(
        &m_previews, &QAbstractItemModel::rowsInserted, m_strip, [this] { m_strip->scrollToBottom(); },
        Qt::QueuedConnection);
    m_strip->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_strip, &QWidget::customContextMenuRequested, this, &TrainProgress::openPreviewMenu);
    return card;
}

void TrainProgress::openPreviewMenu(const QPoint& place) {
    const QModelIndex now = m_strip->currentIndex(); // the one that was clicked
    if (!m_run || !now.isValid()) return;
    openMomentMenu(*m_strip, m_strip->viewport()->mapToGlobal(place), *m_run,
                   now.data(PreviewModel::StepRole).toLongLong(),
                   [this, path = now.data(PathRole).toString()] { Q_EMIT largeWanted(path); });
}

void TrainProgress::setCompact(bool compact) {
    m_previewPart->setFixedWidth(compact ? kPreviewWidth - kNarrower : kPreviewWidth);
    m_strip->setLook(compact ? kPreviewSide - kNarrower : kPreviewSide, 1);
}

QStringList TrainProgress::pictures() const {
    QStringList paths;
    for (int row = 0; row < m_previews.rowCount(); ++row)
        paths.append(m_previews.index(row).data(PathRole).toString());
    return paths;
}

QString TrainProgress::noteOf(const QString& picture) const {
    const auto row = pictures().indexOf(picture);
    if (row < 0) return {};
    const auto step = m_previews.index(static_cast<int>(row)).data(PreviewModel::StepRole).toLongLong();
    return tr("Preview at step %1").arg(countText(step));
}

/// Where there is no preview yet, or none at all.
QString TrainProgress::wordsForNone() const {
    if (m_run->phase() == RunPhase::Reading) return {};
    if (m_run->gone()) return tr("No preview is at hand.");
    if (!m_run->active() && m_run->phase() != RunPhase::Waiting) return tr("No preview was made.");
    const core::TrainConfig& config = m_run->config();
    const int64_t every = config.output.previewEverySteps;
    return every > 0 ? tr("The first preview comes soon.")
                     : tr("No preview is due. \"More\" makes one at any time.");
}

void TrainProgress::tellPreviews(const core::TrainConfig& config) {
    const bool elsewhere = previewsElsewhere(config);
    m_previewNote->setText(learnsAutoencoder(config) ? tr("Left a picture, right what comes back of it.")
                           : elsewhere ? tr("Same prompts, same seeds. The second one: on a beach.")
                           : config.output.previewCount > 1 ? tr("Same prompts, same seeds.")
                                                            : tr("Same prompt, same seed."));
    setPlainTip(*m_previewNote, elsewhere ? tr("Once there is no beach in it, the model does little but copy "
                                               "the photos: an earlier moment is better then.")
                                          : QString());
}

void TrainProgress::showParts() {
    const bool nothing = m_run && m_run->gone() && !m_run->data().anythingSeen();
    m_board->setVisible(!nothing);
    m_previewPart->setVisible(!nothing && m_moments->isHidden());
}

void TrainProgress::follow(RunSession* run) {
    m_board->follow(run);
    m_moments->follow(run);
    if (m_run == run) return;
    if (m_run) m_run->disconnect(this);
    m_run = run;
    const auto take = [this] {
        m_warnings->set(m_run ? m_run->data().warnings : std::vector<core::WarningEvent>());
        m_warnings->setLeftOut(m_run ? int(m_run->data().leftOut.size()) : 0);
        m_sketch->setVisible(m_run && endedWithSketches(*m_run));
        showParts();
        if (!m_run) return;
        tellPreviews(m_run->config());
        m_previews.set(m_run->data().previews);
        m_previews.setFavourites(favouritesOf(m_run->data().moments));
        m_previewNote->setVisible(m_previews.rowCount() > 0);
        m_larger->setEnabled(m_previews.rowCount() > 0);
        const QString none = wordsForNone();
        m_strip->setEmptyText(none);
        m_strip->setAccessibleDescription(m_previews.rowCount() == 0 ? none : QString());
    };
    if (run != nullptr) connect(run, &RunSession::changed, this, take);
    take();
}

} // namespace homebooth::app
