// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a process computes on that trains beside others: its own GPU, or the processor as they all do. Whoever
// started it has given it one GPU to see, or none; of a launcher's processes each takes its own. Main thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/rank_place.h"
#include "core/engine/parallel/ranks.h"

#include <ATen/ATen.h>

namespace homebooth::core {

/// Before there are threads, which read the environment: leaves one GPU to see where a launcher has left
/// several, and keeps what ranks of one machine say to each other within it.
void prepareRank(const RankPlace& place, bool launched);

/// Every rank calls it, before anything asks the driver, and gets the same kind of device; on GPUs they have
/// met over NCCL then. Errors: at all of them, where one has none that it can use though it was asked for, or
/// two have the same; throws RankLost
[[nodiscard]] Result<at::Device> deviceOfRanks(ComputeDevice wanted, Ranks& ranks);

} // namespace homebooth::core
