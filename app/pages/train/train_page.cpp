// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/train/train_page.h"

#include "app/engine/figures.h"
#include "app/engine/gpu_answer.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/plans/leaner_plan.h"
#include "app/engine/plans/plan_time.h"
#include "app/engine/runs/run_centre.h"
#include "app/engine/runs/run_session.h"
#include "app/engine/runs/training_recipe.h"
#include "app/pages/train/run/chart_board.h"
#include "app/pages/train/run/further_line.h"
#include "app/pages/train/run/log_dialog.h"
#include "app/pages/train/run/moment_row.h"
#include "app/pages/train/run/train_progress.h"
#include "app/pages/train/setup/plan_dialog.h"
#include "app/pages/train/setup/train_setup.h"
#include "app/settings/settings.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/parts.h"

#include <QDesktopServices>
#include <QLocale>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>

#include <utility>

namespace homebooth::app {
namespace {

constexpr const char* kQueuedMessage = "queued";

constexpr qint64 kQuietMs = 60'000; // worth a word
constexpr qint64 kMuteMs = 20'000;  // of a worker that has not said a word yet

QString secondsText(double seconds) {
    return QLocale().toString(seconds, 'f', seconds < 10 ? 2 : 0);
}

/// How long nothing is heard of a run that is well: a step says nothing before it is done.
qint64 usualQuietMs(const RunData& run) {
    constexpr double kSteps = 3.0; // what begins and ends a step may take longer than the step
    double step = run.secondsPerStep();
    if (step <= 0.0 && run.plan) step = run.plan->predicted.stepSeconds;
    return qMax(kQuietMs, qint64(kSteps * step * 1000));
}

} // namespace

TrainPage::TrainPage(Services services, QWidget* parent)
    : Page(PageId::Train, tr("Train"), parent)
    , m_services(services)
    , m_stack(new QStackedWidget)
    , m_setup(new TrainSetup(services))
    , m_progress(new TrainProgress(services)) {
    m_more = addButton(tr("More"));
    m_more->setMenu(makeMore());
    m_second = addButton(tr("Pause"));
    m_stop = addButton(tr("Stop and keep"));
    m_stop->setToolTip(tr("Ends the training here and makes a model of what was learned so far"));
    addMainButton(tr("Start training"));
    m_stack->addWidget(m_setup);
    m_stack->addWidget(makeScroll(m_progress)); // small screens are lower than moments and a chart
    setContent(m_stack);
    setCommands({Command::Expert, Command::Search});
    connectButtons();
    connectRuns();
    refresh();
}

void TrainPage::connectButtons() {
    connect(mainButton(), &QPushButton::clicked, this, &TrainPage::pressMain);
    connect(m_second, &QPushButton::clicked, this, &TrainPage::pressSecond);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        RunSession* run = m_services.runs.current();
        if (run != nullptr && run->active()) run->finish();
    });
    connect(m_setup, &TrainSetup::changed, this, &TrainPage::refresh);
    connect(m_setup, &TrainSetup::pixelsChanged, this, &TrainPage::pixelsChanged);
    connect(m_setup, &TrainSetup::sizesChanged, this, &TrainPage::sizesChanged);
    connect(m_setup, &TrainSetup::subjectWanted, this, [this] { Q_EMIT wanted(PageId::Subjects); });
    connect(m_setup, &TrainSetup::photosWanted, this, &TrainPage::photosWanted);
    connect(m_setup, &TrainSetup::classWanted, this, &TrainPage::classWanted);
    connect(m_setup, &TrainSetup::importWanted, this, &TrainPage::importWanted);
    connect(m_setup, &TrainSetup::settingsWanted, this, [this] { Q_EMIT wanted(PageId::Settings); });
    connect(m_setup, &TrainSetup::roomWanted, this, &TrainPage::roomWanted);
    connect(m_progress, &TrainProgress::largeWanted, this, &TrainPage::largeWanted);
    connect(m_progress, &TrainProgress::formWanted, this, &TrainPage::showForm);
    connect(&m_progress->moments(), &MomentRow::chosenChanged, this, &TrainPage::refresh);
    connect(&m_progress->moments(), &MomentRow::shownChanged, this, &TrainPage::refresh);
    connect(&m_progress->moments(), &MomentRow::formWanted, this, &TrainPage::showForm);
    connect(&m_progress->further(), &FurtherLine::changed, this, &TrainPage::refresh);
    connect(&m_progress->board(), &ChartBoard::exported, this, [this](const QString& path, bool written) {
        const QString text = written ? tr("Exported to %1.")
                                     : tr("The chart could not be written to %1. Choose another folder.");
        messages().show({written ? MessageKind::Good : MessageKind::Error,
                         text.arg(path.toHtmlEscaped()),
                         {},
                         QStringLiteral("export")});
    });
}

