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
    constexpr int64_t kUntilUnscaled = 16; // then halving has brought the loss scale from 65536 to 1
    std::string message = "training: the loss or its gradient was not finite in the first step";
    if (step > 1)
        message = "training: the loss or its gradient was finite in none of the first " +
                  std::to_string(step) + " steps";
    message.append(": the numbers of this model ").append(kBeyondFp16);
    message.append(", or the GPU computes wrongly in it");
    if (step < kUntilUnscaled) message.append(", or its loss scale needs more --steps to fit");
    return badInput(message + "; train with --precision bf16 or fp32");
}

} // namespace homebooth::core
