// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_centre.h"

#include "app/engine/gpu_answer.h"
#include "app/engine/pictures/photo_folder.h"
#include "app/engine/places.h"
#include "app/engine/request_pool.h"
#include "app/engine/runs/run_files.h"
#include "app/engine/runs/run_session.h"
#include "app/library/background.h"
#include "app/library/library_service.h"
#include "app/library/subject_book.h"
#include "core/base/run/run_folder.h"

#include <QPointer>

#include <algorithm>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kLifeMs = 2000;

const char* stateOf(RunPhase phase) {
    switch (phase) {
    case RunPhase::Done:
        return "done";
    case RunPhase::Cancelled:
        return "cancelled";
    case RunPhase::Failed:
        return "failed";
    case RunPhase::Waiting:
        return "waiting";
    default:
        return "running";
    }
}

/// What is learned, in words: of several subjects that of the first one. Of a dataset nobody has said it,
/// whatever its previews show.
std::string promptOf(const RunOrder& order) {
    const core::TrainConfig& config = order.config;
    if (!config.data.instancePrompt.empty()) return config.data.instancePrompt;
    if (order.subjects.empty()) return {};
    return subjectSentence(order.subjects.front()).toStdString();
}

bool openIn(const std::vector<core::RunRecord>& runs, const std::string& folder) {
    return std::any_of(runs.begin(), runs.end(), [&folder](const core::RunRecord& run) {
        return run.folder == folder && run.endedMs == 0;
    });
}

/// When a run ended that has just done so, or that could not be gone on with.
int64_t endOf(const RunSession& session) {
    const int64_t lastSign = session.data().lastSignMs;
    return session.inVain() && lastSign > 0 ? lastSign : core::nowMs();
}

} // namespace

RunCentre::RunCentre(LibraryService& library, GpuAnswer& gpus, QObject* parent)
    : QObject(parent)
    , m_library(library)
    , m_gpus(gpus) {
    m_life.setInterval(kLifeMs);
    m_tell.setSingleShot(true);
    connect(&m_tell, &QTimer::timeout, this, &RunCentre::tellGone);
    connect(this, &RunCentre::runsChanged, this, &RunCentre::nameSessions);
    connect(&m_life, &QTimer::timeout, this, &RunCentre::tick);
    connect(&gpus, &GpuAnswer::changed, this, &RunCentre::takeSlots);
    connect(&m_queue, &QueueDesk::changed, this, &RunCentre::takeQueue);
    connect(&library, &LibraryService::roomCame, this, [this] {
        if (!m_runsFolder.isEmpty()) findRuns(); // what was passed over meanwhile
    });
    connect(&m_queue, &QueueDesk::failed, this,
            [this](const QString& detail) { Q_EMIT failed(tr("The queue could not be changed."), detail); });
}

RunCentre::~RunCentre() {
    // What was to begin after the pictures, or once its photos were copied, begins now: the pictures end with
    // the window. No frame waits for this any more, so it is done here.
    m_toStart.append(m_starts->waitForAll());
    m_queue.finish();
    const core::JobQueue jobs;
    for (const QString& folder : std::as_const(m_moving))
        m_toStart.removeAll(folder); // it is written to still
    for (const QString& folder : m_toStart) (void)jobs.add(folder.toStdString(), /*first=*/m_launching);
    if (startWanted() && !busy() && !jobs.supervised()) startSupervisor({}, dataFolder());
    endDeletions();
}

void RunCentre::open(const QString& runsFolder) {
    m_runsFolder = runsFolder;
    m_first = true;
    m_queue.open();
    checkSlots();
    findRuns();
    m_life.start();
}

void RunCentre::findRuns() {
    if (lacksChanges()) return;
    m_library.ask<std::vector<core::RunRecord>>(
        this, core::loadRuns,
        [this, folder = m_runsFolder.toStdString()](const std::vector<core::RunRecord>& known) {
            inBackground(
                this, [known, folder] { return core::lookForRuns(known, folder); },
                [this](const core::FoundRuns& found) { takeUp(found); }, &lookPool());
        });
}

bool RunCentre::lacksChanges() const {
    return m_library.waits() && !m_first;
}

void RunCentre::takeUp(const core::FoundRuns& found) {
    if (found.moved.empty()) return writeFound(found);
    // First of all: until the library knows it, the next start finds once more what was moved.
    for (const auto& [from, to] : found.moved)
        followJob(QString::fromStdString(from), QString::fromStdString(to));
    m_queue.look([this, found] { writeFound(found); });
}

