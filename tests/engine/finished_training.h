// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A training that ends as it should. Throws where it does not, which fails the test.
#pragma once

#include "training_support.h"

#include <stdexcept>

namespace homebooth::core::testing {

/// Begins a run anew and trains it to its end. Errors: throws std::runtime_error where it is not done
inline OutcomeEvent finished(const TrainConfig& config, JobWorld& world) {
    OutcomeEvent outcome = runFresh(config, world);
    if (outcome.result != "done") throw std::runtime_error(outcome.result + ": " + outcome.message);
    return outcome;
}

/// In a world of its own.
inline OutcomeEvent finished(const TrainConfig& config) {
    JobWorld world;
    return finished(config, world);
}

} // namespace homebooth::core::testing
