// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/rehearsed_gpu.h"

#include "core/base/system/gpu_facts.h"

#include <atomic>

namespace homebooth::core {
namespace {

enum class TakesBfloat16 { AsThisMachines, Yes, No };

std::atomic<TakesBfloat16> rehearsed = TakesBfloat16::AsThisMachines;

} // namespace

bool gpuTakesBfloat16() {
    const TakesBfloat16 other = rehearsed;
    if (other != TakesBfloat16::AsThisMachines) return other == TakesBfloat16::Yes;
    static const bool own = [] { // asking takes long, and no card becomes another one
        const GpuFacts gpu = gpuFacts();
        return gpu.devices.empty() || takeBfloat16({gpu.devices.front()}); // which computes
    }();
    return own;
}

RehearsedGpu::RehearsedGpu(bool takesBfloat16) {
    rehearsed = takesBfloat16 ? TakesBfloat16::Yes : TakesBfloat16::No;
}

RehearsedGpu::~RehearsedGpu() {
    rehearsed = TakesBfloat16::AsThisMachines;
}

} // namespace homebooth::core
