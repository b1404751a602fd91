// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/run/chart_board.h"

#include "app/charts/line_chart.h"
#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/figures.h"
#include "app/engine/runs/run_session.h"
#include "app/pages/train/run/chart_card.h"
#include "app/pages/train/run/rank_line.h"
#include "app/settings/settings.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QGridLayout>
#include <QLocale>

#include <algorithm>
#include <map>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kGridWidth = 900;   // from here on all four side by side
constexpr int kPairsHeight = 500; // below it one at a time
constexpr double kNotableWait = 0.02;

const core::TierMemory& tierOf(const MemorySample& sample, int tier) {
    return tier == 0 ? sample.device : tier == 1 ? sample.ram : sample.swap;
}

/// Whether it was saved once, but others came since and only the last ones are kept. What was saved after
/// those that are known of is still to be looked at.
bool isGone(int64_t step, const std::vector<Moment>& kept) {
    return !kept.empty() && step < kept.back().step &&
           std::none_of(kept.begin(), kept.end(), [step](const Moment& one) { return one.step == step; });
}

/// What happened at which step. What a step has several of is one mark.
std::vector<ChartMark> chartMarksOf(const RunData& seen) {
    std::map<int64_t, ChartMark> marks;
    const auto add = [&marks](int64_t step, const QString& word, bool rare) {
        ChartMark& mark = marks[step];
        mark.step = double(step);
        mark.label += mark.label.isEmpty() ? word : QStringLiteral(", ") + word;
        mark.rare = mark.rare || rare;
    };
    int64_t last = -1; // what the clock saved may be told of again, as it came to count
    for (const core::CheckpointEvent& saved : seen.checkpoints)
        if (std::exchange(last, saved.step) != saved.step && !isGone(saved.step, seen.moments))
            add(saved.step, ChartBoard::tr("saved"), false);
    last = -1; // several previews of a step
    for (const core::PreviewEvent& preview : seen.previews)
        if (std::exchange(last, preview.step) != preview.step)
            add(preview.step, ChartBoard::tr("preview"), false);
    for (const RunMark& mark : seen.marks)
        add(mark.step,
            mark.kind == RunMark::Kind::Paused      ? ChartBoard::tr("paused")
            : mark.kind == RunMark::Kind::Replanned ? ChartBoard::tr("replanned")
            : mark.kind == RunMark::Kind::DiskFull  ? ChartBoard::tr("disk full")
                                                    : ChartBoard::tr("resumed"),
            true);
    std::vector<ChartMark> list;
    for (auto& [step, mark] : marks) list.push_back(std::move(mark));
    return list;
}

/// An entry of a legend. @param sign  a shape, as HTML
QString legendEntry(const QColor& colour, const char* sign, const QString& name) {
    return QStringLiteral("<span style='color:%1'>%2</span>&nbsp;%3&nbsp;&nbsp; ")
        .arg(colour.name(), QLatin1String(sign), name.toHtmlEscaped());
}

} // namespace

ChartBoard::ChartBoard(QWidget* parent)
    : QWidget(parent)
    , m_loss(new LossChart)
    , m_memory(new MemoryChart)
    , m_rate(new LineChart(tr("Learning rate"), {}))
    , m_speed(new LineChart(tr("Speed"), tr("pictures/s"))) {
    auto* column = new QVBoxLayout(this);
    tidy(column, 0, kGapLabel);
    makeTabs();
    column->addWidget(m_tabs);
    m_grid = new QGridLayout;
    m_grid->setSpacing(kGapBlock);
    column->addLayout(m_grid, 1);
    makeCard(LossPlace, m_loss);
    makeCard(MemoryPlace, m_memory);
    makeCard(RatePlace, m_rate);
    makeCard(SpeedPlace, m_speed);
    makeLossControls();
    makeMemoryControls();
    m_waits = new MutedLabel;
    m_waits->hide();
    m_cards[SpeedPlace]->addBelow(m_waits);
    joinCharts();
    connect(&Theme::instance(), &Theme::changed, this, &ChartBoard::update); // legends
    arrange();
}

