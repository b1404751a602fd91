// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run's folder amounts to for the window: curves with little memory a point, the latest of everything
// else. Value; built by the follower off the GUI thread in pieces, read on the GUI thread.
// Invariant: its size is bounded, however long the run. Beyond kMostSteps, kMostMemory or kMostHeldOut
// samples every four are replaced by the two with the least and the greatest value, so the curves keep their
// extremes.
#pragma once

#include "app/engine/runs/moments.h"
#include "core/base/config/train_config.h"
#include "core/base/run/journal/event_json.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace homebooth::app {

constexpr size_t kMostSteps = size_t{1} << 20;   ///< 40 MiB
constexpr size_t kMostMemory = size_t{1} << 16;  ///< 11 MiB
constexpr size_t kMostHeldOut = size_t{1} << 16; ///< 1 MiB
constexpr size_t kMostWarnings = 1000;           ///< the latest
constexpr size_t kMostMarks = 1000;              ///< the latest
constexpr size_t kMostLeftOut = size_t{1} << 16; ///< 10 MiB; the run's list has all

/// One memory sample, in bytes: [kind] in the order of MemoryKind.
struct MemorySample {
    int64_t step = 0;
    core::TierMemory device;
    core::TierMemory ram;
    core::TierMemory swap;
};

struct StepSample {
    int64_t step = 0;
    double loss = 0.0;
    double learningRate = 0.0;
    float seconds = 0.0F;
    float samplesPerSecond = 0.0F;
    float dataSeconds = 0.0F; ///< of `seconds`
};

/// What became of a run at a step, besides what was saved and looked at. That an attempt was planned is known
/// of updates alone: nothing became of the run by that.
struct RunMark {
    enum class Kind { Paused, Replanned, Resumed, Planned, DiskFull };
    int64_t step = 0; ///< kLatest in an update: the last one before the update
    Kind kind = Kind::Paused;
    size_t shape = 0; ///< of a plan, in an update alone: what it does with memory, whatever time it takes
    static constexpr int64_t kLatest = -1;
    friend bool operator==(const RunMark&, const RunMark&) = default;
};

/// When a run came to a phase.
struct PhaseBegin {
    std::string state; ///< of a StateEvent; empty: it ended
    int64_t atMs = 0;
    int64_t left = 0;     ///< to be done in it
    bool attempt = false; ///< begins one: nobody knows how long the phase before it lasted
    int64_t sleptMs = 0;  ///< by the machine, since the phase before it began
};

/// What came since the last time. `restartFrom` comes before the samples: later steps are void.
struct RunUpdate {
    std::optional<int64_t> restartFrom;
    std::vector<StepSample> steps;
    std::vector<core::ValidationEvent> heldOut;
    std::vector<MemorySample> memory;
    std::optional<std::vector<core::RankMemory>> rankMemory; ///< where it was said anew
    std::vector<core::PreviewEvent> previews;
    std::vector<core::CheckpointEvent> checkpoints;
    std::vector<RunMark> marks;
    std::vector<PhaseBegin> phases;
    int64_t sleptMs = 0; ///< by the machine, since the last of the phases began
    std::vector<core::WarningEvent> warnings;
    std::map<std::string, double> lossParts; ///< of the latest step, if it has any
    std::vector<std::string> leftOut;        ///< of the warnings, see core::leftOutLine
    std::optional<core::PlanEvent> plan;
    std::optional<core::ResourceUse> budget;
    std::optional<core::StateEvent> state;
    std::optional<core::OutcomeEvent> outcome;
    bool newAttempt = false;                    ///< an outcome from before is void
    bool triesAgain = false;                    ///< to save: that another folder took nothing is void
    int64_t roomWaits = 0;                      ///< how often the disk was found full
    std::optional<core::TrainConfig> config;    ///< where run.json was written since
    std::optional<std::vector<Moment>> moments; ///< where any came or went since
    bool workerAlive = false;
    bool folderGone = false;    ///< moved or deleted, or its disk is away
    bool more = false;          ///< the rest of the journal is to come
    int64_t lastSignMs = 0;     ///< when the last line was written; 0 while more of the journal is to come
    int64_t lastLineMs = 0;     ///< likewise, as the line itself says and not its drive; 0: it says nothing
    bool modelThere = false;    ///< the result is a whole model; counts with lastSignMs alone
    double workedSeconds = 0.0; ///< up to its last entry, as WorkedTime counts them

