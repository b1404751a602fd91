// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/queue/job_pool.h"

#include "core/base/plan/ranks/ram_share.h"
#include "core/base/system/gpu_facts.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/log.h"
#include "core/cli/worker/run_job.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <poll.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr std::chrono::milliseconds kPause(200); // between two looks at what runs
/// Between two looks at the queue while something runs: nobody waits for it.
constexpr std::chrono::milliseconds kQueuePause(1000);

/// What this program and all its jobs may have of the RAM; 0: nobody set it.
int64_t ramLimit() {
    const char* told = std::getenv(kRamLimitVariable);
    return told != nullptr ? std::strtoll(told, nullptr, 10) : 0;
}

/// Into the journal of a job whose process could not say it itself.
void tellFailure(const std::string& runDir, const Error& error) {
    const auto run = RunFolder::open(runDir);
    if (!run) return log(LogLevel::Error, error.text());
    const auto lock = RunLock::tryAcquire(run->lockFile()); // else whoever works on it writes there
    if (!lock || !*lock) return log(LogLevel::Error, error.text());
    refuseJob(*run, error);
}

std::vector<bool> freeOf(const std::vector<std::optional<RunLock>>& turns) {
    std::vector<bool> free;
    for (const auto& turn : turns) free.push_back(turn.has_value());
    return free;
}

/// All of these as one.
JobSlot placeOf(const std::vector<JobSlot>& all, const std::vector<int>& slots) {
    JobSlot place;
    for (const int slot : slots) {
        const JobSlot& one = all[static_cast<size_t>(slot)];
        place.device += (place.device.empty() ? "" : ",") + one.device;
        place.name += (place.name.empty() ? "" : ", ") + one.name;
    }
    return place;
}

} // namespace

JobPool::JobPool(JobQueue queue, std::vector<JobSlot> slots, bool logsInRuns)
    : m_queue(std::move(queue))
    , m_slots(std::move(slots))
    , m_offer(offerOf(m_slots, numberedGpus()))
    , m_logsInRuns(logsInRuns)
    , m_works(m_slots.size())
    , m_told(m_slots.size())
    , m_refusals(static_cast<int>(m_slots.size())) {}

Result<int> JobPool::workOff() {
    HOMEBOOTH_CHECK(workUntil([] { return false; }));
    return m_stops > 0 ? kExitCancelled : kExitDone;
}

Result<JobEnd> JobPool::runAhead(const std::string& runDir) {
    HOMEBOOTH_ASSIGN(m_named, m_queue.add(runDir, /*first=*/true));
    m_namedWaits = true;
    m_namedEnd.reset();
    HOMEBOOTH_CHECK(workUntil([this] { return m_namedEnd.has_value() && m_stops == 0; }));
    m_named.clear();
    return m_namedEnd.value_or(JobEnd{kExitCancelled, true});
}

/// Until that, or until all rests: nothing waits, or this program was told to end.
Result<void> JobPool::workUntil(const std::function<bool()>& over) {
    std::optional<Error> failure; // the first one; what runs is not left alone for it
    const auto keep = [&failure](const Result<void>& done) {
        if (!done && !failure) failure = done.error();
    };
    m_more = true;
    m_lookAt = {};
    while (true) {
        keep(takeEnds());
        if (!failure && m_stops == 0 && Clock::now() >= m_lookAt) {
            const auto more = beginMore();
            if (!more) failure = more.error();
            m_more = more && *more;
            m_lookAt = Clock::now() + (rests() || somebodyPlans() ? kPause : kQueuePause);
        }
        if (!failure && over()) return {};
        if (rests() && (failure || m_stops > 0 || !m_more)) break;
        waitForNews();
    }
    return failure ? Result<void>(*failure) : Result<void>();
}

/// Begins with one more where that is possible. @returns whether anything waits
Result<bool> JobPool::beginMore() {
    if (m_namedWaits) return beginNamed();
    return beginNext();
}

