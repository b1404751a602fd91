// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/memory_relief.h"

#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/arena_allocator.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <exception>
#include <malloc.h>
#include <new>
#include <string>
#include <string_view>

namespace homebooth::core {
namespace {

/// What is said of memory that was refused, in small letters.
constexpr std::array<std::string_view, 9> kRefusals{
    "not enough memory",                // LibTorch's allocator of the host
    "can't allocate memory",            // the same
    "out of memory",                    // CUDA's runtime and driver, whatever called them
    "out_of_memory",                    // oneDNN's status
    "could not create a memory object", // oneDNN
    "failed to allocate memory",        // MKL
    "alloc_failed",                     // cuBLAS, cuDNN up to 8, cuFFT, cuSOLVER
    "allocation_failed",                // cuDNN from 9 on, of the host or of the GPU
    "status_not_initialized",           // cuBLAS and cuDNN, of a handle that finds no room on a full GPU
};

/// @param text  its first line counts: others are general advice or a stack trace
bool saysMemoryWasRefused(std::string text) {
    text.resize(std::min(text.size(), text.find('\n')));
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return std::any_of(kRefusals.begin(), kRefusals.end(),
                       [&](std::string_view refusal) { return text.find(refusal) != std::string::npos; });
}

} // namespace

bool memoryRanOut() {
    try {
        throw;
    } catch (const ExpectedFailure&) {
        return false;
    } catch (const c10::OutOfMemoryError&) {
        return true;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const c10::Error& error) { // many a refusal has no type of its own
        return saysMemoryWasRefused(error.what_without_backtrace());
    } catch (const std::exception& error) { // oneDNN's; CUDA's are no c10::Error everywhere
        return saysMemoryWasRefused(error.what());
    } catch (...) {
        return false;
    }
}

void releaseIdleMemory(at::Device device) noexcept {
    if (device.is_meta()) return;
    if (device.is_cpu()) {
        giveArenaBack();
        ::malloc_trim(0);
        return;
    }
    try {
        c10::getDeviceAllocator(device.type())->emptyCache();
    } catch (const std::exception&) { // then there is nothing to give back
    }
}

} // namespace homebooth::core
