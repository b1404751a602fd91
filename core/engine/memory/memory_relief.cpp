// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/memory_relief.h"

#include "core/engine/memory/arena_allocator.h"

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/util/Exception.h>

#include <exception>
#include <malloc.h>
#include <new>
#include <string_view>

namespace homebooth::core {

bool memoryRanOut() {
    try {
        throw;
    } catch (const c10::OutOfMemoryError&) {
        return true;
    } catch (const std::bad_alloc&) {
        return true;
    } catch (const c10::Error& error) { // LibTorch's allocator of the host has no type of its own for it
        const std::string_view text = error.what_without_backtrace();
        return text.find("not enough memory") != std::string_view::npos ||
               text.find("can't allocate memory") != std::string_view::npos;
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