void RunCentre::writeFound(const core::FoundRuns& found) {
    m_library.work(
        this, [found](core::Library& library) { return core::takeUpRuns(library, found); },
        [this, found](const core::Result<int>& taken) {
            if (!taken) {
                Q_EMIT failed(tr("Not all trainings could be found."),
                              QString::fromStdString(taken.error().text()));
                return reloadRuns();
            }
            inBackground(
                this, [found] { core::settleRuns(found); },
                [this] {
                    reloadRuns();
                    const auto note = [folder = m_runsFolder.toStdString()] { core::noteStandings(folder); };
                    inBackground(
                        this, note, [] {}, &lookPool());
                },
                &lookPool());
        });
}

const core::RunRecord* RunCentre::find(const QString& folder) const {
    for (const core::RunRecord& run : m_runs)
        if (run.folder == folder.toStdString()) return &run;
    return nullptr;
}

void RunCentre::reloadRuns() {
    m_library.ask<std::vector<core::RunRecord>>(
        this, core::loadRuns, [this, asked = m_runs](const std::vector<core::RunRecord>& runs) {
            // What was begun, named or ended since is not in the answer, and must not be lost by it.
            if (lacksChanges()) return;
            if (m_runs != asked) return reloadRuns();
            const std::vector<core::RunRecord> before = std::exchange(m_runs, runs);
            Q_EMIT runsChanged();
            if (std::exchange(m_first, false)) return lookForLife();
            for (const core::RunRecord& run : m_runs)
                if (run.endedMs > 0 && openIn(before, run.folder))
                    Q_EMIT finished(QString::fromStdString(run.folder));
        });
}

void RunCentre::tick() {
    m_queue.look([this] {
        lookForLife();
        if (m_startWanted && !supervised()) startQueue();
    });
}

void RunCentre::begin(const RunOrder& order, const QString& elsewhere) {
    const QString runs = elsewhere.isEmpty() ? m_runsFolder : elsewhere;
    const auto count = std::make_shared<WorkCount>();
    m_starts->begin();
    if (!order.subjects.empty()) Q_EMIT preparing(count);
    const auto take = [this, order, runs, count](const std::pair<core::Result<QString>, Shortage>& result) {
        const auto& [folder, shortage] = result;
        const bool stopped = !folder && count->stopped;
        Q_EMIT prepared(stopped);
        if (stopped) return;
        if (!folder && folder.error().code == core::ErrorCode::OutOfResources)
            return Q_EMIT noRoom(order, runs, shortage);
        if (!folder)
            return Q_EMIT failed(tr("The training could not be prepared. Nothing was started."),
                                 QString::fromStdString(folder.error().text()));
        made(order, *folder);
        m_starts->take(*folder);
    };
    // A few photos: who starts a training waits for this.
    inBackground(
        this,
        [order, runs, count, starts = m_starts] {
            auto folder = makeRun(order, runs, count.get());
            starts->end(folder ? *folder : QString());
            const Shortage shortage =
                folder ? Shortage() : Shortage{bytesOfPhotos(order.subjects), freeBytesAt(runs)};
            return std::pair(std::move(folder), shortage);
        },
        take, &requestPool());
}

void RunCentre::made(const RunOrder& order, const QString& folder) {
    core::RunRecord record;
    record.id = core::newRecordId();
    record.folder = folder.toStdString();
    record.title = order.title.toStdString();
    record.prompt = promptOf(order);
    record.model = order.config.model;
    record.state = "waiting";
    record.steps = order.config.steps;
    record.createdMs = core::nowMs();
    for (const core::Subject& subject : order.subjects) record.subjects.push_back(subject.id);
    m_runs.insert(m_runs.begin(), record);
    m_going.remove(folder); // another one had it
    save(record);
    Q_EMIT folderMade(order, folder);
    start(folder);
}

void RunCentre::start(const QString& folder) {
    m_toStart.append(folder);
    Q_EMIT workChanged();
    startSoon(folder);
}

void RunCentre::startSoon(const QString& folder) {
    m_queue.look([this, folder] {
        if (canBegin()) {
            m_launching = true;
            // A run that is begun by name is no job any more: it would begin again after itself.
            return m_queue.drop(folder, [this, folder] { launch(folder, /*wholeQueue=*/false); });
        }
        m_toStart.removeOne(folder);
        if (m_toStart.contains(folder) || works(folder)) return; // asked twice
        if (!queue().contains(folder)) enqueue(folder);          // what waits already keeps its place
        m_startWanted = !held();                                 // also if the supervisor is just going
        Q_EMIT workChanged();
        Q_EMIT begun(folder, true);
    });
}

bool RunCentre::canBegin() const {
    return !busy() && !supervised() && !m_launching && gateOpen();
}