/// The run that was named begins also while the queue is held.
Result<bool> JobPool::beginNamed() {
    HOMEBOOTH_ASSIGN(const auto waiting, m_queue.jobs());
    const auto named = std::find_if(waiting.begin(), waiting.end(),
                                    [this](const QueuedJob& job) { return job.id == m_named; });
    if (named == waiting.end()) { // somebody took it out
        m_namedWaits = false;
        m_namedEnd = JobEnd{kExitCancelled, false};
        return true;
    }
    if (somebodyPlans()) return true;
    HOMEBOOTH_ASSIGN(Turns turns, takeFreeTurns());
    FreeSlots free(freeOf(turns));
    const std::vector<int> room = roomFor(*named, free);
    if (room.empty()) return true;
    HOMEBOOTH_ASSIGN(const bool ours, m_queue.move(named->id, JobState::Waiting, JobState::Running));
    if (ours) HOMEBOOTH_CHECK(begin(room, *named, std::move(turns)));
    return true;
}

Result<bool> JobPool::beginNext() {
    if (m_queue.held()) return false;
    HOMEBOOTH_ASSIGN(const auto waiting, m_queue.jobs());
    if (waiting.empty()) {
        // What is no job is put aside, as where one is taken.
        HOMEBOOTH_CHECK(m_queue.take([](const QueuedJob&) { return false; }));
        return false;
    }
    if (!somebodyPlans()) HOMEBOOTH_CHECK(beginFirstWithRoom());
    return true;
}

/// The first one that is not worked on already and may find room. Whoever wants the turn of its first slot
/// after it has begun may have it at once.
Result<void> JobPool::beginFirstWithRoom() {
    HOMEBOOTH_ASSIGN(Turns turns, takeFreeTurns());
    const std::vector<bool> places = freeOf(turns);
    if (std::find(places.begin(), places.end(), true) == places.end()) return {};
    FreeSlots free(places);
    std::vector<int> room;
    const auto wanted = [this, &free, &room](const QueuedJob& job) {
        if (worksOn(job.runDir)) return false;
        room = roomFor(job, free);
        return !room.empty();
    };
    HOMEBOOTH_ASSIGN(auto job, m_queue.take(wanted));
    return job ? begin(room, std::move(*job), std::move(turns)) : Result<void>();
}

Result<JobPool::Turns> JobPool::takeFreeTurns() {
    Turns turns(m_slots.size());
    for (int slot = 0; slot < static_cast<int>(m_slots.size()); ++slot) {
        if (isUsed(slot)) continue;
        const auto place = static_cast<size_t>(slot);
        HOMEBOOTH_ASSIGN(turns[place], m_queue.takeTurn(slot));
        if (!turns[place] && !m_told[place]) sayWhoComesFirst(m_queue, slot);
        m_told[place] = !turns[place];
    }
    return turns;
}

bool JobPool::isUsed(int slot) const {
    return std::any_of(m_works.begin(), m_works.end(), [slot](const std::optional<Work>& work) {
        return work && std::find(work->slots.begin(), work->slots.end(), slot) != work->slots.end();
    });
}

/// What cannot be read says so itself, in any slot.
Result<std::vector<int>> JobPool::slotsWantedBy(const std::string& runDir) const {
    const auto run = RunFolder::open(runDir);
    const auto config = run ? run->config() : Result<TrainConfig>(run.error());
    return config ? slotsWanted(*config, m_offer) : std::vector<int>();
}

/// One that names GPUs which are not there begins anywhere: it says so itself.
std::vector<int> JobPool::roomFor(const QueuedJob& job, FreeSlots& free) const {
    const auto wanted = slotsWantedBy(job.runDir);
    return free.roomFor(job.id, wanted ? *wanted : std::vector<int>(), m_refusals);
}

JobStart JobPool::startOf(const QueuedJob& job, const std::vector<int>& slots) const {
    const auto wanted = slotsWantedBy(job.runDir);
    std::vector<int> seen = slots;
    if (!wanted) { // it computes on none, and tells whoever named them what there is
        seen.resize(m_slots.size());
        std::iota(seen.begin(), seen.end(), 0);
    }
    const bool chosen = wanted && !wanted->empty(); // it may begin in no other
    JobStart start{job.runDir, placeOf(m_slots, seen).device};
    start.ramBytes = ramForNext();
    start.mayWait = !rests() || (!chosen && !m_refusals.isLast(job.id, slots.front()));
    start.logInRun = m_logsInRuns;
    return start;
}

