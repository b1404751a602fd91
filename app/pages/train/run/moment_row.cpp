// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/moment_row.h"

#include "app/engine/figures.h"
#include "app/engine/runs/run_session.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/run/moment_menu.h"
#include "app/theme/metrics.h"
#include "app/widgets/pictures/thumbnail_grid.h"

#include <QBoxLayout>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>
#include <map>

namespace homebooth::app {
namespace {

constexpr int kSide = 96;
constexpr int kFrame = 24; // of a cell, with the space to the next one
constexpr int kLeastToChoose = 2;

QString stepText(int64_t step) {
    return MomentModel::tr("step %1").arg(countText(step));
}

/// What pictures of a step there are beside the one that stands for it; empty: none. They are left out where
/// previews are not wanted, or memory lacks. An autoencoder's have no prompts.
QString othersText(const RunSession& run) {
    const std::vector<core::PreviewEvent>& previews = run.data().previews;
    const bool any = !learnsAutoencoder(run.config()) &&
                     std::any_of(previews.begin(), previews.end(),
                                 [](const core::PreviewEvent& preview) { return preview.index > 0; });
    return !any ? QString()
           : previewsElsewhere(run.config())
               ? MomentRow::tr("Enlarge one: the picture after it is on a beach.")
               : MomentRow::tr("Enlarge one: its pictures of the other prompts come after it.");
}

} // namespace

std::vector<RunMoment> momentsOf(const RunSession& run) {
    const RunData& seen = run.data();
    std::map<int64_t, RunMoment> moments;
    for (const core::PreviewEvent& preview : seen.previews) {
        RunMoment& moment = moments[preview.step];
        if (moment.picture.isEmpty()) moment.picture = QString::fromStdString(preview.path);
    }
    for (const Moment& saved : seen.moments) {
        moments[saved.step].checkpoint = saved.path;
        moments[saved.step].lora = saved.lora;
        moments[saved.step].favourite = saved.favourite;
    }
    if (run.phase() == RunPhase::Done && !(run.resultModel().isEmpty() && run.resultLora().isEmpty())) {
        moments[seen.step()].result = true;
        moments[seen.step()].lora = !run.resultLora().isEmpty();
    }
    std::vector<RunMoment> list;
    for (auto& [step, moment] : moments) {
        moment.step = step;
        list.push_back(moment);
    }
    return list;
}

QString peakText(const RunSession& run) {
    const std::optional<core::OutcomeEvent>& outcome = run.data().outcome;
    if (!outcome) return {};
    const bool device = outcome->measured.deviceBytes > 0;
    int64_t peak = device ? outcome->measured.deviceBytes : outcome->measured.residentBytes;
    if (peak <= 0) return {};
    for (const MemorySample& sample : run.data().memory) // of what came before it was trained further
        peak = std::max(peak, usedBytes(device ? sample.device : sample.ram));
    const core::ResourceUse use = run.data().plan ? run.data().plan->predicted : core::ResourceUse{};
    const int64_t planned = device ? use.deviceBytes : use.ramBytes;
    const QString text = planned > 0
                             ? MomentRow::tr("Peak %1, planned %2").arg(memoryText(peak), memoryText(planned))
                             : MomentRow::tr("Peak %1").arg(memoryText(peak));
    const int64_t processes = run.config().parallel.processes;
    return processes > 1 ? MomentRow::tr("%1, in one of %2 processes").arg(text).arg(processes) : text;
}

void MomentModel::set(std::vector<RunMoment> moments) {
    if (moments == m_moments) return;
    beginResetModel();
    m_moments = std::move(moments);
    endResetModel();
}

int MomentModel::rowOf(int64_t step) const {
    const auto found = std::find_if(m_moments.begin(), m_moments.end(),
                                    [step](const RunMoment& one) { return one.step == step; });
    return found == m_moments.end() ? -1 : static_cast<int>(found - m_moments.begin());
}

int MomentModel::best() const {
    int best = -1;
    for (int row = 0; row < rowCount(); ++row)
        if (at(row).kept() && (best < 0 || !at(best).result)) best = row;
    return best;
}

int MomentModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_moments.size());
}

QVariant MomentModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RunMoment& moment = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case StateTextRole:
        return stepText(moment.step);
    case Qt::AccessibleTextRole:
        return !moment.kept()     ? tr("%1, not saved").arg(stepText(moment.step))
               : moment.favourite ? tr("Favourite: %1").arg(stepText(moment.step))
                                  : stepText(moment.step);
    case Qt::ToolTipRole:
        return moment.result ? tr("The end of the training")
               : moment.kept()
                   ? tr("Saved: can make pictures, and be trained further")
                   : tr("Only this picture is left of it: the training did not keep the model of this step.");
    case PathRole:
        return moment.picture;
    case OverlayRole:
        return moment.picture.isEmpty() ? tr("no preview") : QString();
    case DimmedRole:
        return !moment.kept();
    case FavouriteRole:
        return moment.favourite;
    case StateRole:
        return static_cast<int>(moment.kept() ? ThumbnailState::None : ThumbnailState::LeftOut);
    default:
        return {};
    }
}