void TrainPage::connectRuns() {
    const RunCentre* runs = &m_services.runs;
    connect(runs, &RunCentre::currentChanged, this, &TrainPage::followRun);
    connect(runs, &RunCentre::workChanged, this, &TrainPage::refresh);
    connect(runs, &RunCentre::phaseChanged, this, &TrainPage::refresh);
    connect(runs, &RunCentre::finished, this, &TrainPage::keepSpeed);
    connect(&m_services.models, &ModelShelf::changed, this, &TrainPage::refresh);
    connect(runs, &RunCentre::begun, this, &TrainPage::takeBegun);
    connect(runs, &RunCentre::queueChanged, this, [this, runs] {
        if (!m_waits.isEmpty() && !runs->queue().contains(m_waits)) // it began, or was taken out
            messages().drop(QLatin1String(kQueuedMessage));
        refresh(); // what waits is not gone on with twice
    });
    connect(runs, &RunCentre::failed, this, [this](const QString& headline, const QString& detail) {
        m_starting = false;
        messages().show({MessageKind::Error, troubleText(headline, detail), {}, QStringLiteral("failed")});
        refresh();
    });
    connectBeginning();
    auto* tick = new QTimer(this);
    connect(tick, &QTimer::timeout, this, [this] {
        if (isVisible() && m_view == View::Run && m_services.runs.busy()) refreshRun();
    });
    tick->start(1000);
}

void TrainPage::takeBegun(const QString& folder, bool queued) {
    m_starting = false;
    if (!queued) {
        messages().drop(QLatin1String(kQueuedMessage));
        m_services.runs.show(folder);
        return showRun();
    }
    m_waits = folder;
    m_formWanted = m_view == View::Setup; // for the next one
    const bool pictures = !m_services.runs.busy() && m_services.generator.busy();
    messages().show(
        {MessageKind::Note,
         m_services.runs.held() ? tr("It waits: the queue is paused. Press Go on there.")
         : pictures && m_services.generator.roomWait()
             ? tr("It waits: a finished picture finds no room on its disk. Generate says what helps.")
         : pictures ? tr("It waits: pictures are being made. It begins by itself.")
                    : tr("It waits: another training works. It begins by itself."),
         {{tr("Open the queue"), [this] { Q_EMIT wanted(PageId::Queue); }}},
         QLatin1String(kQueuedMessage)});
    refresh();
}

void TrainPage::keepSpeed(const QString& folder) {
    const RunSession* run = m_services.runs.session(folder);
    if (run == nullptr || run->phase() != RunPhase::Done) return;
    const core::TrainConfig& config = run->config();
    const auto keep = [this](const QString& key, const QVariant& value) {
        m_services.settings.set(key.toLatin1().constData(), value);
    };
    const QByteArray pace = paceKey(config).toLatin1();
    keep(speedKey(config), run->data().secondsPerStep());
    keep(paceKey(config),
         paceOf(run->data(), Pace::ofText(m_services.settings.text(pace.constData()))).toText());
    if (!config.data.classPrompt.empty() && config.data.classDir.empty()) // else the folder says it
        keep(examplesKey(config), qlonglong(config.data.classImageCount));
}

void TrainPage::pressSecond() {
    RunSession* run = m_services.runs.current();
    if (m_view == View::Setup) {
        if (const RunSession* working = m_services.runs.working()) m_services.runs.show(working->folder());
        return showRun();
    }
    if (run == nullptr) return;
    if (!run->active()) return run->phase() == RunPhase::Done ? trainFurther() : makePictures(*run);
    run->pauseOrContinue();
    refresh();
}

