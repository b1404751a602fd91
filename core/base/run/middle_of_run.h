// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a run stands: at its beginning, in the middle, or finished. In the middle what it learns from must
// stay as it is, or the result would be another than the one that was begun; settings may change, where
// somebody says so. Free functions without state; any thread.
#pragma once

#include "core/base/run/run_folder.h"

#include <cstdint>

namespace homebooth::core {

/// Name in the facts of run.json: steps of the last result; absent before.
constexpr const char* kFinishedFact = "finishedSteps";

/// Steps of the run's last result; 0 before the first.
[[nodiscard]] int64_t finishedSteps(const RunFolder& run);

/// Whether a run that shall have so many steps has saved some, but not all of those since its last result.
[[nodiscard]] bool inTheMiddle(const RunFolder& run, int64_t steps);

/// Notes that somebody wants a run to go on with these settings, whatever it had before.
[[nodiscard]] Result<void> noteChosenSettings(const RunFolder& run, const TrainConfig& config);

/// Whether that was noted of these settings.
[[nodiscard]] bool settingsWereChosen(const RunFolder& run, const TrainConfig& config);

/// What to do then about pictures that cannot be read any more.
constexpr const char* kPutPicturesBack =
    "put them back as they were: in the middle of a run the others alone "
    "would make another result; or start a new run without them";

} // namespace homebooth::core
