// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of a queue, several at once: each in a slot, or in those of all the GPUs that it needs. Owned by
// the supervisor of a machine with several GPUs; main thread. Rules:
//   1. Jobs begin in the queue's order, in slots that are free and whose turns can be had (free_slots.h).
//   2. They begin one after another: the next one when the plan of the last is known, for what that takes of
//   the RAM is not the next one's. A plan measures the machine, too, which another one would disturb.
//   3. Each ends by itself. A request to end goes to all, and nothing begins any more.
//   4. A run is worked on once at a time, however often it stands in the queue.
//   5. A job sees the GPUs of its slots. Those of one that names some are the slots of these; one of several
//   processes that names none has the first ones.
//   6. Of a job with several slots the turns of all but the first are held while it runs: to whoever knows it
//   by its first one alone the others look free.
#pragma once

#include "core/base/run/queue/rank_gpus.h"
#include "core/cli/queue/free_slots.h"
#include "core/cli/queue/job_crew.h"
#include "core/cli/queue/job_process.h"
#include "core/cli/queue/job_refusals.h"
#include "core/cli/worker/stop_signals.h"

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
        std::vector<int> slots; ///< in order; it stands at the place of the first one
        std::unique_ptr<JobProcess> process;
        int moment = 0;                       ///< of its beginning, for the refusals
        std::vector<RunLock> otherTurns = {}; ///< of all its slots but the first
    };

    [[nodiscard]] Result<void> workUntil(const std::function<bool()>& over);
    [[nodiscard]] Result<bool> beginMore();
    [[nodiscard]] Result<bool> beginNamed();
    [[nodiscard]] Result<bool> beginNext();
    [[nodiscard]] Result<void> beginFirstWithRoom();
    using Turns = std::vector<std::optional<RunLock>>; // by slot
    [[nodiscard]] Result<Turns> takeFreeTurns();
    [[nodiscard]] bool isUsed(int slot) const;
    [[nodiscard]] Result<std::vector<int>> slotsWantedBy(const std::string& runDir) const;
    [[nodiscard]] std::vector<int> roomFor(const QueuedJob& job, FreeSlots& free) const;
    [[nodiscard]] Result<void> begin(const std::vector<int>& slots, QueuedJob job, Turns turns);
    [[nodiscard]] JobStart startOf(const QueuedJob& job, const std::vector<int>& slots) const;
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
    const GpuOffer m_offer; // those, and how they are numbered
    const bool m_logsInRuns;
    const StopSignals m_signals;
    std::vector<std::optional<Work>> m_works; // by slot
    std::vector<bool> m_told;                 // by slot: who comes first there
    JobRefusals m_refusals;
    std::string m_named;       // the job that was named; empty: none, or it has ended
    bool m_namedWaits = false; // and has not begun
    std::optional<JobEnd> m_namedEnd;
    Clock::time_point m_lookAt; // for more to do
    bool m_more = true;         // there may be
    int m_stops = 0;            // how often this program was told to end
};

} // namespace homebooth::core
