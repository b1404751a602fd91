// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a UNet takes while it computes and nothing learns: values between blocks, what a block holds on its
// way, and what its products work in, which may be more than all else. Private to core/base/plan. Free
// functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/plan/value_sizes.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>

namespace homebooth::core {

/// What computes, as far as that decides what it takes.
struct ForwardWays {
    Precision precision = Precision::Fp32;
    bool gpu = false;
    bool widens = false; ///< a processor without products of these numbers, which takes them in fp32
    int64_t threads = 1; ///< of the processor
};

/// Of this machine. @param threads  0: all cores
[[nodiscard]] ForwardWays forwardWays(Precision precision, bool gpu, int64_t threads);

/// Most that the network takes beside its parameters. Weights in 8 bits that are made whole come on top.
[[nodiscard]] int64_t peakForwardBytes(const Schedule& schedule, const InputShape& shape,
                                       const ForwardWays& ways);

} // namespace homebooth::core