void ChartBoard::joinCharts() {
    // Steps stand below each other: both charts of a column have their left edge in common.
    for (const auto& [upper, lower] :
         {std::pair<Chart*, Chart*>{m_loss, m_memory}, std::pair<Chart*, Chart*>{m_rate, m_speed}}) {
        auto* margins = new QCPMarginGroup(upper);
        upper->axisRect()->setMarginGroup(QCP::msLeft, margins);
        lower->axisRect()->setMarginGroup(QCP::msLeft, margins);
    }
    for (const ChartCard* one : m_cards)
        for (const ChartCard* other : m_cards) {
            if (one == other) continue;
            const Chart* from = &one->chart();
            Chart* to = &other->chart();
            connect(from, &Chart::crosshairMoved, to, &Chart::showCrosshair);
            connect(from, &Chart::pinned, to, &Chart::setPinned);
            connect(from, &Chart::viewMoved, to, [from, to] { to->takeView(*from); });
        }
}

void ChartBoard::remember(Settings& settings) {
    m_logarithmic->setChecked(settings.flag(keys::kLossLogarithmic));
    connect(m_logarithmic, &QPushButton::toggled, this,
            [&settings](bool on) { settings.set(keys::kLossLogarithmic, on); });
}

void ChartBoard::makeCard(Place place, Chart* chart) {
    m_cards[place] = new ChartCard(chart);
    connect(m_cards[place], &ChartCard::exportWanted, this, [this, chart] { exportChart(chart); });
}

void ChartBoard::makeLossControls() {
    ChartCard& card = *m_cards[LossPlace];
    m_logarithmic = makeButton(tr("Logarithmic"), {}, "segment");
    m_logarithmic->setToolTip(tr("Shows small differences at low loss."));
    auto* fit = makeButton(tr("Fit"));
    fit->setToolTip(tr("Shows all steps again. Ctrl+wheel zooms, dragging pans."));
    card.addControl(fit);
    card.addControl(m_logarithmic);
    m_lossLegend = new MutedLabel;
    m_lossLegend->setTextFormat(Qt::RichText);
    m_lossLegend->setToolTip(tr("Held out: pictures that are never learned. Where their loss rises while the "
                                "trend falls, the others are copied."));
    m_lossLegend->hide();
    card.addBelow(m_lossLegend);
    m_parts = new MutedLabel;
    m_parts->setToolTip(
        tr("What the loss is the sum of, each with its weight: how far pixels are off (L1), edges and "
           "areas (in place of a perceptual loss), and how far packed pictures are from a spread "
           "of 1 around 0 (KL)."));
    m_parts->hide();
    card.addBelow(m_parts);
    m_note = new MutedLabel;
    card.addBelow(m_note);
    connect(m_logarithmic, &QPushButton::toggled, m_loss, &LossChart::setLogarithmic);
    connect(fit, &QPushButton::clicked, this, [this] {
        for (const ChartCard* one : m_cards) one->chart().fit();
    });
}

void ChartBoard::makeMemoryControls() {
    ChartCard& card = *m_cards[MemoryPlace];
    auto* group = new QButtonGroup(this);
    const QStringList names{tr("GPU"), tr("RAM"), tr("Swap")};
    for (int tier = 0; tier < names.size(); ++tier) {
        auto* button = makeButton(names[tier], {}, "segment");
        group->addButton(button, tier);
        m_tiers.append(button);
    }
    for (auto button = m_tiers.crbegin(); button != m_tiers.crend(); ++button) card.addControl(*button);
    m_tiers[m_tier]->setChecked(true);
    letTabFollowChoice(*group);
    connect(group, &QButtonGroup::idClicked, this, [this](int tier) {
        m_tierChosen = true;
        setTier(tier);
    });
    m_legend = new MutedLabel;
    m_legend->setTextFormat(Qt::RichText);
    card.addBelow(m_legend);
    card.addBelow(m_ranks = new RankLine);
    m_abovePlan = new MutedLabel;
    m_abovePlan->setWordWrap(true);
    m_abovePlan->hide();
    card.addBelow(m_abovePlan);
}