Result<void> JobPool::begin(const std::vector<int>& slots, QueuedJob job, Turns turns) {
    job.slot = slots.front();
    job.device = placeOf(m_slots, slots).name;
    std::vector<RunLock> otherTurns;
    for (const int slot : slots)
        if (slot != job.slot) otherTurns.push_back(std::move(*turns[static_cast<size_t>(slot)]));
    if (const auto told = m_queue.tellSlot(job); !told) log(LogLevel::Warning, told.error().text());
    if (job.id == m_named) m_namedWaits = false;
    auto process = JobProcess::start(startOf(job, slots));
    if (!process) {
        tellFailure(job.runDir, process.error());
        return takeEnd({std::move(job), slots, nullptr}, {static_cast<int>(process.error().code), false});
    }
    const auto place = static_cast<size_t>(job.slot);
    m_works[place] =
        Work{std::move(job), slots, std::move(process).value(), m_refusals.moment(), std::move(otherTurns)};
    return {};
}

/// 0 where nobody else runs: then all that is free is the next one's, as with one job at a time.
int64_t JobPool::ramForNext() const {
    std::vector<RamPromise> others;
    for (const auto& work : m_works)
        if (work) others.push_back({work->process->plannedRamBytes(), work->process->residentBytes()});
    if (others.empty()) return 0;
    const int64_t room = ramBeside(memoryFacts().usableBytes(), others);
    const int64_t limit = ramLimit();
    return limit > 0 ? std::min(room, ramWithin(limit, others)) : room;
}

bool JobPool::somebodyPlans() const {
    return std::any_of(m_works.begin(), m_works.end(),
                       [](const std::optional<Work>& work) { return work && !work->process->isPlanned(); });
}

bool JobPool::worksOn(const std::string& runDir) const {
    return std::any_of(m_works.begin(), m_works.end(), [&runDir](const std::optional<Work>& work) {
        return work && work->job.runDir == runDir;
    });
}

bool JobPool::rests() const {
    return std::none_of(m_works.begin(), m_works.end(),
                        [](const std::optional<Work>& work) { return work.has_value(); });
}

Result<void> JobPool::takeEnds() {
    std::optional<Error> failure;
    for (std::optional<Work>& work : m_works) {
        const auto code = work ? work->process->ended() : std::nullopt;
        if (!code) continue;
        // A signal to the whole session may have ended its worker before this program read its own.
        if (m_signals.take()) stopAll();
        const Work ended = std::move(*work);
        work.reset();
        if (const auto why = ended.process->silentEnd()) tellFailure(ended.job.runDir, *why);
        m_lookAt = {};
        if (const auto settled = takeEnd(ended, {*code, m_stops > 0}); !settled) failure = settled.error();
    }
    return failure ? Result<void>(*failure) : Result<void>();
}

Result<void> JobPool::takeEnd(const Work& work, const JobEnd& end) {
    if (end.code == kExitNoRoom) {
        m_refusals.add(work.job.id, work.job.slot, work.moment);
        if (work.job.id == m_named) m_namedWaits = true;
        return putBack(work.job);
    }
    m_refusals.jobEnded();
    m_refusals.forget(work.job.id);
    if (work.job.id != m_named) return settle(m_queue, work.job, end);
    m_namedEnd = end;
    return settleNamed(m_queue, work.job, end);
}

/// It waits again, as the first behind those that found no room before it.
Result<void> JobPool::putBack(const QueuedJob& job) const {
    log(LogLevel::Info, job.runDir + " needs more memory than is free at present; it waits for it");
    HOMEBOOTH_ASSIGN(auto ids, m_queue.order());
    std::erase(ids, job.id);
    const auto place = std::find_if_not(ids.begin(), ids.end(),
                                        [this](const std::string& id) { return m_refusals.knows(id); });
    ids.insert(place, job.id);
    HOMEBOOTH_CHECK(m_queue.setOrder(ids));
    HOMEBOOTH_CHECK(m_queue.move(job.id, JobState::Running, JobState::Waiting));
    return {};
}

void JobPool::waitForNews() {
    pollfd news{m_signals.descriptor(), POLLIN, 0};
    ::poll(&news, 1, static_cast<int>(kPause.count()));
    if (m_signals.take()) stopAll();
}

void JobPool::stopAll() {
    ++m_stops;
    for (const auto& work : m_works)
        if (work) work->process->stop();
}

} // namespace homebooth::core
