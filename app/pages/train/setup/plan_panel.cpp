// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/setup/plan_panel.h"

#include "app/charts/memory_chart.h"
#include "app/engine/figures.h"
#include "app/engine/plans/plan_words.h"
#include "app/engine/runs/run_cards.h"
#include "app/engine/runs/run_data.h"
#include "app/pages/train/run/disk_line.h"
#include "app/pages/train/setup/shortage_text.h"
#include "app/theme/icons.h"
#include "app/theme/metrics.h"
#include "app/widgets/fold.h"
#include "app/widgets/parts.h"
#include "app/widgets/read_as.h"
#include "core/base/system/held_elsewhere.h"
#include "core/base/system/memory_facts.h"
#include "core/base/system/power_facts.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QGridLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <tuple>
#include <utility>

namespace homebooth::app {

namespace {

constexpr int kPowerMs = 5000;

/// A line for each kind that there is any of; empty where there is nothing.
QString kindsText(const core::TierMemory& memory) {
    QStringList lines;
    for (int kind = 0; kind < kMemoryKinds; ++kind)
        if (const int64_t bytes = bytesOf(memory, static_cast<MemoryKind>(kind)); bytes > 0)
            lines.append(QStringLiteral("%1: %2").arg(memoryKindName(static_cast<MemoryKind>(kind)),
                                                      memoryText(bytes)));
    return lines.join('\n');
}

} // namespace

KindBar::KindBar(QWidget* parent)
    : QWidget(parent) {
    readAs(*this, QAccessible::ProgressBar);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(14);
}

void KindBar::set(const core::TierMemory& peak, int64_t neededBytes, int64_t othersBytes,
                  int64_t wholeBytes) {
    m_peak = peak;
    m_needed = neededBytes;
    m_others = othersBytes;
    m_whole = wholeBytes;
    constexpr double kFull = 100.0;
    setLevel(*this, wholeBytes > 0 ? kFull * double(neededBytes + othersBytes) / double(wholeBytes) : kFull);
    setAccessibleName(tr("%1 needed, %2 used by other programs, of %3")
                          .arg(memoryText(neededBytes), memoryText(othersBytes), memoryText(wholeBytes)));
    setAccessibleDescription(kindsText(kinds()));
    update();
}

void KindBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath clip;
    clip.addRoundedRect(rect(), 4, 4);
    painter.setClipPath(clip);
    painter.fillRect(rect(), colours().groove);
    const double whole = double(std::max(m_whole, m_needed + m_others));
    if (whole <= 0.0) return;
    const double others = width() * double(m_others) / whole;
    painter.fillRect(QRectF(0, 0, others, height()), QBrush(colours().muted, Qt::BDiagPattern));
    const core::TierMemory kinds = this->kinds();
    double left = others;
    for (int kind = 0; kind < kMemoryKinds; ++kind) {
        const double wide = width() * double(bytesOf(kinds, static_cast<MemoryKind>(kind))) / whole;
        painter.fillRect(QRectF(left, 0, wide, height()), colours().memory[static_cast<size_t>(kind)]);
        left += wide;
        if (wide > 2.0) painter.fillRect(QRectF(left - 0.5, 0, 1, height()), colours().base);
    }
}

core::TierMemory KindBar::kinds() const {
    core::TierMemory kinds = m_peak;
    kinds.workspaceBytes += std::max<int64_t>(0, m_needed - usedBytes(kinds));
    return kinds;
}

bool KindBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), kindsText(kinds()), this);
    return true;
}

