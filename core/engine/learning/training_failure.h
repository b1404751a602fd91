// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Expected failures in the middle of a training step.
#pragma once

#include "core/base/run/failure_cause.h"
#include "core/engine/jobs/expected_failure.h"

#include <string>

namespace homebooth::core {

using TrainingFailure = ExpectedFailure;

/// The loss or its gradient is NaN or infinite in this step.
[[nodiscard]] inline Error notFinite(int64_t step) {
    return badInput("training: the loss or its gradient is no longer finite at step " + std::to_string(step) +
                    "; lower the learning rate, clip the gradient (--clip-norm 1) or take bf16 or fp32, and "
                    "resume from the last checkpoint");
}

/// No step in fp16 was of use, up to this one: nothing was learned yet, so its rate is not the cause.
[[nodiscard]] inline Error beyondFp16(int64_t step) {
    return badInput("training: the loss or its gradient was finite in none of the first " +
                    std::to_string(step) + " steps: the numbers of this model " + kBeyondFp16 +
                    ", or the GPU computes wrongly in it; train with --precision bf16 or fp32");
}

} // namespace homebooth::core
