// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which streamed blocks have their states come to the device for their update. What comes is bound by the
// link, what goes home by the processor, and each stands idle where the other works:
//
//   all at home    gradients |=====|            processor |===============|
//   all visiting   states, parameters |===============|    processor
//   some of both   link |=========|             processor |=========|
//
// Free functions; not two at a time in one process.
#pragma once

#include "core/engine/planning/placement_planner.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// Lets about so much of what is streamed and learns be updated at home, in blocks that lie evenly between
/// the others, so that the ways to both updates have work all through backward.
/// @param need   of a step with the same homes
/// @param share  of the elements, 0 to 1
/// @returns      as StepPlacement::updatedAtHome
[[nodiscard]] std::vector<std::vector<bool>> updatedAtHome(const Rehearsal& need, double share);

/// Blocks of a plan that are streamed and learn.
struct UpdatedBlocks {
    int64_t all = 0;
    int64_t visiting = 0; ///< of them, those whose states come to the device
};
[[nodiscard]] UpdatedBlocks updatedBlocks(const Rehearsal& need);
/// How many visit and why, as the end of a sentence about optimizer states; empty where none does.
/// @param measured  the plan follows steps that have run
[[nodiscard]] std::string visitsInWords(const UpdatedBlocks& blocks, bool measured);

/// The same homes with updates on the device, or at home.
/// @param atHome  as StepPlacement::updatedAtHome
/// Errors: those of planStep
[[nodiscard]] Result<StepPlan> planUpdating(PlacementPlanner& planner, StepPlacement homes, bool onDevice,
                                            std::vector<std::vector<bool>> atHome = {});

/// The same homes with as many updates on the device as leave the shortest step: all, or some of them.
/// @param plan  with these homes; one that has updates on the device is taken to have all of them there
/// Errors: those of planStep
[[nodiscard]] Result<StepPlan> planSharedUpdates(PlacementPlanner& planner, const StepPlan& plan);

} // namespace homebooth::core