namespace {

/// What RAM holds by kind, and the disk of the swap.
QString ramKindsText(const PlanFacts& facts) {
    const QString swap = kindsText(facts.swap);
    const QString ram = kindsText(facts.ram);
    return swap.isEmpty() ? ram : ram + QStringLiteral("\n\n") + PlanPanel::tr("Swap:") + '\n' + swap;
}

/// What may be used of the RAM: now, or once it is its turn, as the plan has it.
int64_t usableRam(const PlanFacts& facts, const core::MemoryFacts& ram) {
    int64_t usable = ram.usableBytes();
    for (const core::PlanDecision& decision : facts.plan.decisions)
        if (decision.code == core::kHeldUntilTurn)
            if (const auto held = decision.facts.find("heldBytes"); held != decision.facts.end())
                usable += static_cast<int64_t>(held->second);
    return std::min(usable, ram.totalBytes);
}

/// Why the engine will not plan it: what it says, in short, and what can be done.
std::pair<QString, QString> refusalOf(const PlanFacts& facts, const core::DataConfig& data) {
    const bool isDataset = !data.datasetDir.empty();
    const QString folder = QString::fromStdString(isDataset ? data.datasetDir : data.instanceDir);
    if (lacksPictureFolder(facts))
        return {PlanPanel::tr("Folder \"%1\" is gone").arg(QFileInfo(folder).fileName()),
                isDataset ? PlanPanel::tr("Connect the drive, or choose another dataset.")
                          : PlanPanel::tr("Crops and captions are kept. Connect the drive, or say where the "
                                          "folder is now.")};
    if (const QString photo = gonePhoto(facts); !photo.isEmpty())
        return {PlanPanel::tr("A photo is gone"),
                PlanPanel::tr("%1 is not where it was. Leave it out, or find it again.")
                    .arg(QFileInfo(photo).fileName())};
    if (facts.cause == core::FailureCause::NotStarted)
        return {PlanPanel::tr("The engine gave no answer"), facts.problem};
    if (core::processorCanGoOn(facts.problem.toStdString()))
        return {PlanPanel::tr("The graphics card cannot be used"),
                PlanPanel::tr("What is wrong with it stands below. The processor can compute instead, which "
                              "takes far longer. \"Device\" in Settings changes that again.")};
    const QString verdict = PlanPanel::tr("Cannot work like this");
    if (facts.cause == core::FailureCause::SwapMissing)
        return {verdict,
                PlanPanel::tr("Memory is too small without swapping, and the swap folder is not there. "
                              "Connect its drive, or name another one in Settings, Device.")};
    return {verdict, PlanPanel::tr("The model, the pictures or a setting are not as they must be.")};
}

/// Where the model does not fit, and its parts are fetched in every step; empty where it does.
QString slowText(const core::PlanEvent& plan) {
    for (const core::PlanDecision& decision : plan.decisions) {
        if (!decision.code.starts_with("parameters-")) continue;
        if (decision.code.find("on-disk") != std::string::npos)
            return PlanPanel::tr("Fits, but slowly: parts live on the disk");
        if (decision.code.find("in-ram") != std::string::npos)
            return PlanPanel::tr("Fits, but slowly: parts live in RAM");
    }
    return {};
}

/// What stands before the verdict, with its colour.
std::pair<QString, QColor> signOf(const PlanFacts& facts) {
    switch (facts.verdict) {
    case PlanFacts::Verdict::None:
        return {QStringLiteral("info"), colours().link};
    case PlanFacts::Verdict::Working:
        return {QStringLiteral("clock"), colours().muted};
    case PlanFacts::Verdict::DoesNotFit:
    case PlanFacts::Verdict::Refused:
        return {QStringLiteral("error"), colours().error};
    case PlanFacts::Verdict::Fits:
        break;
    }
    if (slowText(facts.plan).isEmpty() && planAdvice(facts.plan).isEmpty())
        return {QStringLiteral("ok"), colours().good};
    return {QStringLiteral("caution"), colours().caution};
}

void multiply(core::TierMemory& memory, int64_t times) {
    for (int64_t* bytes : {&memory.parameterBytes, &memory.gradientBytes, &memory.stateBytes,
                           &memory.activationBytes, &memory.workspaceBytes, &memory.cacheBytes})
        *bytes *= times;
}

/// A plan is that of one process: what all of them take that train together. Of cards each has what it needs.
PlanFacts ofAllProcesses(PlanFacts facts, int64_t processes) {
    facts.plan.predicted.ramBytes *= processes;
    multiply(facts.ram, processes);
    if (facts.plan.predicted.deviceBytes > 0) return facts; // the peak is a card's
    multiply(facts.peak, processes);
    return facts;
}

/// What scrolls it; null if nothing does.
QScrollArea* areaAround(const QWidget& part) {
    QWidget* up = part.parentWidget();
    while (up != nullptr && qobject_cast<QScrollArea*>(up) == nullptr) up = up->parentWidget();
    return qobject_cast<QScrollArea*>(up);
}

/// How wide it is seen, whatever it takes itself: beside the scroll bar, which comes and goes with its
/// height.
int seenWidth(const QWidget& part) {
    const QScrollArea* area = areaAround(part);
    int seen = area != nullptr ? area->width() - area->verticalScrollBar()->sizeHint().width() : part.width();
    for (const QWidget* up = part.parentWidget(); up != nullptr && up != area; up = up->parentWidget())
        seen = std::min(seen, up->maximumWidth());
    return seen;
}

/// A column that begins with this label, whose words wrap.
QVBoxLayout* linesOf(QLabel* first) {
    auto* lines = new QVBoxLayout;
    tidy(lines, 0, kGapInside);
    first->setWordWrap(true);
    lines->addWidget(first);
    return lines;
}

} // namespace

