// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a graphics card suits the number format that a job was told to compute in, whether the processor
// computes for want of a driver alone, and whether it was told to do so with far too many threads. Free
// functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/event.h"
#include "core/base/system/gpu_facts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

/// "slow-format": bf16 on a card that is made for fp16 alone. "faulty-format": fp16 on a card whose
/// convolutions give NaN in it. Nothing where the format suits it.
/// @param convolves  whether the model has convolutions, as all that make pictures have
/// @param devices    of this machine; the first one computes
[[nodiscard]] std::optional<WarningEvent> formatWarning(Precision precision, bool convolves,
                                                        const std::vector<GpuDevice>& devices);

/// "card-without-driver": nobody chose the processor, and a card is there that could compute.
/// @param gpus  of this machine, whose processor computes
[[nodiscard]] std::optional<WarningEvent> deviceWarning(ComputeDevice wanted, const GpuFacts& gpus);

/// "many-threads": so many more than cores that what they lose to each other is plain to see.
/// @param threads  that were named; 0: none were
/// @param cores    that may be used
[[nodiscard]] std::optional<WarningEvent> threadsWarning(int64_t threads, int64_t cores);

} // namespace homebooth::core
