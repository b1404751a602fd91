// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The loop around the steps: what was asked of the run from outside, events, checkpoints, previews.
// Of a job with several ranks each runs it, and between steps they agree on what was asked for; what only one
// has to do (writing files) the first does while the others wait.
// Borrows all it works with. One thread.
#pragma once

#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/run_place.h"
#include "core/engine/data/job_context.h"
#include "core/engine/training/checkpointing.h"
#include "core/engine/training/memory_report.h"
#include "core/engine/training/trainee.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

enum class LoopEnd { Done, Stopped };

/// What steps move, or one on the average.
struct StepTraffic {
    int64_t linkBytes = 0;        ///< between RAM and the device, in both directions
    int64_t swapBytesWritten = 0; ///< to the disk; what a step changed may be driven out by the next one
};

class TrainLoop {
public:
    TrainLoop(const JobContext& job, Trainee& trainee)
        : m_job(job)
        , m_trainee(trainee)
        , m_place(job.run) {}

    /// Trains from `doneSteps` to the configured number, or until it shall finish or stop. Ends with a
    /// checkpoint. @param from  the checkpoint that `doneSteps` were restored of
    /// Errors: OutOfResources and BadInput from saving; BadInput when the loss is no longer
    /// finite, or was in no step of all.
    ///         Throws c10::Error where LibTorch does.
    [[nodiscard]] Result<LoopEnd> run(int64_t doneSteps, SaveKind from = SaveKind::Counted);

    /// Where the run's folder was when this was made.
    [[nodiscard]] const RunPlace& place() const { return m_place; }

    /// Errors: the drive of the checkpoints is away. Where its empty folder is there all the same, a
    /// checkpoint would be written below it, and not be seen any more when the drive comes back.
    [[nodiscard]] Result<void> expectDrive() const;
    /// The same of the run's folder and of that drive.
    [[nodiscard]] Result<void> expectPlaces() const;

    /// The step of the last checkpoint, where `run` has ended.
    [[nodiscard]] int64_t savedStep() const { return m_savedStep; }

    /// Mean seconds of a step so far, the first one left out when there are others; 0 without any.
    [[nodiscard]] double stepSeconds() const;

    /// What steps took of the device; previews are made between them, and what they take is not counted
    /// there.
    [[nodiscard]] MemoryPeaks peaks() const;

    /// Of the steps so far; previews, validations and checkpoints do not count.
    [[nodiscard]] StepTraffic trafficPerStep() const;

private:
    /// What was asked of any rank since the last step.
    struct Asked {
        bool save = false;
        bool sample = false;
        bool stop = false;
        bool finish = false;
        bool pause = false;
        bool clock = false;   ///< the first rank's, for what was learned
        bool battery = false; ///< the same
    };
    [[nodiscard]] Asked asked(int64_t doneSteps) const;
    /// Whether what a power cut would lose took a long time to learn.
    [[nodiscard]] bool longUnsaved(int64_t doneSteps) const;
    [[nodiscard]] Result<void> oneStep(int64_t step);
    [[nodiscard]] StepReport ofAllRanks(StepReport own) const;
    void report(int64_t step, const StepReport& report, double seconds);
    void reportMemory(int64_t step);
    /// What was asked for between two steps: waits, saves, samples. @returns  whether to go on
    [[nodiscard]] Result<bool> obey(int64_t doneSteps);
    /// What the loop does from here on: learns, or waits until it may.
    void sayPaused(bool paused, int64_t step);
    [[nodiscard]] bool due(int64_t step, int64_t every) const { return every > 0 && step % every == 0; }
    /// Also of the last step, which the result has.
    [[nodiscard]] bool previewDue(int64_t step) const;
    [[nodiscard]] Result<LoopEnd> stopAfter(int64_t step);
    /// Where the disk is full or away, it waits, unless something rolling can give way. What is saved becomes
    /// a checkpoint that counts.
    [[nodiscard]] Result<void> save(int64_t step);
    [[nodiscard]] Result<void> writeCounted(int64_t step);
    [[nodiscard]] Result<void> writeOnce(int64_t step, SaveKind kind);
    /// Saves what only stands in for the next checkpoint that counts. It waits for no room, and where it
    /// fails the training goes on. @param needsRoom  for the next one as well
    void saveRolling(int64_t step, bool needsRoom);
    [[nodiscard]] Result<void> writeRolling(int64_t step, bool needsRoom);
    /// Whether weights are likely to be of no use that were when they were saved last.
    [[nodiscard]] bool spoiled() const;
    /// Whether fp16 has let no step change anything, from the run's first one on.
    [[nodiscard]] bool learnedNothing(int64_t step) const;
    /// Why the run cannot go on, or has no result. @param step  the last one, which was of no use
    [[nodiscard]] Error failureAt(int64_t step) const;
    /// Saves what was asked for or is due. @param goesOn  the next step follows: it may be one of more use
    [[nodiscard]] Result<void> saveIfDue(int64_t step, bool goesOn);
    /// Errors: the loss is not finite any more, and the last checkpoint is better
    [[nodiscard]] Result<void> saveAtEnd(int64_t step);
    void preview(int64_t step);
    /// Where what saved the step was killed ahead of them.
    void makeUpForPreviews(int64_t step);
    void validate(int64_t step);
    /// Lets averages stand for the weights. Errors: those of any rank, at all of them; none has swapped then,
    /// but some may have set weights aside
    [[nodiscard]] Result<void> useAverages(const std::string& operation, const char* without);
    /// Errors: as `useAverages`; OutOfResources where one process trains
    [[nodiscard]] Result<std::optional<double>> heldOutLoss(int64_t step);
    [[nodiscard]] Result<std::vector<PreviewPicture>> previewsOf(int64_t step);
    [[nodiscard]] Result<std::vector<PreviewPicture>> ownPreviews(int64_t step);
    void writePreviews(int64_t step, const std::vector<PreviewPicture>& previews);

    const JobContext& m_job;
    Trainee& m_trainee;
    const RunPlace m_place;
    int64_t m_savedStep = -1;
    SaveKind m_savedKind = SaveKind::Counted;
    std::optional<SavedElsewhere> m_savedIn;         // that one
    std::chrono::steady_clock::time_point m_savedAt; // or tried to, or began
    double m_saveSeconds = 0.0;                      // that the last one took
    bool m_saveDue = false;
    bool m_paused = false;
    int64_t m_devicePeakBytes = 0; // of the steps before the last preview
    int64_t m_badSteps = 0;        // in a row
    int64_t m_doneSteps = 0;       // by this loop
    StepTraffic m_traffic;         // of them
    double m_seconds = 0.0;
    int64_t m_timedSteps = 0;
    std::optional<double> m_firstSeconds; // warms caches up: counts only if no other step was done
};

} // namespace homebooth::core