    /// Whether a follower has anything to tell.
    [[nodiscard]] bool empty() const;
    /// Takes one line of the journal.
    void take(const core::JournalEntry& entry);

private:
    void takeState(const core::StateEvent& event, int64_t atMs);
    void restart(int64_t fromStep);
    void mark(RunMark::Kind kind);
    void markPlan(const core::PlanEvent& event);
};

struct RunData {
    std::vector<StepSample> steps;
    std::vector<core::ValidationEvent> heldOut; ///< loss of pictures that are not learned
    std::vector<MemorySample> memory;           ///< of the first process, where several train together
    std::vector<core::RankMemory> rankMemory;   ///< of each of them, the latest; empty: there is one
    std::vector<core::PreviewEvent> previews;
    std::vector<core::CheckpointEvent> checkpoints;
    std::vector<Moment> moments; ///< those of the checkpoints that are kept
    std::vector<RunMark> marks;  ///< at most kMostMarks, the latest; by their steps
    std::vector<core::WarningEvent> warnings;
    std::map<std::string, double> lossParts; ///< of the latest step, see core::StepEvent
    std::set<std::string> leftOut;           ///< what the training goes on without and why, of all attempts
    std::optional<core::PlanEvent> plan;
    core::ResourceUse budget; ///< what the plan may use of each memory; 0: nobody said it
    core::StateEvent state;
    std::optional<core::OutcomeEvent> outcome;
    core::TrainConfig config = nothingKnown(); ///< steps: 0 until it was read
    bool workerAlive = false;
    bool folderGone = false;
    int64_t lastSignMs = 0;
    bool modelThere = false;
    double workedSeconds = 0.0;                 ///< as WorkedTime counts them
    int64_t sleptMs = 0;                        ///< by the machine, while the run was at work
    std::map<std::string, double> phaseSeconds; ///< of all attempts, by state
    int64_t roomWaits = 0;                      ///< counts how often its disk was found full
    int64_t examplesMade = 0;                   ///< pictures of the class
    double exampleSeconds = 0.0;                ///< what these took
    double sinceExampleSeconds = 0.0;           ///< what the next of them have taken up to now
    int64_t generation = 0; ///< counts restarts and thinnings: curves must be built from the samples anew

    void apply(const RunUpdate& update);
    /// Keeps the samples below their limits. @returns whether some went
    bool thin(size_t mostSteps = kMostSteps, size_t mostMemory = kMostMemory,
              size_t mostHeldOut = kMostHeldOut);
    [[nodiscard]] int64_t step() const { return steps.empty() ? 0 : steps.back().step; }
    /// The last step that is saved, as the journal tells it or as it lies there: a journal may be cut off.
    [[nodiscard]] std::optional<int64_t> savedStep() const;
    /// Whether there is anything of it to be looked at.
    [[nodiscard]] bool anythingSeen() const { return !steps.empty() || !memory.empty() || !previews.empty(); }
    /// Of the latest steps, outliers left out; 0 if none.
    [[nodiscard]] double secondsPerStep() const;
    /// The part of the latest steps' time that was spent on getting pictures and texts, 0 to 1.
    [[nodiscard]] double waitingPart() const;

private:
    void addPhases(const RunUpdate& update);
    void addExamples(const PhaseBegin& next, double lasted);
    void addWarnings(const RunUpdate& update);
    PhaseBegin m_phase;    ///< the one that lasts
    int64_t m_sleptMs = 0; ///< since it began
    size_t m_shape = 0;    ///< of the latest plan, also of a start
    /// To be called before the steps that came with them are there. @param latest  step before the update
    void addMarks(const RunUpdate& update, int64_t latest);
    [[nodiscard]] static core::TrainConfig nothingKnown();
};

/// Whether these are the first words of an attempt, which goes on loading with a detail. One that was
/// killed while it loaded is told from the next by this alone.
[[nodiscard]] bool beginsAttempt(const core::StateEvent& event);

/// What a plan may use of each memory; nothing of plans made within a run, which keep the budget of its
/// start.
[[nodiscard]] std::optional<core::ResourceUse> budgetOf(const core::PlanEvent& plan);

/// What all processes of a run hold in RAM, as far as they have said it.
[[nodiscard]] int64_t ramOfAllProcesses(const RunData& run);

/// The sum of all kinds.
[[nodiscard]] int64_t usedBytes(const core::TierMemory& memory);

} // namespace homebooth::app
