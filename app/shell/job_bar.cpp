// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/job_bar.h"

#include "app/engine/figures.h"
#include "app/engine/gpu_answer.h"
#include "app/engine/number_format.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/shell/memory_gauge.h"
#include "app/theme/metrics.h"
#include "app/theme/theme.h"
#include "app/widgets/parts.h"
#include "app/widgets/spoken.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"

#include <QBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>

#include <utility>

namespace homebooth::app {
namespace {
constexpr int kTickMs = 1000;
constexpr int kCardMs = 10'000;
constexpr int kBusyMs = 40; // while the bar wanders
constexpr int kProgressWidth = 150;
constexpr int kLetters = 130; // of all that is said in one line, with its bars

/// What is worth interrupting somebody who listens: it changes with each quarter and each saved moment, and
/// where somebody is needed, not with each step.
QString milestoneOf(const RunSession& run) {
    constexpr int kQuarters = 4;
    QString text = run.title();
    if (const int quarter = static_cast<int>(run.progress() * kQuarters); quarter > 0)
        text += QStringLiteral(", ") + JobBar::tr("%1 % done").arg(100 / kQuarters * quarter);
    if (run.phase() == RunPhase::DiskFull) text += QStringLiteral(", ") + run.phaseText();
    if (const std::optional<int64_t> saved = run.data().savedStep())
        text += QStringLiteral(", ") + JobBar::tr("saved at %1").arg(countText(*saved));
    return text;
}
} // namespace

JobBar::JobBar(Services services, QWidget* parent)
    : QWidget(parent)
    , m_services(services)
    , m_text(new ElidedLabel)
    , m_progress(new QProgressBar)
    , m_detail(new ElidedLabel)
    , m_status(new SpokenStatus(this))
    , m_pause(makeButton(tr("Pause")))
    , m_stop(makeButton(tr("Stop")))
    , m_gpu(new MemoryGauge(tr("GPU")))
    , m_ram(new MemoryGauge(tr("RAM"))) {
    setFixedHeight(kJobBarHeight);
    setAccessibleName(tr("Job"));
    setCursor(Qt::PointingHandCursor);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Progress of the job"));
    m_text->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_detail->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    arrange();
    takeQuickClicksAsOne(m_stop); // the next job follows at once
    connect(&Theme::instance(), &Theme::changed, this, &JobBar::fit);
    connect(m_pause, &QPushButton::clicked, this, &JobBar::pauseOrContinue);
    connect(m_stop, &QPushButton::clicked, this, &JobBar::stop);
    followJobs();
    connect(&m_tick, &QTimer::timeout, this, &JobBar::refresh);
    m_tick.start(kTickMs);
    connect(&m_busy, &QTimer::timeout, m_progress, qOverload<>(&QWidget::update));
    connect(&services.gpus, &GpuAnswer::changed, this, &JobBar::takeCard);
    takeCard();
    services.gpus.want();
    refresh();
}

void JobBar::followJobs() {
    const Generator& generator = m_services.generator;
    connect(&m_services.runs, &RunCentre::currentChanged, this, [this] { m_picturesEnded = false; });
    connect(&generator, &Generator::begun, this, [this, &generator] {
        const int64_t request = generator.jobs().empty() ? 0 : generator.jobs().front().request;
        if (request != 0 && request == m_pictures.request) return;
        m_status->say(std::exchange(m_picturesEnd, {})); // of those before; else what was said is over
        m_pictures = {request};
        m_picturesEnded = false;
    });
    connect(&generator, &Generator::ended, this, [this, &generator](bool complete) {
        m_pictures.made += generator.picturesDone();
        m_pictures.complete = m_pictures.complete && complete;
        if (complete || m_pictures.made > 0) m_picturesEnded = true;
        m_picturesEnd = m_pictures.complete ? tr("Finished") : tr("Not finished");
        if (m_pictures.made > 0)
            m_picturesEnd += QStringLiteral(", ") + tr("%n picture(s)", nullptr, m_pictures.made);
    });
    for (const auto signal : {&RunCentre::currentChanged, &RunCentre::workChanged, &RunCentre::progressed,
                              &RunCentre::phaseChanged})
        connect(&m_services.runs, signal, this, &JobBar::refresh);
    connect(&generator, &Generator::changed, this, &JobBar::refresh);
}

void JobBar::takeCard() {
    const core::GpuFacts* gpus = m_services.gpus.facts();
    if (gpus == nullptr) return; // what was known of them stays
    rememberFormat(m_services.settings, gpus->devices);
    askRoom(gpus->devices);
}

void JobBar::askRoom(const std::vector<core::GpuDevice>& cards) {
    if (cards.empty()) return; // none will come
    const auto take = [this, cards](const std::vector<core::GpuLoad>& loads) {
        const int64_t free = loads.empty() ? -1 : loads.front().freeBytes;
        if (free >= 0) setCard(cards.front().totalBytes, free);
        QTimer::singleShot(kCardMs, this, [this, cards] { askRoom(cards); }); // other programs come and go
    };
    inBackground(
        this, [cards] { return core::gpuLoads(cards); }, take);
}

void JobBar::setCard(int64_t totalBytes, int64_t freeBytes) {
    if (totalBytes <= 0 || m_services.runs.working() != nullptr) return; // a training knows better
    m_card = {};
    m_card.freeBytes = freeBytes;
    m_card.otherBytes = totalBytes - freeBytes;
    m_cardTime.start();
    refresh();
}

void JobBar::arrange() {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kPageMargin, kGapInside, kPageMargin, kGapInside);
    row->setSpacing(kGapBlock);
    row->addWidget(m_text);
    row->addWidget(m_progress);
    row->addWidget(m_detail, 1);
    row->addWidget(m_pause);
    row->addWidget(m_stop);
    row->addSpacing(kGapBlock);
    row->addWidget(m_gpu);
    row->addWidget(m_ram);
}

