// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_session.h"

#include "app/engine/engine_call.h"
#include "app/engine/figures.h"
#include "app/engine/places.h"
#include "app/engine/plans/plan_time.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_follower.h"
#include "app/library/background.h"
#include "app/library/drive_pools.h"
#include "core/base/files/descriptor.h"
#include "core/base/files/log_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/run_place.h"
#include "core/base/run/worker_signal.h"
#include "core/base/system/power_facts.h"

#include <QDateTime>
#include <QFileInfo>
#include <QProcess>
#include <QTimer>

#include <algorithm>

namespace homebooth::app {
namespace {

constexpr qint64 kStartGraceMs = 8000; // until a worker must have shown itself
constexpr qint64 kClockSlackMs = 20;   // file times are coarse
constexpr int kAskAgainMs = 300;       // while it does not listen yet

const char* const kLearning = "training";

bool endsRun(core::ControlVerb verb) {
    return verb == core::ControlVerb::Stop || verb == core::ControlVerb::Finish;
}

/// The log, or nowhere where something else has its name: Qt would wait for whoever reads a pipe.
QString writableLog(const QString& log) {
    const core::Descriptor file(core::openLog(log.toStdString()));
    return file.get() < 0 ? QProcess::nullDevice() : log;
}

/// @param count  " 12 of 24", or nothing
QString preparingText(const core::StateEvent& state, const QString& count) {
    if (state.state == "class-images") return RunSession::tr("Making example pictures%1").arg(count);
    if (state.state == "caching" && state.detail == "texts")
        return RunSession::tr("Reading captions%1").arg(count);
    return RunSession::tr("Reading photos%1").arg(count);
}

/// What it waits for in RunPhase::DiskFull.
QString lackText(const RunSession& run) {
    if (core::isOfRunPlace(run.data().state.detail)) return RunSession::tr("Waiting for its folder");
    const core::FailureCause lack = run.lack();
    return lack == core::FailureCause::DriveMissing   ? RunSession::tr("Waiting for the drive")
           : lack == core::FailureCause::FileTooLarge ? RunSession::tr("Waiting for another folder")
                                                      : RunSession::tr("Waiting for room on the disk");
}

} // namespace

RunSession::RunSession(QString folder, QString title, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_title(std::move(title))
    , m_follower(new RunFollower(m_folder, this)) {
    connect(m_follower, &RunFollower::updated, this, &RunSession::take);
    connect(m_follower, &RunFollower::failed, this, [this](const QString& detail) {
        m_reading = false;
        tell();
        Q_EMIT commandFailed(tr("What the training reports cannot be read."), detail);
    });
    m_follower->start();
}

RunSession::~RunSession() = default;

void RunSession::rename(const QString& title) {
    if (std::exchange(m_title, title) != title) Q_EMIT changed();
}

void RunSession::setConfig(const core::TrainConfig& config) {
    m_data.config = config;
    tell();
}

void RunSession::take(const RunUpdate& update) {
    if (update.outcome) m_silent = false;
    const bool begins = update.workerAlive && (!m_data.workerAlive || m_launchedMs > 0);
    if (begins) m_silent = true;
    // What the journal says of earlier attempts is no sign of the one that was just started.
    const bool recent = update.lastSignMs + kClockSlackMs >= m_launchedMs;
    // A folder that was out of reach hid who works there: nobody began.
    const bool newer = update.state || m_data.folderGone || m_data.lastSignMs == 0;
    // The drive's clock may be another one: of what comes while somebody looks the age is known without it,
    // and what was there before has the worker's time in it.
    const bool seenToCome = m_data.lastSignMs > 0 && !m_data.folderGone;
    const qint64 age = QDateTime::currentMSecsSinceEpoch() - std::max(update.lastSignMs, update.lastLineMs);
    if (recent && update.lastSignMs > 0 && update.lastSignMs != m_data.lastSignMs)
        countQuiet(seenToCome ? 0 : std::max<qint64>(0, age));
    m_data.apply(update);
    m_reading = update.more;
    if (begins && !(recent && newer)) {
        m_data.state = {};
        countQuiet(0);
    } else if (!begins && !update.steps.empty() && m_data.state.state.empty()) {
        m_data.state.state = kLearning; // its lock could not be read for a moment, and it says no more
    }
    // Of a journal in pieces the last one alone tells when it was written.
    if ((update.workerAlive && !update.more) || (update.outcome && recent)) m_launchedMs = 0;
    if (!active() && !waitsForRoom()) m_stopWanted = false;
    if (!active() || standsStill()) m_pauseWanted = false;
    tell();
}

void RunSession::countQuiet(qint64 ageMs) {
    m_signAgeMs = ageMs;
    m_signSeen.start();
}

void RunSession::setQueued(bool queued) {
    if (std::exchange(m_queued, queued) == queued) return;
    if (!active() && !waitsForRoom()) m_stopWanted = false;
    tell();
}

void RunSession::tell() {
    Q_EMIT changed();
    const RunPhase now = phase();
    if (now == m_lastPhase && gone() == m_lastGone) return;
    m_lastPhase = now;
    m_lastGone = gone();
    Q_EMIT phaseChanged();
}

bool RunSession::active() const {
    if (m_data.workerAlive) return true;
    if (m_launchedMs == 0) return false;
    return !m_expectedUntil.hasExpired();
}

RunPhase RunSession::phase() const {
    if (m_launchedMs > 0) return active() ? RunPhase::Starting : RunPhase::Failed;
    if (gone()) return RunPhase::Failed;
    if (waitsForRoom()) return RunPhase::Waiting;
    if (!m_data.workerAlive && m_reading) return RunPhase::Reading; // an end may stand further down
    if (!m_data.workerAlive && m_data.outcome) {
        if (m_data.outcome->result == "done") return RunPhase::Done;
        return m_data.outcome->result == "cancelled" ? RunPhase::Cancelled : RunPhase::Failed;
    }
    const bool begun = !m_data.steps.empty() || !m_data.state.state.empty();
    if (!m_data.workerAlive) return begun ? RunPhase::Failed : RunPhase::Waiting;
    const std::string& state = m_data.state.state;
    if (state == kLearning) return RunPhase::Learning;
    if (state == "paused") return RunPhase::Paused;
    if (state == core::kWaitsForRoom) return RunPhase::DiskFull;
    if (state == "saving") return RunPhase::Saving;
    if (state == "sampling") return RunPhase::Previewing;
    return state.empty() || state == "loading" ? RunPhase::Starting : RunPhase::Preparing;
}

QString RunSession::phaseText() const {
    if (stopping()) return tr("Stopping");
    if (pausing()) return tr("Pausing after this step");
    const core::StateEvent& state = m_data.state;
    const QString count =
        state.total > 0 ? tr(" %1 of %2").arg(countText(state.done), countText(state.total)) : QString();
    switch (phase()) {
    case RunPhase::Reading:
        return tr("Reading its records");
    case RunPhase::Waiting:
        return tr("Waiting");
    case RunPhase::Starting:
        return m_launchedMs == 0 && state.state == "loading" && state.detail == "model"
                   ? tr("Loading the model")
                   : tr("Starting");
    case RunPhase::Preparing:
        return preparingText(state, count);
    case RunPhase::Learning:
        return tr("Learning");
    case RunPhase::Previewing:
        return tr("Previewing") + count;
    case RunPhase::Saving:
        return tr("Saving");
    case RunPhase::Paused:
        return state.detail == core::kBatteryIsLow
                   ? tr("Battery low, paused until it is at %1 %").arg(core::kSafePercent)
                   : tr("Paused");
    case RunPhase::DiskFull:
        return lackText(*this);
    case RunPhase::Done:
        return tr("Finished");
    case RunPhase::Cancelled:
        return tr("Stopped");
    case RunPhase::Failed:
        return tr("Needs you");
    }
    return {};
}

qint64 RunSession::quietMs() const {
    return m_signSeen.isValid() ? m_signAgeMs + m_signSeen.elapsed() : 0;
}

std::optional<double> RunSession::secondsLeft() const {
    return secondsLeftOf(m_data);
}

double RunSession::progress() const {
    return config().steps > 0 ? double(m_data.step()) / double(config().steps) : 0.0;
}

double RunSession::shownProgress() const {
    const RunPhase now = phase();
    if (now != RunPhase::Starting && now != RunPhase::Preparing) return progress();
    const core::StateEvent& state = m_data.state;
    const bool counts = m_launchedMs == 0 && state.total > 0; // else it is of an attempt before
    return counts ? double(state.done) / double(state.total) : -1.0;
}

QString RunSession::resultModel() const {
    return m_data.modelThere ? m_folder + QStringLiteral("/result/model") : QString();
}

QString RunSession::resultLora() const {
    if (!m_data.outcome || config().method != core::TrainMethod::Lora) return {};
    for (const std::string& path : m_data.outcome->resultPaths) // it may have been moved since
        if (path.ends_with(".safetensors"))
            return m_folder + QStringLiteral("/result/") + QFileInfo(QString::fromStdString(path)).fileName();
    return {};
}

void RunSession::launch() {
    start({m_folder});
}

void RunSession::launchQueue() {
    start({});
}

bool startSupervisor(const QStringList& arguments, const QString& logFolder) {
    QProcess process;
    process.setProgram(enginePath());
    // Each run of the queue is told of in its own folder; the first words may come before any run.
    process.setArguments(QStringList{QStringLiteral("supervise")} + arguments +
                         QStringList{QStringLiteral("--logs-in-runs")});
    const QString log = writableLog(logFolder + QStringLiteral("/supervisor.log"));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(log, QIODevice::Append);
    process.setStandardErrorFile(log, QIODevice::Append);
    return process.startDetached();
}

void RunSession::start(const QStringList& arguments) {
    m_launchedMs = QDateTime::currentMSecsSinceEpoch();
    m_inVain = false;
    m_expectedUntil = QDeadlineTimer(QDeadlineTimer::Forever);
    countQuiet(0);
    const auto begin = [folder = m_folder, arguments] {
        // A run of the queue may be gone: then its supervisor goes on with the next one.
        return startSupervisor(arguments, QFileInfo::exists(folder) ? folder : dataFolder());
    };
    const auto take = [this, queue = arguments.isEmpty()](bool begun) { launched(begun, queue); };
    inBackground(this, begin, take, &requestPool());
    m_lastPhase = phase();
    Q_EMIT changed();
    Q_EMIT phaseChanged();
}

void RunSession::launched(bool begun, bool queue) {
    m_expectedUntil.setRemainingTime(begun ? kStartGraceMs : 0);
    m_inVain = !begun;
    if (!begun) {
        m_launchedMs = 0; // it is what it was
        tell();
        return Q_EMIT commandFailed(EngineCall::notStarted(), {});
    }
    QTimer::singleShot(kStartGraceMs + 500, this, [this, queue] {
        if (queue && !active()) m_launchedMs = 0; // it was another one's turn
        if (phase() != m_lastPhase) tell();
    });
}

void RunSession::send(core::ControlVerb verb) {
    const bool pauses = verb == core::ControlVerb::Pause;
    if (pauses || verb == core::ControlVerb::Resume) m_pauseWanted = pauses;
    if (endsRun(verb)) m_stopWanted = true;
    Q_EMIT changed();
    ask({verb, {}});
}

void RunSession::saveIn(const QString& folder) {
    ask({core::ControlVerb::Elsewhere, {}, folder.toStdString()});
}

void RunSession::setFavourite(int64_t step, bool favourite) {
    const auto moment = [this, step]() -> Moment* {
        const auto found = std::find_if(m_data.moments.begin(), m_data.moments.end(),
                                        [step](const Moment& one) { return one.step == step; });
        return found == m_data.moments.end() ? nullptr : &*found;
    };
    const Moment* now = moment();
    if (now == nullptr) return;
    const auto mark = [folder = now->path.toStdString(), favourite] {
        return core::setFavourite(folder, favourite);
    };
    const auto take = [this, moment, favourite](const core::Result<void>& marked) {
        if (!marked)
            return Q_EMIT commandFailed(tr("The moment could not be marked."),
                                        QString::fromStdString(marked.error().text()));
        if (Moment* one = moment()) one->favourite = favourite;
        Q_EMIT changed();
    };
    inBackground(this, mark, take, writeDrives(), now->path);
}

void RunSession::ask(const core::ControlCommand& command) {
    m_requests.append(command);
    sendNext();
}

void RunSession::sendNext() {
    if (m_asking || m_requests.isEmpty()) return;
    m_asking = true;
    const core::ControlCommand command = m_requests.takeFirst();
    const std::string file = (m_folder + QStringLiteral("/control")).toStdString();
    const auto ask = [file, command] { return core::sendControl(file, command); };
    const auto take = [this, verb = command.verb](const core::Result<core::ControlReply>& reply) {
        const QString problem = !reply      ? QString::fromStdString(reply.error().message)
                                : reply->ok ? QString()
                                            : QString::fromStdString(reply->message);
        answered(verb, reply.ok(), problem);
    };
    inBackground(this, ask, take, &requestPool());
}

void RunSession::answered(core::ControlVerb verb, bool heard, const QString& problem) {
    m_asking = false;
    const bool stop = endsRun(verb);
    const bool works = active() || waitsForRoom();
    if (verb == core::ControlVerb::Stop && !heard && works && listensToNobody()) return stopUnheard();
    // A signal says no more than stop.
    const bool inVain = verb == core::ControlVerb::Finish && listensToNobody();
    if (stop && !heard && works && !inVain) return askAgain(verb); // nobody listens yet
    if (verb == core::ControlVerb::Pause && !problem.isEmpty()) m_pauseWanted = false;
    if (!problem.isEmpty() && !(stop && !active()))
        Q_EMIT commandFailed(tr("The training could not do this."), problem);
    if (stop && !problem.isEmpty()) m_stopWanted = false;
    sendNext();
}

void RunSession::askAgain(core::ControlVerb verb) {
    QTimer::singleShot(kAskAgainMs, this, [this, verb] {
        if (m_stopWanted) m_requests.prepend({verb, {}});
        sendNext();
    });
}

bool RunSession::listensToNobody() const {
    return std::any_of(m_data.warnings.begin(), m_data.warnings.end(),
                       [](const core::WarningEvent& one) { return one.code == "control"; });
}

void RunSession::stopUnheard() {
    const std::string lock = (m_folder + QStringLiteral("/lock")).toStdString();
    const auto take = [this](bool asked) {
        if (!asked) return askAgain(core::ControlVerb::Stop);
        sendNext(); // it says that it stops until it has
    };
    inBackground(
        this, [lock] { return core::stopBySignal(lock); }, take, &requestPool());
}

} // namespace homebooth::app
