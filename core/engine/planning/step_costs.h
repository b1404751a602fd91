// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What each block's turn takes for every way to keep what backward needs, and what a step of such turns
// takes: from what a run's own steps took, as far as they have been measured, else from the machine's speed.
// One thread.
#pragma once

#include "core/base/plan/training/kept_activations.h"
#include "core/engine/memory/block_times.h"
#include "core/engine/planning/machine_speed.h"
#include "core/engine/planning/rehearsal.h"

#include <array>
#include <optional>
#include <vector>

namespace homebooth::core {

constexpr size_t kWaysToKeep = 3; // KeptForBackward

[[nodiscard]] KeptForBackward keptBy(Recompute recompute);
[[nodiscard]] Recompute recomputeFor(KeptForBackward kept);

/// Where a block is at home and updated.
struct UpdatePlace {
    bool streamed = false; ///< its home is not the device
    bool visits = false;   ///< its states come to the device all the same
    friend bool operator==(const UpdatePlace&, const UpdatePlace&) = default;
};

[[nodiscard]] inline UpdatePlace updatePlaceOf(const RehearsedBlock& block) {
    return {block.streamed, block.visits()};
}

/// Means over a run's own steps.
struct MeasuredStep {
    /// By block as in Rehearsal::blocks, and by KeptForBackward; of one micro-step.
    std::vector<std::array<std::optional<TurnSeconds>, kWaysToKeep>> blocks;
    std::vector<UpdatePlace> places; ///< by block
    double besideSeconds = 0.0;      ///< of a step, outside the blocks of all its micro-steps
    double linkBytesPerSecond = 0.0; ///< 0: not measured
};

class StepCosts {
public:
    /// @param measured  borrowed; null before the first steps
    /// @param fetchesForNextPass  streamed blocks come as soon as they are updated, before a pass has ended
    StepCosts(const MachineSpeed& speed, const MeasuredStep* measured, int64_t microSteps,
              bool fetchesForNextPass = true)
        : m_speed(speed)
        , m_measured(measured)
        , m_microSteps(microSteps)
        , m_fetchesForNextPass(fetchesForNextPass) {}

    /// Takes a rehearsal in which all blocks were treated alike.
    void learn(KeptForBackward kept, const Rehearsal& rehearsal);

    /// @param block  as in Rehearsal::blocks; some way was learned
    [[nodiscard]] TurnSeconds turn(size_t block, KeptForBackward kept) const;

    /// Whether streamed blocks are updated by others than those that compute, so that these may be waited
    /// for.
    [[nodiscard]] bool updatesBeside() const { return m_speed.updatesBeside; }

    /// The same for every block of what was learned. @param kept  by block
    [[nodiscard]] std::vector<TurnSeconds> turns(const std::vector<KeptForBackward>& kept) const;

    /// A whole step. @param kept  by block
    [[nodiscard]] double stepSeconds(const Rehearsal& need, const std::vector<KeptForBackward>& kept) const;

private:
    using Ways = std::array<std::optional<TurnSeconds>, kWaysToKeep>;
    [[nodiscard]] TurnSeconds scaled(size_t block, KeptForBackward kept, const TurnSeconds& reference,
                                     KeptForBackward referenceKept) const;
    [[nodiscard]] TurnSeconds scaledByAll(size_t block, KeptForBackward kept) const;
    [[nodiscard]] TurnSeconds measuredTurn(size_t block, KeptForBackward kept) const;
    [[nodiscard]] double streamedSeconds(const Rehearsal& need, const RehearsedStream& stream,
                                         const std::vector<KeptForBackward>& kept) const;

    MachineSpeed m_speed;
    const MeasuredStep* m_measured;
    int64_t m_microSteps;
    bool m_fetchesForNextPass;
    [[nodiscard]] bool movedSinceMeasured(size_t block) const;
    [[nodiscard]] bool reckonsUpdate(size_t block) const;
    [[nodiscard]] double linkBytesPerSecond() const;

    std::vector<Ways> m_reckoned;      // by block, from the machine's speed
    std::vector<UpdatePlace> m_places; // by block, in the placement that was learned last
};

} // namespace homebooth::core