PlanPanel::PlanPanel(QWidget* parent)
    : QWidget(parent)
    , m_sign(new QLabel)
    , m_verdict(makeLabel({}, TypeRole::Section))
    , m_turn(new MutedLabel(tr("Planned for its turn: what works now has given its memory back by then.")))
    , m_problem(makeLabel({}))
    , m_remedies(new QVBoxLayout)
    , m_figures(new QWidget)
    , m_device(new QLabel)
    , m_ram(new QLabel)
    , m_others(new MutedLabel)
    , m_bar(new KindBar)
    , m_legend(new MutedLabel)
    , m_disk(new DiskLine)
    , m_time(new QLabel)
    , m_timeParts(new MutedLabel)
    , m_power(makeLabel(tr("On battery: connect the charger before you start.")))
    , m_fit(new QLabel)
    , m_details(new Fold)
    , m_looking(new MutedLabel) {
    arrange();
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        showSign();
        showLegend();
    });
    auto* looks = new QTimer(this); // the charger comes and goes
    connect(looks, &QTimer::timeout, this, [this] {
        if (isVisible()) showPower();
    });
    looks->start(kPowerMs);
}

void PlanPanel::arrange() {
    auto* column = new QVBoxLayout(this);
    tidy(column, kPageMargin, kGapBlock);
    auto* head = new QHBoxLayout;
    head->setSpacing(kGapLabel);
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText); // names of files
    head->addWidget(m_sign);
    head->addWidget(m_verdict, 1);
    column->addLayout(head);
    column->addWidget(m_turn);
    m_turn->hide();
    m_problem->setWordWrap(true);
    letCopy(m_problem);
    letCopy(m_fit);
    column->addWidget(m_problem);
    m_remedies->setSpacing(kGapLabel);
    m_remedies->addWidget(m_looking);
    m_looking->hide();
    column->addLayout(m_remedies);
    makeFigures();
    column->addWidget(m_figures);
    m_fit->setWordWrap(true);
    m_fit->setTextFormat(Qt::PlainText);
    m_fit->hide();
    column->addWidget(m_fit);
    column->addWidget(m_details);
    column->addStretch();
}

void PlanPanel::showSign() {
    const auto [name, colour] = signOf(m_facts);
    m_sign->setPixmap(iconPixmap(name, colour, kNavIconSize, devicePixelRatioF()));
}

