// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/train_progress.h"

#include "app/charts/loss_chart.h"
#include "app/charts/memory_chart.h"
#include "app/engine/run_session.h"
#include "app/shell/job_bar.h"
#include "app/theme/metrics.h"
#include "app/widgets/parts.h"
#include "core/base/system/memory_facts.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QFileDialog>

namespace homebooth::app {
namespace {

constexpr int kPreviewSide = 116;
constexpr int kPreviewWidth = 168;

const core::TierMemory& tierOf(const MemorySample& sample, int tier) {
    return tier == 0 ? sample.device : tier == 1 ? sample.ram : sample.swap;
}

} // namespace

TrainProgress::TrainProgress(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services) {
    auto* row = new QHBoxLayout(this);
    tidy(row, 0, kGapBlock);
    row->addWidget(makeCharts(), 1);
    row->addWidget(m_previewPart = makePreviews());
}

QWidget* TrainProgress::makeCharts() {
    auto* charts = new QWidget;
    auto* column = new QVBoxLayout(charts);
    tidy(column, 0, kGapBlock);
    auto* lossCard = new Card;
    auto* loss = new QVBoxLayout(lossCard);
    tidy(loss, kGapBlock, kGapLabel);
    auto* head = new QHBoxLayout;
    m_lossHead = makeLabel(tr("Loss"), TypeRole::Section);
    auto* logarithmic = makeButton(tr("Logarithmic"), {}, "segment");
    logarithmic->setToolTip(tr("Shows small differences at low loss."));
    auto* fit = makeButton(tr("Fit"));
    fit->setToolTip(tr("Shows all steps again. Ctrl+wheel zooms, dragging pans."));
    auto* save = makeIconButton(QStringLiteral("export"), tr("Export the chart"));
    head->addWidget(m_lossHead, 1);
    head->addWidget(logarithmic);
    head->addWidget(fit);
    head->addWidget(save);
    m_loss = new LossChart;
    m_note = new MutedLabel(tr("Jumping is normal: judge by the previews."));
    loss->addLayout(head);
    loss->addWidget(m_loss, 1);
    loss->addWidget(m_note);
    auto* memoryCard = new Card;
    auto* memory = new QVBoxLayout(memoryCard);
    tidy(memory, kGapBlock, kGapLabel);
    m_memory = new MemoryChart;
    m_legend = new MutedLabel;
    m_legend->setTextFormat(Qt::RichText);
    memory->addWidget(makeMemoryHead());
    memory->addWidget(m_memory, 1);
    memory->addWidget(m_legend);
    column->addWidget(lossCard, 1);
    column->addWidget(memoryCard, 1);
    auto* margins = new QCPMarginGroup(m_loss);
    m_loss->axisRect()->setMarginGroup(QCP::msLeft, margins);
    connect(logarithmic, &QPushButton::toggled, m_loss, &LossChart::setLogarithmic);
    connect(fit, &QPushButton::clicked, this, [this] {
        m_loss->fit();
        m_memory->fit();
    });
    connect(save, &QToolButton::clicked, this, &TrainProgress::exportChart);
    connect(m_loss, &Chart::crosshairMoved, m_memory, &Chart::showCrosshair);
    connect(m_memory, &Chart::crosshairMoved, m_loss, &Chart::showCrosshair);
    return charts;
}

QWidget* TrainProgress::makeMemoryHead() {
    auto* part = new QWidget;
    auto* row = new QHBoxLayout(part);
    tidy(row, 0, kGapInside);
    m_memoryHead = makeLabel(tr("Memory"), TypeRole::Section);
    row->addWidget(m_memoryHead, 1);
    auto* group = new QButtonGroup(this);
    const QStringList names{tr("GPU"), tr("RAM"), tr("Swap")};
    for (int tier = 0; tier < names.size(); ++tier) {
        auto* button = makeButton(names[tier], {}, "segment");
        group->addButton(button, tier);
        m_tiers.append(button);
        row->addWidget(button);
    }
    m_tiers[m_tier]->setChecked(true);
    connect(group, &QButtonGroup::idClicked, this, [this](int tier) {
        m_tierChosen = true;
        setTier(tier);
    });
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
    m_strip->setEmptyText(tr("The first preview comes soon."));
    m_strip->setAccessibleName(tr("Previews"));
    column->addWidget(makeLabel(tr("Previews"), TypeRole::Section));
    column->addWidget(m_strip, 1);
    column->addWidget(new MutedLabel(tr("Same prompt, same seed.")));
    connect(m_strip, &ThumbnailGrid::opened, this,
            [this](const QModelIndex& index) { Q_EMIT largeWanted(index.data(PathRole).toString()); });
    connect(m_strip, &ThumbnailGrid::large, this,
            [this](const QModelIndex& index) { Q_EMIT largeWanted(index.data(PathRole).toString()); });
    connect(m_strip, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const double step = index.data(PreviewModel::StepRole).toDouble();
        m_loss->showCrosshair(step);
        m_memory->showCrosshair(step);
    });
    connect(
        &m_previews, &QAbstractItemModel::rowsInserted, m_strip, [this] { m_strip->scrollToBottom(); },
        Qt::QueuedConnection);
    return card;
}

