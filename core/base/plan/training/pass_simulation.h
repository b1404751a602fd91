// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a pass takes whose blocks are fetched ahead of their uses, as a ResidencyPlan says: three things
// go on at the same time, and each waits for what it needs of the others.
//
//   to the device  |fetch 2 |fetch 3 |             begins when the use that issues it does
//   computing      |use 0|use 1|..|use 2 |use 3|   follows the use before, when its block is there
//   to RAM                               |g 3 |    what a use leaves goes when it has ended
//   updating in RAM                           |u 3 |
//
// Or, of updates on the device, what these need comes the one way and goes back the other. Some uses may do
// the one and some the other: then both go on beside each other, and share the link. Values that a use lets
// go are waited for by the end of the next one, which needs their place. Gradients that uses leave go one
// behind the other, and are waited for before another use computes, as far as that needs their place. Where
// the plan has blocks fetched in the pass before, what is told is of a pass in a row of equal ones. Free
// function; any thread.
#pragma once

#include "core/base/memory/residency_plan.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace homebooth::core {

/// One use of a block and what follows from it.
struct SimulatedUse {
    double computeSeconds = 0.0;
    int64_t fetchedBytes = 0;   ///< values for the next use, asked for when this one begins
    int64_t leftBytes = 0;      ///< values that go to RAM when the use has ended
    int64_t returnedBytes = 0;  ///< gradients that do, or are used up on the device
    double updateSeconds = 0.0; ///< of the optimizer, where it has what it needs
    /// Of states, what comes to the device for the update, and of them and parameters what goes back; none:
    /// the gradients go to RAM for theirs.
    int64_t visitFetchedBytes = 0;
    int64_t visitReturnedBytes = 0;
    int64_t visitCopiedBytes = 0; ///< of parameters, on the device until all of that is back
    /// Of gradients that went before, and of copies beside them: what may still be on the device when it
    /// computes.
    int64_t gradientRoomBytes = std::numeric_limits<int64_t>::max();
};

struct SimulatedLink {
    double bytesPerSecond = 0.0; ///< in each direction, at the same time; not above 0: it takes no time
    double latencySeconds = 0.0; ///< of each transfer
    int64_t landingBytes = 0;    ///< of RAM where gradients wait for their update; 0: as much as they need
};

struct SimulatedPass {
    double seconds = 0.0;        ///< until all is done
    double computeSeconds = 0.0; ///< of the uses alone
    double waitedSeconds = 0.0;  ///< that computing stood still for want of parameters, values and room
    int64_t fetchedBytes = 0;    ///< parameters
    int64_t returnedBytes = 0;   ///< gradients that went to RAM
};

/// @param uses        in the order that the plan was made for
/// @param blockBytes  by block: what a fetch moves
/// @param inARow      the same pass went before, and blocks may come as soon as they were updated in it
[[nodiscard]] SimulatedPass simulatePass(const ResidencyPlan& plan, const std::vector<SimulatedUse>& uses,
                                         const std::vector<int64_t>& blockBytes, const SimulatedLink& link,
                                         bool inARow = true);

} // namespace homebooth::core