QMenu* TrainPage::makeMore() {
    auto* menu = new QMenu(this);
    const auto send = [this](core::ControlVerb verb) {
        if (RunSession* run = m_services.runs.current(); run != nullptr && run->active()) run->send(verb);
    };
    QAction* preview =
        menu->addAction(tr("Preview now"), this, [send] { send(core::ControlVerb::SampleNow); });
    QAction* save = menu->addAction(tr("Save now"), this, [send] { send(core::ControlVerb::SaveNow); });
    menu->addSeparator();
    menu->addAction(tr("Export the chart..."), this,
                    [this] { m_progress->board().exportChart(m_progress->board().currentChart()); });
    menu->addAction(tr("Log"), this, [this] {
        if (RunSession* run = m_services.runs.current()) showRunLog(this, run->folder(), run->title());
    });
    menu->addAction(tr("Open the run's folder"), this, [this] {
        if (RunSession* run = m_services.runs.current())
            QDesktopServices::openUrl(QUrl::fromLocalFile(run->folder()));
    });
    QAction* plan = menu->addAction(tr("Plan"), this, [this] {
        const RunSession* run = m_services.runs.current();
        if (run != nullptr && run->data().plan)
            showRunPlan(this, run->folder(), *run->data().plan, run->title());
    });
    QAction* other = menu->addAction(tr("New training"), this, &TrainPage::showForm);
    connect(menu, &QMenu::aboutToShow, this, [this, preview, save, plan, other] {
        const RunSession* run = m_services.runs.current();
        const bool works = run != nullptr && run->active();
        preview->setEnabled(works);
        save->setEnabled(works);
        plan->setEnabled(run != nullptr && run->data().plan);
        other->setEnabled(m_view == View::Run);
    });
    return menu;
}

void TrainPage::prepareSubject(int64_t subject) {
    m_setup->setSubject(subject);
    showForm();
}

void TrainPage::prepareDataset(const DatasetOrder& order) {
    m_setup->setDataset(order.name, order.folder, !order.shapeOf.isEmpty());
    m_setup->setAutoencoder(order.autoencoder);
    m_setup->setSkipBroken(order.skipBroken);
    m_setup->setPictures(order.pictures);
    showForm();
}

void TrainPage::prepareModel(const QString& path) {
    m_setup->setModel(path);
    showForm();
}

bool TrainPage::takesExamples() const {
    return m_view == View::Setup && m_setup->takesExamples();
}

void TrainPage::takeExamples(const QString& folder) {
    m_setup->takeExamples(folder);
}

void TrainPage::takeImported(const QString& path) {
    m_setup->takeImported(path);
}

void TrainPage::showRun() {
    if (m_services.runs.current() != nullptr) show(View::Run);
}

void TrainPage::showForm() {
    m_formWanted = true;
    m_setup->showTop();
    show(View::Setup);
}

void TrainPage::show(View view) {
    m_view = view;
    if (view == View::Run) m_formWanted = false;
    const bool inForm = m_setup->isAncestorOf(window()->focusWidget());
    m_stack->setCurrentIndex(view == View::Setup ? 0 : 1);
    if (view == View::Setup)
        setCommands({Command::Expert, Command::Search});
    else
        setCommands({Command::Export});
    refresh();
    // Qt would give it to what comes next, a switch of the chart, where the same key changes something.
    if (inForm && view == View::Run && m_more->isVisibleTo(this)) m_more->setFocus(Qt::OtherFocusReason);
}

void TrainPage::followRun() {
    RunSession* run = m_services.runs.current();
    m_progress->follow(run);
    messages().drop(QLatin1String(kEndMessage));
    if (std::exchange(m_quiet, false)) messages().drop(QLatin1String(kQuietMessage));
    m_told.clear();
    if (run == nullptr && !std::exchange(m_leaner, QString()).isEmpty())
        messages().drop(QLatin1String(kLeanerMessage));
    // What began by itself shows itself to whoever looks at nothing else; who wants it calls `showRun`.
    if (run != nullptr && m_formWanted && isVisible()) return refresh();
    show(run == nullptr ? View::Setup : View::Run);
}

void TrainPage::refresh() {
    if (m_setup == nullptr || m_progress == nullptr) return;
    startWanted(); // also where another training has come into view since
    if (m_view == View::Run && m_services.runs.current() != nullptr)
        refreshRun();
    else
        refreshSetup();
}

