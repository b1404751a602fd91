// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How several processes share the pictures of one generation. Who starts them and each of them conclude the
// same from the same settings, so nobody has to be told. Plain value, free functions; any thread.
//
// What is shared are batches, as one process would cut them, since the last bits of a picture hang on what is
// computed beside it. With twice as many processes as batches, or more, two make each: guidance asks the
// model twice in every step, with the prompt and without, and each of the two does one of that.
#pragma once

#include "core/base/config/sample_config.h"

#include <cstdint>
#include <string>

namespace homebooth::core {

struct SampleSpread {
    int64_t processes = 1; ///< that have something to do
    bool halves = false;   ///< two make each batch together

    /// Batches that are made at the same time.
    [[nodiscard]] int64_t teams() const { return halves ? processes / 2 : processes; }
    /// Whose batches a process makes: batch b is that of team b % teams().
    [[nodiscard]] int64_t teamOf(int64_t rank) const { return halves ? rank / 2 : rank; }

    friend bool operator==(const SampleSpread&, const SampleSpread&) = default;
};

/// @param processes  that there may be, at least 1
[[nodiscard]] SampleSpread spreadSampling(const SampleConfig& config, int64_t processes);

/// Why fewer processes than were asked for are used, in words; empty where all are.
/// @param gpus  that there are to compute on; 0: the processor computes
[[nodiscard]] std::string idleProcesses(const SampleConfig& config, int64_t asked, int64_t gpus);

} // namespace homebooth::core
