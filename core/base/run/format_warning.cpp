// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/format_warning.h"

namespace homebooth::core {

std::optional<WarningEvent> formatWarning(Precision precision, bool convolves,
                                          const std::vector<GpuDevice>& devices) {
    if (devices.empty()) return std::nullopt;
    const GpuDevice& own = devices.front();
    if (precision == Precision::Bf16 && !takeBfloat16({own}) && takeFloat16(devices))
        return WarningEvent{"slow-format", "bf16: this GPU has no hardware for it, and is slower in it than "
                                           "in fp16; --precision fp16 is what it is made for"};
    if (precision == Precision::Fp16 && convolves && !takeFloat16({own}))
        return WarningEvent{"faulty-format", "fp16: convolutions give NaN in it on " + own.name +
                                                 ", as others report; choose --precision bf16, which takes "
                                                 "as much memory, or fp32"};
    return std::nullopt;
}

std::optional<WarningEvent> deviceWarning(ComputeDevice wanted, const GpuFacts& gpus) {
    if (wanted != ComputeDevice::Auto || !gpus.withoutDriver) return std::nullopt;
    return WarningEvent{"card-without-driver", gpus.message};
}

std::optional<WarningEvent> threadsWarning(int64_t threads, int64_t cores) {
    constexpr int64_t kManyTimes = 4; // a few more cost next to nothing
    if (threads < kManyTimes * cores) return std::nullopt;
    return WarningEvent{"many-threads", std::to_string(threads) + " threads share " + std::to_string(cores) +
                                            (cores == 1 ? " core" : " cores") +
                                            ": --threads 0, as many as there are cores, is faster"};
}

} // namespace homebooth::core
