// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a run goes on: with more steps, within less memory, at a lower learning rate, or without some pictures.
// Pure functions; any thread.
#pragma once

#include "app/engine/run_data.h"
#include "core/base/config/train_config.h"

namespace homebooth::app {

struct ResumeOptions {
    int64_t steps = 0; ///< > 0: so many in all
    bool lessMemory = false;
    bool halfRate = false;   ///< of learning
    bool skipBroken = false; ///< go on without pictures that cannot be read
    [[nodiscard]] bool changes() const { return steps > 0 || lessMemory || halfRate || skipBroken; }
};

/// The most that a run took of graphics memory and RAM, by its samples and its plan, in bytes.
[[nodiscard]] core::ResourceUse mostUsed(const RunData& data);

/// `config` with a limit a fifth below what was taken (and below a limit that there was): the engine then
/// computes parts twice instead of keeping them. What is learned does not change.
/// @param seen  bytes; where nothing is known no limit is set
[[nodiscard]] core::TrainConfig withLessMemory(core::TrainConfig config, const core::ResourceUse& seen);

/// Whether the limit is that low already: the next attempt is planned with less than the last one took.
[[nodiscard]] bool hasLessMemory(const core::TrainConfig& config, const core::ResourceUse& seen);

} // namespace homebooth::app