void TrainProgress::setCompact(bool compact) {
    m_previewPart->setFixedWidth(compact ? kPreviewWidth - 16 : kPreviewWidth);
}

Chart* TrainProgress::currentChart() const {
    return m_memory->hasFocus() ? static_cast<Chart*>(m_memory) : m_loss;
}

void TrainProgress::follow(RunSession* run) {
    if (m_run == run) return;
    if (m_run) m_run->disconnect(this);
    m_run = run;
    m_generation = -1;
    m_tierChosen = false;
    if (run != nullptr) connect(run, &RunSession::changed, this, &TrainProgress::update);
    update();
}

void TrainProgress::rebuild() {
    m_loss->clear();
    m_memory->clear();
    m_stepsShown = 0;
    m_memoryShown = 0;
}

void TrainProgress::addNewSamples() {
    const RunData& seen = m_run->data();
    for (; m_stepsShown < seen.steps.size(); ++m_stepsShown)
        m_loss->append(double(seen.steps[m_stepsShown].step), seen.steps[m_stepsShown].loss);
    for (; m_memoryShown < seen.memory.size(); ++m_memoryShown)
        m_memory->append(double(seen.memory[m_memoryShown].step), tierOf(seen.memory[m_memoryShown], m_tier));
}

void TrainProgress::setTier(int tier) {
    m_tier = tier;
    m_tiers[tier]->setChecked(true);
    m_memory->clear();
    m_memoryShown = 0;
    update();
}

void TrainProgress::update() {
    if (!m_run) return;
    const RunData& seen = m_run->data();
    if (seen.generation != m_generation) {
        m_generation = seen.generation;
        rebuild();
    }
    if (!m_tierChosen && !seen.memory.empty()) {
        const int used = usedBytes(seen.memory.back().device) > 0 ? 0 : 1;
        if (used != m_tier) return setTier(used);
    }
    addNewSamples();
    constexpr int64_t kLeastShown = 10;
    const double last = double(std::max(seen.step(), kLeastShown));
    m_loss->setLastStep(last);
    m_memory->setLastStep(last);
    std::vector<ChartMark> marks;
    for (const core::CheckpointEvent& saved : seen.checkpoints)
        marks.push_back({double(saved.step), tr("saved")});
    m_loss->setMarks(marks);
    if (seen.plan) {
        const core::ResourceUse& use = seen.plan->predicted;
        m_memory->setPlanned(m_tier == 0 ? use.deviceBytes : m_tier == 1 ? use.ramBytes : use.swapBytes);
    }
    int64_t limit = 0;
    if (m_tier == 1)
        limit = m_run->config().memory.ramBytes > 0 ? m_run->config().memory.ramBytes
                                                    : core::memoryFacts().totalBytes;
    if (m_tier == 0 && !seen.memory.empty())
        limit = usedBytes(seen.memory.back().device) + seen.memory.back().device.freeBytes;
    m_memory->setLimit(limit);
    m_previews.set(seen.previews);
    m_loss->invalidate();
    m_memory->invalidate();
    showHeads();
}

void TrainProgress::showHeads() {
    const RunData& seen = m_run->data();
    const QLocale words;
    m_lossHead->setText(seen.steps.empty() ? tr("Loss")
                                           : tr("Loss  now %1, trend %2")
                                                 .arg(words.toString(m_loss->now(), 'f', 3),
                                                      words.toString(m_loss->trend(), 'f', 3)));
    const QString where = m_tier == 0   ? tr("Memory on the graphics card")
                          : m_tier == 1 ? tr("Memory in RAM")
                                        : tr("Memory in swap");
    m_memoryHead->setText(
        seen.memory.empty() ? where
                            : QStringLiteral("%1  %2").arg(where, memoryText(int64_t(m_memory->nowBytes()))));
    m_note->setText(
        m_loss->logarithmic() && m_loss->skipped() > 0
            ? tr("%n value(s) of 0 or less cannot be shown on this axis.", nullptr, m_loss->skipped())
            : tr("Jumping is normal: judge by the previews."));
    QString legend;
    for (int kind = 0; kind < kMemoryKinds; ++kind) {
        if (seen.memory.empty() ||
            bytesOf(tierOf(seen.memory.back(), m_tier), static_cast<MemoryKind>(kind)) <= 0)
            continue;
        legend += QStringLiteral("<span style='color:%1'>&#9632;</span>&nbsp;%2&nbsp;&nbsp; ")
                      .arg(colours().memory[static_cast<size_t>(kind)].name(),
                           memoryKindName(static_cast<MemoryKind>(kind)).toHtmlEscaped());
    }
    m_legend->setText(legend);
    for (int tier : {0, 2}) {
        const bool used = !seen.memory.empty() && usedBytes(tierOf(seen.memory.back(), tier)) > 0;
        m_tiers[tier]->setVisible(used);
    }
}

void TrainProgress::exportChart() {
    auto* dialog = new QFileDialog(this, tr("Export the chart"), QDir::homePath() + tr("/loss.png"),
                                   tr("Picture (*.png);;Drawing (*.svg);;All values (*.csv)"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).section(')', 0, 0));
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { m_loss->exportTo(path); });
    dialog->open();
}

} // namespace homebooth::app
