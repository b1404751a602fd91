// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the first of several processes that a launcher has started tells the others, which know neither run
// nor settings. Plain value; the training thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"
#include "core/engine/parallel/ranks.h"

#include <string>

namespace homebooth::core {

struct RankAssignment {
    std::string runDir; ///< on storage that all machines share
    TrainConfig config;
};

/// Every rank calls it. @param own  the first one's; the others' does not count
/// Errors: throws RankLost; BadInput for what cannot be read
[[nodiscard]] Result<RankAssignment> shareAssignment(const Ranks& ranks, const RankAssignment& own);

} // namespace homebooth::core
