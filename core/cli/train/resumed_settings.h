// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which settings a run may change when it goes on. Free function without state; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// Looks for changed settings that what the run has saved does not fit: what is trained, in which shapes,
/// in which numbers, what it predicts, how strongly a LoRA counts, what the optimizer remembers of it, and
/// how many steps are done; in the middle of a run also what it learns from, and in which size. How the
/// weights beside a LoRA are kept (--quantize) may change: its matrices fit, and the worker warns of other
/// settings. Errors: Usage naming every such option with both values; BadInput: fewer steps than are done
[[nodiscard]] Result<void> checkResumedSettings(const RunFolder& run, const TrainConfig& before,
                                                const TrainConfig& after);

/// The options of what checkpoints are made of: "--method, --precision".
[[nodiscard]] std::string fixedOptions();

/// Those of what is learned from, which stay as they are until a run has ended.
[[nodiscard]] std::string optionsFixedWithinARun();

/// The settings that decide what a step computes and have changed, each with both values: "--lr from 1e-05 to
/// 2e-05, --seed from 1 to 9". Empty: none has.
[[nodiscard]] std::string changedSettings(const TrainConfig& before, const TrainConfig& after);

} // namespace homebooth::core