void PlanPanel::makeFigures() {
    // A form layout takes the heights that it found for one width for another one, and cuts words.
    m_rows = new QGridLayout(m_figures);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(kPageMargin);
    m_rows->setVerticalSpacing(kGapLabel);
    m_rows->setColumnStretch(1, 1);
    m_deviceLines = linesOf(m_device);
    m_ramLines = linesOf(m_ram);
    for (QWidget* part : std::initializer_list<QWidget*>{m_bar, m_legend, m_others})
        m_ramLines->addWidget(part);
    m_legend->setTextFormat(Qt::RichText);
    QVBoxLayout* time = linesOf(m_time);
    time->addWidget(m_timeParts);
    m_power->setWordWrap(true);
    m_power->hide();
    time->addWidget(m_power);
    int row = 0;
    const auto name = [this, &row](const QString& text) {
        QLabel* label = makeFactName(text);
        label->setWordWrap(false); // the figures beside it wrap
        m_rows->addWidget(label, row, 0);
        m_names.append(label);
        return label;
    };
    m_deviceRow = {name(tr("Graphics card")), m_device};
    m_rows->addLayout(m_deviceLines, row++, 1);
    name(tr("RAM"));
    m_rows->addLayout(m_ramLines, row++, 1);
    name(tr("Disk"));
    m_rows->addWidget(m_disk, row++, 1);
    name(tr("Time"));
    m_rows->addLayout(time, row, 1);
}

bool PlanPanel::event(QEvent* event) {
    const bool known = QWidget::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::Show) // as wide as it has to be, it is not resized where less of it is seen
        if (QScrollArea* area = areaAround(*this)) area->installEventFilter(this);
    if (type == QEvent::Show || type == QEvent::Resize || type == QEvent::LayoutRequest) arrangeRows();
    return known;
}

bool PlanPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) arrangeRows();
    return QWidget::eventFilter(watched, event);
}

void PlanPanel::arrangeRows() {
    int names = 0;
    for (const QLabel* name : m_names) names = std::max(names, name->sizeHint().width());
    int words = 0;
    for (const QString& one : std::as_const(m_legendWords))
        words = std::max(words, m_legend->fontMetrics().horizontalAdvance(one));
    const bool above = names + words + 3 * kPageMargin > seenWidth(*this);
    if (std::exchange(m_namesAbove, above) == above) return;
    QList<QLayoutItem*> parts;
    while (m_rows->count() > 0) parts.append(m_rows->takeAt(0));
    for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
        const int row = above ? i : i / 2;
        const int column = above ? 0 : i % 2;
        const int columns = above ? 2 : 1;
        if (QLayout* lines = parts[i]->layout())
            m_rows->addLayout(lines, row, column, 1, columns);
        else
            m_rows->addItem(parts[i], row, column, 1, columns);
    }
}

void PlanPanel::setRemedies(const std::vector<PlanRemedy>& remedies, bool looking) {
    // One that stays keeps its button, and that the focus: others come while somebody reaches for it.
    std::vector<RemedyButton> before = std::exchange(m_offered, {});
    QList<QWidget*> buttons;
    for (const PlanRemedy& remedy : remedies) {
        const auto same = std::find_if(before.begin(), before.end(), [&remedy](const RemedyButton& one) {
            return one.button->text() == remedy.label;
        });
        m_offered.push_back(same != before.end() ? *same : makeRemedy(remedy));
        m_offered.back().act = remedy.act;
        if (same != before.end()) before.erase(same);
        QPushButton* button = m_offered.back().button;
        m_remedies->removeWidget(button);
        m_remedies->insertWidget(static_cast<int>(buttons.size()), button, 0, Qt::AlignLeft);
        buttons.append(button);
    }
    m_looking->setText(looking ? tr("Trying what would make it fit...") : QString());
    m_looking->setVisible(looking);
    putIntoTabOrder(buttons, *m_details);
    for (const RemedyButton& gone : before) {
        const bool focused = gone.button->hasFocus();
        retire(gone.button);
        if (!focused) continue;
        if (!buttons.isEmpty())
            focusNew(*buttons.front());
        else if (m_details->isVisible())
            m_details->takeFocus();
    }
}

