// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A job of the queue in a process of its own, `supervise RUN --no-queue --job`: it locks the run, plans,
// watches the worker and writes its end, as a supervisor does that has one job at a time. So several of them
// know nothing of each other, and each sees the GPUs of its slots alone.
// Owned by the JobPool; main thread (the process is told when that one dies). Rules:
//   1. The kernel kills it when the supervisor dies. Its worker then finds itself alone, saves and ends.
//   2. It ignores the signals of terminals and sessions. The supervisor passes on what is meant for it, once.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/queue/job_slots.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

namespace homebooth::core {

/// What such a process ends with when its plan found no room and it may wait for some: nothing was begun, and
/// its journal says nothing of it.
constexpr int kExitNoRoom = 8;

struct JobStart {
    std::string runDir;
    std::string device;    ///< for CUDA_VISIBLE_DEVICES
    int64_t ramBytes = 0;  ///< that it may have; 0: what is free
    bool mayWait = false;  ///< for room
    bool logInRun = false; ///< what it says goes into the run's folder
};

class JobProcess {
public:
    /// Errors: Internal or OutOfResources if there can be no process
    [[nodiscard]] static Result<std::unique_ptr<JobProcess>> start(const JobStart& start);
    /// What still runs is killed; its worker saves.
    ~JobProcess();
    JobProcess(const JobProcess&) = delete;
    JobProcess& operator=(const JobProcess&) = delete;

    /// Passes a request to stop on. The first one is gentle, the second is not.
    void stop() const;
    /// The exit code once it has ended. To be asked until then.
    [[nodiscard]] std::optional<int> ended();
    /// After that: why, if it ended before it could say a word of it in the run's journal.
    [[nodiscard]] std::optional<Error> silentEnd() const;
    /// Whether it is no longer being planned.
    [[nodiscard]] bool isPlanned();
    /// What its latest plan takes of the RAM, in all; 0 while there is none.
    [[nodiscard]] int64_t plannedRamBytes();
    /// What it has of the RAM at this moment, with its workers.
    [[nodiscard]] int64_t residentBytes() const;

private:
    explicit JobProcess(const JobStart& start);
    [[nodiscard]] Result<void> begin(const JobStart& start);
    void readPlans();

    JournalReader m_journal;
    std::optional<ResourceUse> m_plan;
    int64_t m_processes = 1;  ///< that train together, of which a plan tells one
    bool m_hostAlone = false; ///< RAM stands for a device
    pid_t m_process = -1;
    std::optional<Error> m_silentEnd; // none: it could speak
};

} // namespace homebooth::core