void ChartBoard::makeTabs() {
    m_tabs = new QWidget;
    auto* row = new QHBoxLayout(m_tabs);
    tidy(row, 0, kGapInside);
    const auto fill = [this, row](QList<QPushButton*>& tabs, const QStringList& names) {
        auto* group = new QButtonGroup(this);
        for (const QString& name : names) {
            auto* tab = makeButton(name, {}, "segment");
            group->addButton(tab);
            tabs.append(tab);
            row->addWidget(tab);
        }
        tabs.front()->setChecked(true);
        letTabFollowChoice(*group);
        connect(group, &QButtonGroup::buttonClicked, this, &ChartBoard::arrange);
    };
    fill(m_pairTabs, {tr("Loss and memory"), tr("Learning rate and speed")});
    fill(m_singleTabs, {tr("Loss"), tr("Memory"), tr("Learning rate"), tr("Speed")});
    row->addStretch();
}

void ChartBoard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const Arrangement fitting = height() < kPairsHeight ? Arrangement::Single
                                : width() >= kGridWidth ? Arrangement::Grid
                                                        : Arrangement::Pairs;
    if (fitting == m_arrangement) return;
    m_arrangement = fitting;
    arrange();
}

void ChartBoard::arrange() {
    const bool pairs = m_arrangement == Arrangement::Pairs;
    const bool single = m_arrangement == Arrangement::Single;
    m_tabs->setVisible(pairs || single);
    for (QPushButton* tab : m_pairTabs) tab->setVisible(pairs);
    for (QPushButton* tab : m_singleTabs) tab->setVisible(single);
    for (int place = 0; place < kPlaces; ++place) {
        const int column = place / 2;
        const bool seen = !pairs && !single ? true
                          : pairs           ? m_pairTabs[column]->isChecked()
                                            : m_singleTabs[place]->isChecked();
        m_cards[place]->setVisible(seen);
        // Behind tabs all stand in one column: an empty second one would take its part of the width.
        m_grid->addWidget(m_cards[place], place % 2, pairs || single ? 0 : column);
    }
    m_grid->setColumnStretch(0, 3);
    m_grid->setColumnStretch(1, pairs || single ? 0 : 2);
}

Chart* ChartBoard::currentChart() const {
    for (const ChartCard* card : m_cards)
        if (card->chart().hasFocus()) return &card->chart();
    for (const ChartCard* card : m_cards)
        if (!card->isHidden()) return &card->chart();
    return m_loss;
}

void ChartBoard::showStep(double step) {
    m_shownAtEnd = m_run && !m_run->active();
    for (const ChartCard* card : m_cards) card->chart().showCrosshair(step);
}

void ChartBoard::follow(RunSession* run) {
    if (m_run == run) return;
    if (m_run) m_run->disconnect(this);
    m_run = run;
    m_shownAtEnd = false;
    m_generation = -1;
    m_tierChosen = false;
    for (const ChartCard* card : m_cards) { // what was looked at were another one's steps
        card->chart().fit();
        card->chart().setPinned(false);
        card->chart().showCrosshair(-1.0);
        card->chart().beginAnew();
    }
    m_loss->setBeside({});
    if (run != nullptr) connect(run, &RunSession::changed, this, &ChartBoard::update);
    update();
}

void ChartBoard::setTier(int tier) {
    m_tier = tier;
    m_tiers[tier]->setChecked(true);
    m_memory->clear();
    m_memoryShown = 0;
    update();
}

