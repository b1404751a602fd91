// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of a training when other programs took memory that it had planned with. Pure function; any
// thread.
#pragma once

#include <cstdint>
#include <optional>

namespace homebooth::app {

struct RunData;

struct LeanerPlan {
    int64_t step = 0;           ///< after which it was made
    bool ofGpu = false;         ///< graphics memory is short, else RAM
    int64_t takenBytes = 0;     ///< by other programs; 0: it cannot be said
    double secondsBefore = 0.0; ///< a step's, as measured; 0: nobody knows
    double secondsNow = 0.0;    ///< a step's, as planned; 0: nobody knows
    /// Whether a step takes notably longer.
    [[nodiscard]] bool slower() const;
};

/// The plan that a run works by, if it was made because less memory is free than before.
[[nodiscard]] std::optional<LeanerPlan> leanerPlanOf(const RunData& run);

} // namespace homebooth::app