void TrainPage::refreshSetup() {
    tellFullDisk(nullptr);
    setTitle(tr("Train"));
    setSubtitle({});
    for (QPushButton* button : {m_second, mainButton()}) button->setToolTip({}); // it meant another step
    const bool busy = m_services.runs.busy();
    m_more->hide();
    m_stop->hide();
    m_second->setVisible(busy || m_services.runs.current() != nullptr);
    m_second->setEnabled(true);
    m_second->setText(busy ? tr("Show the running one") : tr("Show the last one"));
    const QString same = sameUnderWay();
    mainButton()->setText(m_services.runs.queue().contains(same) ? tr("Waits already")
                          : !same.isEmpty()                      ? tr("Runs already")
                          : busy                                 ? tr("Add to the queue")
                                                                 : tr("Start training"));
    if (!same.isEmpty()) mainButton()->setToolTip(tr("Change something here to train another time."));
    // Whoever presses it takes what was typed before by that, for which another plan is worked out.
    if (!m_setup->working()) m_wasReady = m_setup->ready();
    mainButton()->setEnabled(m_wasReady && !m_wanted && !starting() && same.isEmpty());
    mainButton()->show();
}

void TrainPage::refreshRun() {
    RunSession& run = *m_services.runs.current();
    const bool works = run.active();
    m_more->show();
    if ((!works || run.stopping()) && window()->focusWidget() == m_stop)
        m_more->setFocus(Qt::OtherFocusReason); // as the form's, see `show`
    m_stop->setVisible(works); // while it works there is no next step, and no coloured button
    m_stop->setEnabled(!run.stopping());
    mainButton()->setVisible(!works && !run.gone() && run.phase() != RunPhase::Reading);
    watchQuiet(run);
    tellLeaner(run);
    tellFullDisk(&run);
    offerFurther(run);
    if (!works) return showEnd(run);
    m_second->show();
    const bool begins = run.data().steps.empty(); // there is nothing to go on from yet
    m_second->setToolTip(begins ? tr("It can be paused once it learns.") : QString());
    if (!m_told.isEmpty()) messages().drop(QLatin1String(kEndMessage));
    m_told.clear();
    setTitle(tr("Training %1").arg(run.title()));
    setSubtitle(nowText(run));
    m_second->setText(run.canContinue() ? tr("Continue") : tr("Pause"));
    m_second->setEnabled(!begins && !run.stopping());
}

void TrainPage::watchQuiet(RunSession& run) {
    constexpr qint64 kLeastMs = 60'000;
    constexpr double kUsualSteps = 20.0; // a step may wait for pictures or for another program for a while
    const RunData& seen = run.data();
    const double usual = seen.secondsPerStep();
    const qint64 quiet = run.quietMs();
    const bool learns = run.active() && run.phase() == RunPhase::Learning && !seen.steps.empty();
    const bool late = learns && quiet > qMax(kLeastMs, qint64(kUsualSteps * usual * 1000));
    const QLatin1String key(kQuietMessage);
    if (!late || run.stopping() || m_waitedFor == seen.lastSignMs) {
        if (std::exchange(m_quiet, false)) messages().drop(key);
        return;
    }
    const std::optional<int64_t> last = seen.savedStep();
    const QString saved = last ? tr("Step %1 is saved.").arg(countText(*last)) : tr("Nothing is saved yet.");
    const bool onCard = seen.plan && seen.plan->predicted.deviceBytes > 0;
    const QString text =
        (onCard ? tr("<b>No step for %1</b>, usually %2 s; perhaps another program holds the card. %3")
                : tr("<b>No step for %1</b>, usually %2 s; perhaps other programs keep the processor or the "
                     "memory busy. %3"))
            .arg(durationText(double(quiet) / 1000), secondsText(usual), saved);
    if (std::exchange(m_quiet, true)) return messages().setText(key, text); // its buttons keep the focus
    const auto wait = [this, sign = seen.lastSignMs] {
        m_waitedFor = sign;
        refresh();
    };
    messages().show({MessageKind::Caution,
                     text,
                     {{tr("Wait"), wait}, {tr("Stop and keep"), [this] { m_stop->click(); }}},
                     key});
}

