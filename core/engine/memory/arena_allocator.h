// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Large tensors on the host in an arena (HostArena) instead of the heap, where tensors of many sizes leave
// holes that no later one fits into. Free functions; any thread.
#pragma once

#include "core/base/memory/host_arena.h"

namespace homebooth::core {

/// Puts an arena behind LibTorch's CPU allocator, before the first tensor and before a meter. Small tensors
/// stay in the heap, and all do where the system reserves no addresses. Calling it again does nothing.
void useArena();

/// Zero without an arena.
[[nodiscard]] ArenaUse arenaUse();

/// Gives its holes back to the system.
void giveArenaBack() noexcept;

} // namespace homebooth::core