void JobBar::setCompact(bool compact) {
    m_compact = compact;
    fit();
}

void JobBar::fit() {
    const bool tight = m_compact || width() < kLetters * fontMetrics().averageCharWidth();
    for (MemoryGauge* gauge : {m_gpu, m_ram}) gauge->setCompact(tight);
    m_progress->setFixedWidth(tight ? kProgressWidth / 2 : kProgressWidth);
    m_text->setMaximumWidth(width() / 3); // a long name leaves room for the time that is left
}

void JobBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void JobBar::refresh() {
    if (m_services.runs.busy())
        showTraining();
    else if (m_services.generator.busy())
        showPictures();
    else
        showReady();
    if (!m_services.generator.busy() && !m_picturesEnd.isEmpty())
        m_status->say(std::exchange(m_picturesEnd, {}));
    if (m_progress->accessibleDescription() != m_detail->fullText()) // its label has another name
        m_progress->setAccessibleDescription(m_detail->fullText());
    showMemory();
}

void JobBar::showMemory() {
    const core::MemoryFacts memory = core::memoryFacts();
    int64_t ours = core::residentBytes();
    for (const RunSession* run : m_services.runs.allWorking()) ours += ramOfAllProcesses(run->data());
    showCard();
    const RunSession* working = m_services.runs.working();
    const core::MemoryConfig limits = working != nullptr ? working->config().memory : core::MemoryConfig();
    const bool onCard = limits.device != core::ComputeDevice::Cpu;
    m_gpu->setLimit(onCard ? limits.deviceBytes : 0);
    m_ram->setLimit(limits.ramBytes);
    const int64_t used = memory.totalBytes - memory.availableBytes;
    m_ram->set(std::min(ours, used), std::max<int64_t>(0, used - ours), memory.totalBytes);
}

void JobBar::showCard() {
    const RunSession* run = m_services.runs.working();
    if (run != nullptr && !run->data().memory.empty()) {
        const MemorySample& last = run->data().memory.back();
        const int64_t device = usedBytes(last.device);
        const int64_t total = device > 0 ? device + last.device.otherBytes + last.device.freeBytes : 0;
        m_gpu->set(device, last.device.otherBytes, total);
        m_gpu->setStale(0.0);
        if (total > 0)
            m_cardTime.start();
        else
            m_cardTime.invalidate();
        m_card = last.device;
    } else if (m_cardTime.isValid()) {
        const int64_t device = usedBytes(m_card);
        m_gpu->set(device, m_card.otherBytes, device + m_card.otherBytes + m_card.freeBytes);
        m_gpu->setStale(qMax(1.0, double(m_cardTime.elapsed()) / 1000.0));
    } else {
        m_gpu->set(0, 0, 0);
    }
}

