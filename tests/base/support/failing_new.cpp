// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/base/support/failing_new.h"

#include <cstdlib>
#include <new>

namespace homebooth::core {
namespace {

/// Allocations of this thread until one fails; negative: none does.
thread_local int64_t t_allocationsLeft = -1;

void* allocate(std::size_t bytes) {
    if (t_allocationsLeft == 0) return nullptr;
    if (t_allocationsLeft > 0) --t_allocationsLeft;
    return std::malloc(bytes == 0 ? 1 : bytes);
}

} // namespace

void failAllocationsAfter(int64_t count) {
    t_allocationsLeft = count;
}

} // namespace homebooth::core

void* operator new(std::size_t bytes) {
    if (void* memory = homebooth::core::allocate(bytes)) return memory;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) {
    return operator new(bytes);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
