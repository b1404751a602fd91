// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How many bytes of gradients, and of what waits beside them, may be on the device because of their way to
// RAM or their update while another block computes.
//
//   peak of a turn |====      |========  |==========|=====     |   when all of them have left before it
//   room           |    ++++++|        ++|          |     +++++|   up to the limit
//
// Without a limit the peak of a step would depend on how fast link and optimizer are; within it the turn that
// needs most waits, the others need not. Free functions; any thread.
#pragma once

#include "core/engine/planning/rehearsal.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// @param alone  rehearsed with gradients that leave before the next block computes (no gradientRoom)
/// @param limitBytes  of the device, for all that the step takes; `alone.devicePeakBytes` costs nothing
/// @returns  as StepPlacement::gradientRoom
[[nodiscard]] std::vector<std::vector<int64_t>> gradientRoomWithin(const Rehearsal& alone,
                                                                   int64_t limitBytes);

} // namespace homebooth::core
