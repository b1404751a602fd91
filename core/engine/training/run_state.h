// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of a running training that is no tensor: where it stands. state.json of a checkpoint.
// Plain values.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/data/sample_order.h"
#include "core/engine/optim/gradient_flow.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// What helps where a whole checkpoint turns out to be of no use: the newest one is taken again and again.
constexpr const char* kWithoutCheckpoint =
    "move this checkpoint's folder away and resume: the run goes on from the one before it, or else from its "
    "beginning";

struct RunState {
    int64_t step = 0; ///< optimizer steps done
    std::vector<OrderCursor> cursors;
    std::string dataHash;
    GradientFlowState flow;
    int64_t threads = 0; ///< that computed it: another number changes the last bits
};

[[nodiscard]] std::string toJson(const RunState& state);

/// Errors: BadInput for text that is no state or of a newer format
[[nodiscard]] Result<RunState> parseRunState(const std::string& text, const std::string& context);

} // namespace homebooth::core
