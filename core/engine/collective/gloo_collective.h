// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The collective of ranks that compute on CPUs: c10d's gloo over 127.0.0.1 where all are on one machine, so
// that nothing listens outside it, else over the address by which a machine reaches that of rank 0. A thread
// of its own does one thing after another, so results are done in the order of tickets.
//
// Every rank sends a part to whom it belongs and adds up what comes, in the order of ranks. gloo's own sums
// are not used: their order depends on the element's place in the tensor, those of 16-bit numbers are rounded
// after each rank, and its reduce-scatter is an all-reduce that sends twice the bytes. Each rank sends (ranks
// - 1) / ranks of the whole in allGather and in reduceScatter; a broadcast's root sends to everybody.
//
// When a rank is lost, those that talk to it see its connections end and end theirs, so that everybody who
// waits learns of it at once. One that hangs is noticed after `stallLimit`, which is therefore longer than
// any rank may compute or write files while another waits for it. Time for which the one that waits is
// stopped itself, as all may be together, does not count.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/collective/collective.h"

#include <chrono>
#include <memory>
#include <string>

namespace homebooth::core {

class MeetingPoint;

/// Where and how the ranks of a job find each other.
struct GlooMeeting {
    std::string file; ///< the same for all ranks, not used before; whoever owns its folder removes it
    /// Instead of a file, where ranks are on several machines, and what the meeting is called there.
    std::shared_ptr<MeetingPoint> point = nullptr;
    std::string name = {};
    int rank = 0;
    int ranks = 1;
    std::chrono::milliseconds meetLimit{60'000}; ///< until all ranks must have come
    /// For which nothing may come from a rank that owes something.
    std::chrono::milliseconds stallLimit{300'000};
};

/// Meets the other ranks; returns when all have come.
/// Errors: BadInput for a rank that cannot be or a file that others may read; Internal where ranks did not
/// come
[[nodiscard]] Result<std::unique_ptr<Collective>> meetOverGloo(const GlooMeeting& meeting);

} // namespace homebooth::core