MomentRow::MomentRow(Thumbnails& thumbnails, QWidget* parent)
    : Card(parent)
    , m_grid(new ThumbnailGrid(thumbnails))
    , m_figures(new MutedLabel)
    , m_note(new MutedLabel) {
    auto* column = new QVBoxLayout(this);
    tidy(column, kGapBlock, kGapLabel);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGapBlock);
    auto* title = new ElidedLabel(tr("Which moment is best?"));
    setTypeRole(title, TypeRole::Section);
    head->addWidget(title, 1);
    m_figures->setWordWrap(false);
    head->addWidget(m_figures);
    column->addLayout(head);
    m_grid->setModel(&m_model);
    m_grid->setLook(kSide, 1);
    m_grid->setSelectionMode(QAbstractItemView::SingleSelection);
    m_grid->setWrapping(false);
    m_grid->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_grid->setAccessibleName(tr("Moments of the training"));
    column->addWidget(m_grid);
    column->addLayout(makeFoot());
    hide();
    connect(m_grid->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& now) {
                if (!m_taking && now.isValid()) choose(now.row());
            });
    const auto open = [this](const QModelIndex& index) {
        // Of a step without a preview there is nothing to look at.
        if (const QString path = index.data(PathRole).toString(); !path.isEmpty()) Q_EMIT largeWanted(path);
    };
    connect(m_grid, &ThumbnailGrid::opened, this, open);
    connect(m_grid, &ThumbnailGrid::large, this, open);
    m_grid->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_grid, &QWidget::customContextMenuRequested, this, &MomentRow::openMenu);
}

void MomentRow::openMenu(const QPoint& place) {
    const std::optional<RunMoment> now = chosen(); // the one that was clicked
    if (!m_run || !now) return;
    openMomentMenu(*m_grid, m_grid->viewport()->mapToGlobal(place), *m_run, now->step,
                   [this, picture = now->picture] { Q_EMIT largeWanted(picture); });
}

QHBoxLayout* MomentRow::makeFoot() {
    auto* foot = new QHBoxLayout;
    foot->setSpacing(kGapBlock);
    foot->addWidget(m_note, 1);
    foot->addWidget(m_favourite = makeButton(tr("Favourite"), QStringLiteral("favourite"), "quiet"));
    m_favourite->setCheckable(true);
    m_favourite->setToolTip(keptAsFavouriteText());
    connect(m_favourite, &QPushButton::clicked, this, [this](bool favourite) {
        if (const std::optional<RunMoment> now = chosen(); m_run && now)
            m_run->setFavourite(now->step, favourite);
        tell(); // it is one once that is written
    });
    foot->addWidget(m_other = makeButton(tr("Other settings"), {}, "quiet"));
    m_other->setToolTip(tr("Opens the form for a new training. This one stays."));
    connect(m_other, &QPushButton::clicked, this, &MomentRow::formWanted);
    return foot;
}

void MomentRow::follow(RunSession* run) {
    if (m_run == run) return;
    if (m_run) m_run->disconnect(this);
    m_run = run;
    m_wanted = 0;
    if (run != nullptr) connect(run, &RunSession::changed, this, &MomentRow::take);
    take();
}

void MomentRow::take() {
    const bool ended = m_run && !m_run->active() && m_run->phase() != RunPhase::Waiting &&
                       m_run->phase() != RunPhase::Reading;
    const bool choosable = ended && !learnsAutoencoder(m_run->config());
    const std::optional<RunMoment> before = chosen();
    if (m_run && m_run->active()) m_wanted = 0; // it trains further, and what comes of that is wanted
    m_taking = true;
    m_model.set(choosable ? momentsOf(*m_run) : std::vector<RunMoment>());
    const int wanted = m_model.rowOf(m_wanted);
    const int row = wanted >= 0 ? wanted : m_model.best();
    if (row >= 0) {
        m_grid->setCurrentIndex(m_model.index(row));
        m_grid->scrollTo(m_model.index(row));
    }
    m_taking = false;
    const bool shown = m_model.rowCount() >= kLeastToChoose;
    if (shown) m_figures->setText(peakText(*m_run));
    const int text = m_grid->fontMetrics().height() + kGapLabel;
    m_grid->setFixedHeight(kSide + kFrame + text + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
    tell();
    if (shown != !isHidden()) {
        setVisible(shown);
        Q_EMIT shownChanged(shown);
    }
    if (chosen() != before) Q_EMIT chosenChanged();
}

void MomentRow::choose(int row) {
    m_wanted = m_model.at(row).step;
    tell();
    Q_EMIT stepChosen(double(m_wanted));
    Q_EMIT chosenChanged();
}

void MomentRow::tell() {
    const std::optional<RunMoment> now = chosen();
    const bool kept = !now || now->kept();
    QString text =
        kept ? tr("Copies the photos too closely? Choose an earlier one.")
             : tr("Of %1 only the picture is left. The bright ones can make more.").arg(stepText(now->step));
    if (const QString others = m_run ? othersText(*m_run) : QString(); !others.isEmpty())
        text += ' ' + others;
    if (now && now->result) text += ' ' + tr("Not like it yet? Train further, or with other settings.");
    m_note->setText(text);
    m_favourite->setEnabled(now && !now->checkpoint.isEmpty());
    m_favourite->setChecked(now && now->favourite);
}

std::optional<RunMoment> MomentRow::chosen() const {
    const QModelIndex now = m_grid->currentIndex();
    if (!now.isValid()) return std::nullopt;
    return m_model.at(now.row());
}

int64_t MomentRow::latestStep() const {
    const int row = m_model.best();
    return row < 0 ? 0 : m_model.at(row).step;
}

} // namespace homebooth::app
