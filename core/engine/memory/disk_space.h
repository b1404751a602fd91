// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the third tier takes of a disk: files have whole pages, and a place for every block whose home may be
// there. Free functions; any thread.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>

namespace homebooth::core {

class ParameterStore;
class Schedule;

/// Of a disk, what a memory of so many bytes takes there; nothing for none.
[[nodiscard]] int64_t diskSpaceFor(int64_t bytes);

/// The same for the homes of parameters, also of blocks that stay on the device at present; 0 where homes are
/// in memory. A rehearsed store says what a real one takes.
[[nodiscard]] int64_t diskSpaceOf(const ParameterStore& store);

/// The same of a store that is not made yet: all of its blocks, none of them spread over ranks.
/// @param type  of parameters that have no storage type of their own
[[nodiscard]] int64_t diskSpaceOf(const Schedule& schedule, c10::ScalarType type);

} // namespace homebooth::core