void JobBar::showTraining() {
    const RunSession& run = *m_services.runs.working();
    m_training = true;
    m_picturesEnded = false;
    const RunPhase phase = run.phase();
    const bool counts = phase == RunPhase::Learning || phase == RunPhase::Saving ||
                        phase == RunPhase::Previewing || run.standsStill();
    m_text->setFullText(counts ? tr("Training %1").arg(run.title()) : run.phaseText());
    m_progress->show();
    showProgress(run.shownProgress());
    QString detail = counts ? tr("%1 of %2").arg(countText(run.data().step()), countText(run.config().steps))
                            : run.title();
    if (phase == RunPhase::Learning || run.makesExamples())
        if (const auto left = run.secondsLeft()) detail += QStringLiteral(", ") + timeLeftText(*left);
    if (counts && (phase != RunPhase::Learning || run.stopping() || run.pausing()))
        detail += QStringLiteral(" \u00B7 ") + run.phaseText();
    if (const size_t all = m_services.runs.allWorking().size(); all > 1)
        detail += QStringLiteral(" \u00B7 ") + tr("%1 trainings running").arg(all);
    m_detail->setShownText(detail);
    const QString milestone = milestoneOf(run);
    nameDetail(milestone);
    sayOnce(milestone);
    m_pause->setVisible(counts);
    m_pause->setEnabled(!run.stopping());
    m_pause->setText(run.canContinue() ? tr("Continue") : tr("Pause"));
    m_stop->show();
    m_stop->setToolTip(
        tr("Saves this step and ends; Resume goes on from there. \"Stop and keep\" in the menu "
           "Job makes a model of it now."));
    m_stop->setEnabled(!run.stopping());
}

void JobBar::showProgress(double part) {
    const bool known = part >= 0.0;
    m_progress->setRange(0, known ? 1000 : 0);
    if (known) m_progress->setValue(int(part * 1000));
    if (known || Theme::instance().motionMs() == 0)
        m_busy.stop();
    else if (!m_busy.isActive())
        m_busy.start(kBusyMs);
}

void JobBar::nameDetail(const QString& name) {
    if (m_detail->accessibleName() != name) m_detail->setAccessibleName(name); // each call tells of a change
}

void JobBar::sayOnce(const QString& words) {
    if (std::exchange(m_saidOfRun, words) != words) m_status->say(words);
}

void JobBar::showPictures() {
    const Generator& generator = m_services.generator;
    m_training = false;
    m_text->setFullText(tr("Making pictures"));
    m_progress->show();
    showProgress(generator.progress() > 0.0 ? generator.progress() : -1.0);
    m_detail->setShownText(generator.phaseText());
    nameDetail(m_text->fullText()); // a picture has many steps
    m_pause->hide();
    m_stop->show();
    m_stop->setToolTip(tr("What is finished is kept."));
    m_stop->setEnabled(!generator.stopping());
}

void JobBar::showReady() {
    const RunSession* run = m_services.runs.current();
    const bool needsYou = run != nullptr && run->phase() == RunPhase::Failed; // nothing says it once more
    m_training = run != nullptr && (needsYou || !m_picturesEnded);
    m_progress->hide();
    m_busy.stop();
    m_pause->hide();
    m_stop->hide();
    if (!m_training) {
        m_text->setFullText(!m_picturesEnded      ? tr("Ready")
                            : m_pictures.complete ? tr("Finished")
                                                  : tr("Not finished"));
        const QString pictures = m_picturesEnded ? tr("%n picture(s)", nullptr, m_pictures.made) : QString();
        m_detail->setShownText(pictures);
        nameDetail(pictures);
        return;
    }
    m_text->setFullText(run->phaseText());
    m_detail->setShownText(run->title());
    const QString end = QStringLiteral("%1: %2").arg(run->title(), run->phaseText());
    nameDetail(end);
    sayOnce(end);
}

void JobBar::pauseOrContinue() {
    if (RunSession* run = m_services.runs.working()) run->pauseOrContinue();
}

void JobBar::stop() {
    if (m_services.runs.busy())
        m_services.runs.working()->send(core::ControlVerb::Stop);
    else
        m_services.generator.stop();
}

void JobBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colours().side);
    painter.fillRect(QRect(0, 0, width(), 1), colours().hairline);
}

void JobBar::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) Q_EMIT opened(m_training);
}

} // namespace homebooth::app