void ChartBoard::addNewSamples(const RunData& seen) {
    for (; m_stepsShown < seen.steps.size(); ++m_stepsShown) {
        const StepSample& step = seen.steps[m_stepsShown];
        m_loss->append(double(step.step), step.loss);
        m_rate->append(double(step.step), step.learningRate);
        m_speed->append(double(step.step), double(step.samplesPerSecond));
    }
    for (; m_heldOutShown < seen.heldOut.size(); ++m_heldOutShown)
        m_loss->appendHeldOut(double(seen.heldOut[m_heldOutShown].step), seen.heldOut[m_heldOutShown].loss);
    for (; m_memoryShown < seen.memory.size(); ++m_memoryShown)
        m_memory->append(double(seen.memory[m_memoryShown].step), tierOf(seen.memory[m_memoryShown], m_tier));
}

void ChartBoard::update() {
    if (!m_run) return;
    const RunData& seen = m_run->data();
    // A moment that was chosen at the end is of no account once the run goes on.
    if (m_run->active() && std::exchange(m_shownAtEnd, false))
        for (const ChartCard* card : m_cards) card->chart().showCrosshair(-1.0);
    if (seen.generation != m_generation) {
        m_generation = seen.generation;
        m_loss->clear();
        m_rate->clear();
        m_speed->clear();
        m_memory->clear();
        m_stepsShown = m_heldOutShown = m_memoryShown = 0;
    }
    if (!seen.memory.empty()) {
        const int used = usedBytes(seen.memory.back().device) > 0 ? 0 : 1;
        // What is used no more, as where a run goes on without its card, is no choice: it cannot be seen.
        if (m_tier != 1 && usedBytes(tierOf(seen.memory.back(), m_tier)) <= 0) m_tierChosen = false;
        if (!m_tierChosen && used != m_tier) return setTier(used);
    }
    addNewSamples(seen);
    const auto left = m_run->active() && !m_run->stopping() ? m_run->secondsLeft() : std::nullopt;
    m_loss->setBeside(left ? timeLeftText(*left) : QString());
    showTier(seen);
    showAbovePlan();
    showMarks(seen);
    showHeads(seen);
    showLossNotes();
    showLossParts(seen);
    showMemoryLegend(seen);
    showRanks(seen);
    showWaits(seen);
    for (ChartCard* card : m_cards) card->refresh();
}

void ChartBoard::showTier(const RunData& seen) {
    // Without a plan there is none: what is drawn may be that of the run that was looked at before.
    const core::ResourceUse use = seen.plan ? seen.plan->predicted : core::ResourceUse();
    m_memory->setPlanned(m_tier == 0 ? use.deviceBytes : m_tier == 1 ? use.ramBytes : use.swapBytes);
    m_memory->setLimit(m_tier == 0   ? seen.budget.deviceBytes // what the plan counts with
                       : m_tier == 1 ? seen.budget.ramBytes
                                     : seen.config.memory.swapBytes);
    for (int tier : {0, 2}) {
        const bool used = !seen.memory.empty() && usedBytes(tierOf(seen.memory.back(), tier)) > 0;
        m_tiers[tier]->setVisible(used);
    }
    // RAM alone is nothing to choose from.
    m_tiers[1]->setVisible(!m_tiers[0]->isHidden() || !m_tiers[2]->isHidden());
}

void ChartBoard::showAbovePlan() {
    constexpr double kNotable = 1.03;
    const double planned = m_memory->plannedBytes();
    const bool above = planned > 0.0 && m_memory->nowBytes() > kNotable * planned;
    m_abovePlan->setVisible(above);
    if (!above) return;
    const QString much = QLocale().toString(qRound(100.0 * (m_memory->nowBytes() / planned - 1.0)));
    m_abovePlan->setText(
        m_tier == 1
            ? tr("%1 % above the plan: what the program's libraries take can only be estimated.").arg(much)
            : tr("%1 % above the plan: computing takes more room than was predicted. If memory runs "
                 "short, a leaner plan follows.")
                  .arg(much));
}

void ChartBoard::showMarks(const RunData& seen) {
    const std::vector<ChartMark> marks = chartMarksOf(seen);
    for (Chart* chart : std::initializer_list<Chart*>{m_loss, m_memory}) chart->setMarks(marks);
    for (const ChartCard* card : m_cards) {
        card->chart().setAllSteps(double(seen.config.steps));
        card->chart().setLastStep(double(seen.step()));
    }
}

