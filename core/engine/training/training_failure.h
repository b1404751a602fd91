// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// An expected failure in the middle of a step, where LibTorch's exceptions travel, too. Caught by the job
// runner, which turns it back into its Error. Never leaves the engine.
#pragma once

#include "core/base/util/result.h"

#include <stdexcept>

namespace homebooth::core {

class TrainingFailure : public std::runtime_error {
public:
    explicit TrainingFailure(Error error)
        : std::runtime_error(error.message)
        , m_error(std::move(error)) {}
    [[nodiscard]] const Error& error() const { return m_error; }

private:
    Error m_error;
};

/// The loss or its gradient is NaN or infinite in this step.
[[nodiscard]] inline Error notFinite(int64_t step) {
    return badInput("training: the loss or its gradient is no longer finite at step " + std::to_string(step) +
                    "; lower the learning rate, clip the gradient (--clip-norm 1) or take bf16 or fp32, and "
                    "resume from the last checkpoint");
}

} // namespace homebooth::core
