// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Want of memory on demand: failing_new.cpp takes the place of operator new in a test that links it.
#pragma once

#include <cstdint>

namespace homebooth::core {

/// Lets `count` more allocations of this thread succeed; all behind them throw std::bad_alloc.
/// @param count  negative: none fails, as in the beginning
void failAllocationsAfter(int64_t count);

} // namespace homebooth::core
