// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective of ranks that have a GPU each: NCCL on a stream of its own, beside the one that computes.
// What is asked for begins when all that was computed before is done. `wait` holds the host until it is done,
// for NCCL may hang with a rank that was lost: as soon as the ranks' connections over processors say so, and
// after `stallLimit` at the latest, the communicator is given up. Time for which this process is stopped does
// not count.
//
// Sums keep their one order (collective.h): parts are exchanged as they are, and each rank adds up its own in
// fp32, as the collective of processors does. NCCL's own reductions add in the order of its rings.
// Written against NCCL's header and never run on a GPU.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/collective/collective.h"

#include <c10/core/Device.h>

#include <chrono>
#include <memory>

namespace homebooth::core {

struct NcclMeeting {
    at::Device device = at::Device(at::kCUDA, 0);
    std::chrono::milliseconds meetLimit{60'000};
    std::chrono::milliseconds stallLimit{300'000};
};

/// Whether NCCL is there; LibTorch's CUDA libraries, which bring it, have been opened. Ranks agree on that
/// before they meet: the others would wait for one that lacks it. Errors: Internal where it is not
[[nodiscard]] Result<void> findNccl();

/// Meets the other ranks, which all have found NCCL. LibTorch's CUDA libraries, which bring NCCL, have been
/// opened.
/// @param beside  of the same ranks, over processors: it says where they meet, and whether one was lost;
///                borrowed for as long as the ranks are together
/// Errors: Internal where NCCL is not there or ranks do not come; throws RankLost as `beside` does
[[nodiscard]] Result<std::unique_ptr<Collective>> meetOverNccl(Collective& beside,
                                                               const NcclMeeting& meeting);

} // namespace homebooth::core
