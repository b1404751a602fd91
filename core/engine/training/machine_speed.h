// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How fast this machine computes what a training consists of, measured in a few hundredths of a second.
// Free functions; one thread (Torch's pool works inside).
#pragma once

#include "core/engine/memory/rehearsed_memory.h"

#include <ATen/ATen.h>

namespace homebooth::core {

struct MachineSpeed {
    double multiplyAddsPerSecond = 0.0;
    double bytesPerSecond = 0.0;      ///< of results of element-wise operations, each into fresh memory
    double secondsPerOperation = 0.0; ///< that none falls below, however small its tensors are

    [[nodiscard]] double seconds(const RehearsedWork& work) const {
        return static_cast<double>(work.multiplyAdds) / multiplyAddsPerSecond +
               static_cast<double>(work.allocatedBytes) / bytesPerSecond +
               static_cast<double>(work.allocations) * secondsPerOperation;
    }
};

/// @param type  of activations: fp32, bf16 or fp16
/// Errors: throws c10::Error where LibTorch does, e.g. out of memory (it takes less than 64 MiB)
[[nodiscard]] MachineSpeed measureSpeed(at::Device device, at::ScalarType type);

} // namespace homebooth::core
