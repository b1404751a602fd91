// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How long a step takes that several ranks make together. What a rank computes and what goes over its links
// are followed block by block, in the order in which the engine asks for them; each rank does the same at the
// same time, so one stands for all:
//
//   --zero 0    backward  | block 2 | block 1         | block 0         |u1|    |u0|
//               links               | 2 scattered, gathered | 1 ... | 0 ...  |
//   --zero 1,2  links: only scattered, and behind the last update parameters are gathered, all of them
//   --zero 3    links: a block is gathered while the one before computes, in forward and in backward
//
// Invariants: 1. Collectives go one after another, and each begins when it was asked for or later.
//             2. The sum of a block waits for the next block at most: then it is used up.
//             3. A step is what was computed and what was waited for, and nothing else.
// Free functions; any thread.
#pragma once

#include "core/base/plan/ranks/rank_links.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// One block; of one micro-step.
struct RankedBlock {
    double forwardSeconds = 0.0;
    double backwardSeconds = 0.0;
    double updateSeconds = 0.0; ///< of all that it learns, once a step
    int64_t parameterBytes = 0; ///< that other ranks have parts of where parameters are spread
    int64_t trainedBytes = 0;   ///< of what learns, and of its gradients
};

struct RankSchedule {
    std::vector<RankedBlock> turns; ///< in the order of forward
    int64_t microSteps = 1;
    int64_t zero = 0;          ///< as ParallelConfig::zero
    bool updatesAtEnd = false; ///< of the step: all gradients are needed first
};

struct RankedStep {
    double seconds = 0.0;
    double computeSeconds = 0.0;
    double updateSeconds = 0.0;        ///< of these, by the optimizer
    double waitedInsideSeconds = 0.0;  ///< for the links of a machine,
    double waitedBetweenSeconds = 0.0; ///< and for those between machines
    int64_t sentBytes = 0;             ///< by each rank
};

[[nodiscard]] RankedStep simulateRanks(const RankSchedule& schedule, const RankPlaces& places,
                                       const RankNetwork& network);

/// What one rank alone takes for a step of as many pictures as each of several has.
struct LoneStep {
    double seconds = 0.0; ///< 0: one rank cannot
    double updateSeconds = 0.0;
};

/// What a step of several ranks loses most time by against one rank's. Compute: next to none is lost.
enum class RankBound : uint8_t {
    Compute,
    Inside,
    Between,
    Optimizer,
    LeanerSteps, ///< ranks keep less for backward, or stream more, and so compute longer
};
struct RankLoss {
    RankBound bound = RankBound::Compute;
    double share = 0.0; ///< of the step: that is lost so; of Compute, what is computed
};
[[nodiscard]] RankLoss lossOf(const RankedStep& step, const LoneStep& lone);

} // namespace homebooth::core