PlanPanel::RemedyButton PlanPanel::makeRemedy(const PlanRemedy& remedy) {
    auto* button = makeButton(remedy.label);
    connect(button, &QPushButton::clicked, this, [this, button] { pressed(button); });
    return {button, remedy.act};
}

void PlanPanel::pressed(const QPushButton* button) {
    const auto one = std::find_if(m_offered.begin(), m_offered.end(),
                                  [button](const RemedyButton& any) { return any.button == button; });
    if (one == m_offered.end()) return;
    const std::function<void()> act = one->act; // which makes others of them
    act();
}

void PlanPanel::show(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
                     const PlanPast& past) {
    m_facts = facts;
    showSign();
    m_problem->hide();
    m_turn->setVisible(facts.inTurn);
    m_figures->setVisible(facts.verdict == PlanFacts::Verdict::Fits);
    m_fit->setVisible(false); // until it is known what is done
    const bool said =
        facts.verdict != PlanFacts::Verdict::None && facts.cause != core::FailureCause::NotStarted;
    m_details->setText(tr("What the engine says"), said ? facts.problem : QString());
    const auto refuse = [this](const QString& verdict, const QString& why) {
        m_verdict->setText(verdict);
        m_problem->setText(why);
        m_problem->show();
        m_refused = true;
        const bool full = m_facts.cause == core::FailureCause::DiskFull && m_facts.neededBytes > 0;
        m_details->setOpen(!full && !lacksPictureFolder(m_facts)); // there it says no more
    };
    switch (facts.verdict) {
    case PlanFacts::Verdict::None:
        return m_verdict->setText(facts.problem.isEmpty() ? tr("Choose what to learn.") : facts.problem);
    case PlanFacts::Verdict::Working:
        return m_verdict->setText(tr("Working it out..."));
    case PlanFacts::Verdict::DoesNotFit:
        return refuse(tr("Does not fit"), shortageText(facts, config));
    case PlanFacts::Verdict::Refused:
        return std::apply(refuse, refusalOf(facts, config.data));
    case PlanFacts::Verdict::Fits:
        break;
    }
    if (std::exchange(m_refused, false)) m_details->setOpen(false);
    const QString slow = slowText(facts.plan);
    m_verdict->setText(slow.isEmpty() ? tr("This will fit") : slow);
    showFit(facts, config, runsFolder, past);
}

void PlanPanel::showFit(const PlanFacts& facts, const core::TrainConfig& config, const QString& runsFolder,
                        const PlanPast& past) {
    showMemory(ofAllProcesses(facts, config.parallel.processes), config);
    m_disk->show(facts.diskBytes, runsFolder);
    showTime(facts, config, past);
    const auto listed = [](const QStringList& sentences) {
        QStringList lines;
        for (const QString& sentence : sentences) lines.append(QStringLiteral("\u2022 ") + sentence);
        return lines.join('\n');
    };
    const QStringList done = fitSentences(facts.plan);
    m_fit->setText(tr("To make it fit:") + '\n' + listed(done));
    m_fit->setVisible(!done.isEmpty());
    const QString advice = planAdvice(facts.plan);
    m_problem->setText(advice);
    m_problem->setVisible(!advice.isEmpty());
    m_details->setText(tr("All decisions"), listed(planSentences(facts.plan)));
}