void ChartBoard::showHeads(const RunData& seen) {
    const QLocale words;
    const auto say = [this](Place place, const QString& text) { m_cards[place]->setHead(text); };
    const QString loss = seen.steps.empty() ? tr("Loss")
                                            : tr("Loss  now %1, trend %2")
                                                  .arg(words.toString(m_loss->now(), 'f', 3),
                                                       words.toString(m_loss->trend(), 'f', 3));
    say(LossPlace, seen.steps.empty() || !m_loss->holdsOut()
                       ? loss
                       : tr("%1, held out %2").arg(loss, words.toString(m_loss->heldOut(), 'f', 3)));
    const QString where = m_tier == 0   ? tr("Memory on the graphics card")
                          : m_tier == 1 ? tr("Memory in RAM")
                                        : tr("Memory in swap");
    say(MemoryPlace, seen.memory.empty() ? where : QStringLiteral("%1  %2").arg(where, m_memory->nowText()));
    say(RatePlace, QStringLiteral("%1  %2").arg(tr("Learning rate"), m_rate->nowText()).trimmed());
    say(SpeedPlace, QStringLiteral("%1  %2").arg(tr("Speed"), m_speed->nowText()).trimmed());
}

void ChartBoard::showLossNotes() {
    const Colours& c = colours();
    m_lossLegend->setVisible(m_loss->holdsOut());
    m_lossLegend->setText(legendEntry(c.lossRaw, "&#9472;", tr("Loss")) +
                          legendEntry(c.lossSmooth, "&#9473;", tr("Trend")) +
                          legendEntry(c.heldOut, "&#9679;", tr("Held-out pictures")));
    m_note->setText(
        m_loss->logarithmic() && m_loss->skipped() > 0
            ? tr("%n value(s) of 0 or less cannot be shown on this axis.", nullptr, m_loss->skipped())
            : tr("Jumping is normal: judge by the previews."));
}

void ChartBoard::showLossParts(const RunData& seen) {
    const std::pair<const char*, QString> names[] = {{"pixels", tr("pixels %1")},
                                                     {"edges", tr("edges %1")},
                                                     {"areas", tr("areas %1")},
                                                     {"divergence", tr("spread %1")}};
    QStringList parts;
    for (const auto& [key, text] : names)
        if (const auto found = seen.lossParts.find(key); found != seen.lossParts.end())
            parts.append(text.arg(QLocale().toString(found->second, 'g', 3)));
    m_parts->setVisible(!parts.isEmpty());
    m_parts->setText(tr("Now %1").arg(parts.join(QStringLiteral(" + "))));
}

void ChartBoard::showMemoryLegend(const RunData& seen) {
    QString legend;
    for (int kind = 0; kind < kMemoryKinds; ++kind) {
        if (seen.memory.empty() ||
            bytesOf(tierOf(seen.memory.back(), m_tier), static_cast<MemoryKind>(kind)) <= 0)
            continue;
        legend += legendEntry(colours().memory[static_cast<size_t>(kind)], "&#9632;",
                              memoryKindName(static_cast<MemoryKind>(kind)));
    }
    if (m_memory->showsOthers()) legend += legendEntry(colours().muted, "&#9640;", tr("Other programs"));
    m_legend->setText(legend);
}

void ChartBoard::showRanks(const RunData& seen) {
    std::vector<int64_t> bytes;
    if (m_tier < 2) // the engine swaps for one process alone
        for (const core::RankMemory& one : seen.rankMemory)
            bytes.push_back(m_tier == 0 ? one.deviceBytes : one.ramBytes);
    m_ranks->show(bytes);
}

void ChartBoard::showWaits(const RunData& seen) {
    const double part = seen.waitingPart();
    m_waits->setVisible(part > kNotableWait);
    m_waits->setText(
        tr("Waiting for pictures: %1 % of the time").arg(QLocale().toString(qRound(100.0 * part))));
}

} // namespace homebooth::app
