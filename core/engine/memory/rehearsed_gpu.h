// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which GPU computes, or stands behind a rehearsal: this machine's, or one that is not at hand. Any
// thread; one RehearsedGpu at a time in a process.
#pragma once

namespace homebooth::core {

/// Whether the GPU's hardware takes bf16 (takeBfloat16 in base/system/gpu_facts.h).
[[nodiscard]] bool gpuTakesBfloat16();

/// While it lives, rehearsals are of a card that is not at hand, and nothing is computed on this
/// machine's GPU.
class RehearsedGpu {
public:
    explicit RehearsedGpu(bool takesBfloat16);
    ~RehearsedGpu();
    RehearsedGpu(const RehearsedGpu&) = delete;
    RehearsedGpu& operator=(const RehearsedGpu&) = delete;
};

} // namespace homebooth::core
