// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of a queue, several at once: one in each slot. Owned by the supervisor of a machine with several
// GPUs; main thread. Rules:
//   1. Jobs begin in the queue's order, each in the first slot that is free and whose turn can be had.
//   2. They begin one after another: the next one when the plan of the last is known, for what that takes of
//   the RAM is not the next one's. A plan measures the machine, too, which another one would disturb.
//   3. Each ends by itself. A request to end goes to all, and nothing begins any more.
//   4. A run is worked on once at a time, however often it stands in the queue.
//   5. A job that chooses among GPUs itself, for its several processes, sees them all and runs alone: it
//   keeps back those behind it until all slots are free, and has the turns of all while it runs.
#pragma once

#include "core/cli/job_crew.h"
#include "core/cli/job_process.h"
#include "core/cli/job_refusals.h"
#include "core/cli/stop_signals.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

class JobPool : public JobCrew {
public:
    /// @param slots  two at least
    JobPool(JobQueue queue, std::vector<JobSlot> slots, bool logsInRuns);

    /// Also what comes meanwhile. Errors: those of the queue's folder, once what runs has ended
    [[nodiscard]] Result<int> workOff() override;
    /// And on the queue beside it. @returns as soon as that run ended; the others go on. Errors: as workOff
    [[nodiscard]] Result<JobEnd> runAhead(const std::string& runDir) override;

private:
    using Clock = std::chrono::steady_clock;
    struct Work {
        QueuedJob job;
        std::unique_ptr<JobProcess> process;
        int moment = 0;                       ///< of its beginning, for the refusals
        std::vector<RunLock> otherTurns = {}; ///< of a job that runs alone
    };

    [[nodiscard]] Result<void> workUntil(const std::function<bool()>& over);
    [[nodiscard]] Result<bool> beginMore();
    [[nodiscard]] Result<bool> beginNamed();
    [[nodiscard]] Result<bool> beginNext();
    using Take = std::function<Result<std::optional<QueuedJob>>(int slot)>;
    [[nodiscard]] Result<void> beginInFreeSlot(const Take& take);
    [[nodiscard]] Result<std::optional<QueuedJob>> takeFor(int slot);
    [[nodiscard]] bool mayBegin(const QueuedJob& job, int slot);
    [[nodiscard]] Result<void> begin(int slot, QueuedJob job);
    [[nodiscard]] JobSlot placeOf(int slot) const;
    [[nodiscard]] bool somebodyIsAlone() const;
    [[nodiscard]] int64_t ramForNext() const;
    [[nodiscard]] bool somebodyPlans() const;
    [[nodiscard]] bool worksOn(const std::string& runDir) const;
    [[nodiscard]] bool rests() const;
    [[nodiscard]] Result<void> takeEnds();
    [[nodiscard]] Result<void> takeEnd(const Work& work, const JobEnd& end);
    [[nodiscard]] Result<void> putBack(const QueuedJob& job) const;
    void waitForNews();
    void stopAll();

    const JobQueue m_queue;
    const std::vector<JobSlot> m_slots;
    const bool m_logsInRuns;
    const StopSignals m_signals;
    std::vector<std::optional<Work>> m_works; // by slot
    std::vector<bool> m_told;                 // by slot: who comes first there
    std::vector<RunLock> m_otherTurns;        // of the job that is about to begin; empty: it takes one slot
    JobRefusals m_refusals;
    std::string m_named;       // the job that was named; empty: none, or it has ended
    bool m_namedWaits = false; // and has not begun
    std::optional<JobEnd> m_namedEnd;
    Clock::time_point m_lookAt; // for more to do
    bool m_more = true;         // there may be
    int m_stops = 0;            // how often this program was told to end
};

} // namespace homebooth::core