void TrainPage::tellLeaner(const RunSession& run) {
    const std::optional<LeanerPlan> leaner = run.active() ? leanerPlanOf(run.data()) : std::nullopt;
    const QString which =
        leaner ? QStringLiteral("%1 at %2").arg(run.folder(), QString::number(leaner->step)) : QString();
    if (std::exchange(m_leaner, which) == which) return;
    if (!leaner) return messages().drop(QLatin1String(kLeanerMessage));
    const QString taken = leaner->takenBytes > 0
                              ? tr("Another program took %1.").arg(memoryText(leaner->takenBytes))
                              : tr("Another program took a part of it.");
    const auto took = [](double seconds) { return QLocale().toString(seconds, 'f', seconds < 1.0 ? 2 : 1); };
    const QString lost = leaner->slower() ? tr("Nothing was lost; steps take %1 s, not %2.")
                                                .arg(took(leaner->secondsNow), took(leaner->secondsBefore))
                                          : tr("Nothing was lost.");
    const auto show = [this, folder = run.folder(), plan = *run.data().plan, title = run.title()] {
        showRunPlan(this, folder, plan, title);
    };
    messages().show({MessageKind::Note,
                     (leaner->ofGpu ? tr("<b>Now using less graphics memory.</b> %1 %2")
                                    : tr("<b>Now using less RAM.</b> %1 %2"))
                         .arg(taken, lost),
                     {{tr("Show plan"), show}},
                     QLatin1String(kLeanerMessage)});
}

QString TrainPage::nowText(const RunSession& run) const {
    const RunData& seen = run.data();
    QString now = run.phaseText();
    const bool counts = run.phase() == RunPhase::Learning || run.makesExamples();
    const std::optional<double> seconds = counts ? run.secondsLeft() : std::nullopt;
    const QString left = seconds ? QStringLiteral(", ") + timeLeftText(*seconds) : QString();
    const bool begins = run.phase() == RunPhase::Starting || run.phase() == RunPhase::Preparing;
    const std::optional<int64_t> saved = seen.savedStep();
    const QString all = countText(run.config().steps);
    if (begins && saved) // what was learned after it is learned once more
        now = tr("%1: goes on from step %2 of %3").arg(now, countText(*saved), all);
    if (seen.steps.empty() || begins) {
        now += left;
    } else {
        now = tr("%1: step %2 of %3, %4 s a step")
                  .arg(now, countText(seen.step()), all, secondsText(seen.secondsPerStep()));
        now += left;
        if (saved) now += tr(", saved at %1").arg(countText(*saved));
    }
    if (seen.sleptMs > kQuietMs)
        now += tr(", the computer slept %1").arg(durationText(double(seen.sleptMs) / 1000));
    const qint64 quiet = run.quietMs();
    const bool mute = run.phase() == RunPhase::Starting && seen.state.state.empty();
    if (quiet > (mute ? kMuteMs : usualQuietMs(seen)) && !run.standsStill())
        now += tr(", last sign of life %1 ago").arg(durationText(double(quiet) / 1000));
    return now;
}

void TrainPage::pressMain() {
    RunSession* run = m_services.runs.current();
    if (m_view == View::Run && run != nullptr) {
        if (run->active()) return;
        return run->phase() == RunPhase::Done ? makePictures(*run) : trainFurther();
    }
    m_services.gpus.want();  // where nobody knows them yet, whoever trains needs them
    m_setup->finishTyping(); // what that changes is not ready until its plan is there
    wantStart();
}

void TrainPage::activated() {
    m_services.models.refresh();
}

bool TrainPage::command(Command command) {
    if (command == Command::Export && m_view == View::Run) {
        m_progress->board().exportChart(m_progress->board().currentChart());
        return true;
    }
    if (command != Command::Expert || m_view != View::Setup) return false;
    m_setup->toggleExpert();
    return true;
}

QWidget* TrainPage::searchField() {
    return m_view == View::Setup ? m_setup->searchField() : nullptr;
}

QStringList TrainPage::pictures() const {
    return m_progress->pictures();
}

QString TrainPage::noteOf(const QString& picture) const {
    return m_progress->noteOf(picture);
}

void TrainPage::setCompact(bool compact) {
    m_progress->setCompact(compact);
}

} // namespace homebooth::app
