// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/ram_failure.h"

#include "core/base/run/failure_cause.h"

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

/// What is said of memory of the host alone. CUDA's "out of memory" is that of a GPU nearly always.
constexpr std::array<std::string_view, 9> kOfRam{
    "DefaultCPUAllocator",              // LibTorch's
    "the system refuses them",          // pages that are asked for by this program
    "memory ran out; close other",      // the system's own ENOMEM
    "bad_alloc",                        // of C++
    "could not create a memory object", // oneDNN
    "out_of_memory",                    // the same, as a status
    "failed to allocate memory",        // MKL
    "HOST_ALLOCATION_FAILED",           // cuDNN, of RAM beside the GPU
    "RAM ran out",
};

} // namespace

bool ramRanOut(int code, std::string_view message) {
    const FailureCause cause = causeOf(code, message);
    if (cause == FailureCause::MemoryKill) return true;
    if (cause != FailureCause::OutOfMemory) return false;
    return std::any_of(kOfRam.begin(), kOfRam.end(), [message](std::string_view words) {
        return message.find(words) != std::string_view::npos;
    });
}

} // namespace homebooth::core