void RunCentre::launch(const QString& folder, bool wholeQueue) {
    m_launching = true;
    Q_EMIT workChanged();
    const auto go = [self = QPointer<RunCentre>(this), folder, wholeQueue] {
        if (!self) return;
        self->m_launching = false;
        self->m_toStart.removeOne(folder);
        const Session session = self->sessionOf(folder);
        self->look(session);
        self->employ({session});
        if (wholeQueue)
            session->launchQueue();
        else
            session->launch();
        Q_EMIT self->workChanged();
        if (!wholeQueue) Q_EMIT self->begun(folder, false);
    };
    if (m_gate.clear)
        m_gate.clear(go);
    else
        go();
}

void RunCentre::show(const QString& folder) {
    look(sessionOf(folder));
}

void RunCentre::noteSteps(const QString& folder, int64_t steps) {
    const core::RunRecord* known = find(folder);
    if (known == nullptr || steps <= 0) return;
    core::RunRecord record = *known;
    record.steps = steps;
    if (record != *known) save(record);
}

void RunCentre::resume(const QString& folder, const ResumeOptions& options) {
    if (works(folder) || m_toStart.contains(folder) || isGoing(folder)) return;
    const bool shown = m_shown && m_shown->folder() == folder;
    core::ResourceUse seen = shown ? mostUsedOfLacking(m_shown->data()) : core::ResourceUse{};
    if (options.lessRam) seen = ramAlone(seen);
    if (!options.changes()) return start(folder);
    m_toStart.append(folder);
    Q_EMIT workChanged();
    const auto change = [folder, options, seen] { return changeConfig(folder, options, seen); };
    const bool moves = !options.savesIn.empty();
    if (moves) m_moving.insert(folder);
    const auto take = [this, folder, moves,
                       model = options.model](const core::Result<core::TrainConfig>& changed) {
        m_moving.remove(folder);
        if (changed) {
            if (const Session session = followed(folder)) session->setConfig(*changed);
            noteSteps(folder, changed->steps);
            if (!model.empty()) setModel(folder.toStdString(), model);
            return startSoon(folder);
        }
        m_toStart.removeOne(folder);
        Q_EMIT workChanged();
        Q_EMIT failed(moves ? tr("The training could not be brought into the other folder.")
                            : tr("The training's settings could not be changed."),
                      QString::fromStdString(changed.error().text()));
    };
    inBackground(this, change, take, &requestPool());
}

void RunCentre::setModel(const std::string& folder, const std::string& model) {
    for (core::RunRecord& run : m_runs)
        if (run.folder == folder) run.model = model;
    m_library.write(
        [folder, model](core::Library& library) { return core::setRunModel(library, folder, model); });
    Q_EMIT runsChanged();
}

void RunCentre::rename(const QString& folder, const QString& title) {
    const core::RunRecord* known = find(folder);
    if (known == nullptr || title.trimmed().isEmpty()) return;
    core::RunRecord record = *known;
    record.title = title.trimmed().toStdString();
    m_library.write(
        [record](core::Library& library) { return core::renameRun(library, record.folder, record.title); });
    save(record);
    const auto note = [record] {
        if (const auto run = core::RunFolder::open(record.folder);
            run && !worksOn(QString::fromStdString(record.folder)))
            (void)run->addFacts(core::runNotes(record));
    };
    inBackground(
        this, note, [] {}, &requestPool());
}

void RunCentre::dismiss() {
    look(nullptr);
}

void RunCentre::save(const core::RunRecord& record) {
    keep(record);
    Q_EMIT runsChanged();
}

void RunCentre::keep(const core::RunRecord& record) {
    for (core::RunRecord& run : m_runs)
        if (run.folder == record.folder) run = record;
    m_library.write([record](core::Library& library) { return core::saveRun(library, record); });
}

void RunCentre::note(RunSession& session) {
    tellPlace(session); // what is no end is not noted as one
    const RunPhase phase = session.phase();
    const bool ended = phase == RunPhase::Done || phase == RunPhase::Cancelled || phase == RunPhase::Failed;
    const bool worked = std::any_of(m_workers.begin(), m_workers.end(),
                                    [&session](const Session& one) { return one.get() == &session; });
    m_queue.look();
    // Of a folder that is out of reach, or is still read, nobody knows what became of it.
    const bool unknown =
        session.gone() || phase == RunPhase::Reading || (phase == RunPhase::Waiting && !worked);
    if (const core::RunRecord* known = unknown ? nullptr : find(session.folder())) {
        core::RunRecord record = *known;
        record.state = stateOf(phase);
        if (session.config().steps > 0) record.steps = session.config().steps;
        record.stepsDone = session.data().step();
        if (!ended || record.endedMs == 0) record.endedMs = ended ? endOf(session) : 0;
        const bool news = worked && ended && known->endedMs == 0 && !session.inVain();
        if (record != *known) save(record);
        if (news) Q_EMIT finished(session.folder());
    }
    Q_EMIT phaseChanged();
    if (worked) Q_EMIT workChanged();
}

} // namespace homebooth::app