void PlanPanel::showMemory(const PlanFacts& facts, const core::TrainConfig& config) {
    const core::ResourceUse& use = facts.plan.predicted;
    const bool onDevice = use.deviceBytes > 0;
    const core::MemoryFacts ram = core::memoryFacts();
    const core::ResourceUse budget = budgetOf(facts.plan).value_or(core::ResourceUse{});
    // A limit that the user has set counts before what is free.
    const auto text = [](int64_t needed, int64_t may, bool limited) {
        if (may <= 0) return memoryText(needed);
        const QString figures = memoryOfText(needed, may);
        return limited ? tr("%1 allowed", "5.9 of 7.2 GB allowed").arg(figures)
                       : tr("%1 free", "5.9 of 7.2 GB free").arg(figures);
    };
    QVBoxLayout* lines = onDevice ? m_deviceLines : m_ramLines;
    lines->insertWidget(1, m_bar);
    lines->insertWidget(2, m_legend);
    for (QWidget* part : std::as_const(m_deviceRow)) part->setVisible(onDevice);
    QString onCard = text(use.deviceBytes, budget.deviceBytes, config.memory.deviceBytes > 0);
    if (trainsOnCards(config)) onCard += '\n' + tr("each of %1 cards").arg(config.parallel.processes);
    m_device->setText(onCard);
    const int64_t available = usableRam(facts, ram);
    const bool limited = config.memory.ramBytes > 0 && config.memory.ramBytes < available;
    QString inRam = text(use.ramBytes, limited ? config.memory.ramBytes : available, limited);
    if (use.swapBytes > 0) inRam += tr(", %1 swap").arg(memoryText(use.swapBytes));
    if (const int64_t processes = config.parallel.processes; processes > 1)
        inRam += '\n' + tr("%1 processes, %2 each").arg(processes).arg(memoryText(use.ramBytes / processes));
    m_ram->setText(inRam);
    m_ram->setToolTip(ramKindsText(facts));
    // How much of the graphics memory others hold is known to the driver alone.
    showBar(facts, onDevice ? std::max(use.deviceBytes, budget.deviceBytes) : ram.totalBytes);
}

void PlanPanel::showBar(const PlanFacts& facts, int64_t wholeBytes) {
    const core::ResourceUse& use = facts.plan.predicted;
    const bool onDevice = use.deviceBytes > 0;
    const core::MemoryFacts ram = core::memoryFacts();
    const int64_t others = std::max<int64_t>(0, ram.totalBytes - usableRam(facts, ram));
    m_bar->set(facts.peak, onDevice ? use.deviceBytes : use.ramBytes, onDevice ? 0 : others, wholeBytes);
    m_others->setVisible(!onDevice);
    m_others->setText(tr("Other programs use %1 of %2.").arg(memoryText(others), memoryText(ram.totalBytes)));
    showLegend();
}

void PlanPanel::showLegend() {
    QString legend;
    m_legendWords.clear();
    for (int kind = 0; kind < kMemoryKinds; ++kind) {
        const int64_t bytes = bytesOf(m_bar->kinds(), static_cast<MemoryKind>(kind));
        if (bytes <= 0) continue;
        const QString words = memoryKindName(static_cast<MemoryKind>(kind)) + ' ' + memoryText(bytes);
        m_legendWords.append(QStringLiteral("\u25A0 ") + words);
        legend += QStringLiteral("<span style='color:%1'>&#9632;</span>&nbsp;%2 ")
                      .arg(colours().memory[static_cast<size_t>(kind)].name(),
                           words.toHtmlEscaped().replace(' ', QLatin1String("&nbsp;")));
    }
    m_legend->setText(legend);
    arrangeRows();
}

void PlanPanel::showPower() {
    m_power->setVisible(core::powerFacts().onBattery());
}

void PlanPanel::showTime(const PlanFacts& facts, const core::TrainConfig& config, const PlanPast& past) {
    showPower();
    const PlanTime time = planTimeOf(facts, config, past.pace, past.examplesThere, past.slowdown);
    m_timeParts->setVisible(time.known);
    if (!time.known)
        return m_time->setText(
            tr("%n step(s); measured in the first ones", nullptr, static_cast<int>(config.steps)));
    m_time->setText(spanText(time.whole));
    QString parts = partsText(time, config.steps);
    if (sharesProcessor(facts, past.slowdown))
        parts += '\n' + tr("Other programs use the processor now: while they do, it takes longer.");
    m_timeParts->setText(parts);
    m_time->setToolTip(past.pace.step > 0.0
                           ? tr("From what trainings like this one took here.")
                           : tr("An estimate: no training like this one was finished here yet."));
}

} // namespace homebooth::app
