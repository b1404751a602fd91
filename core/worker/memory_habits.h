// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the process takes memory and what it does when it is free again. Main thread.
#pragma once

namespace homebooth::core {

/// Keeps what the heap frees for its next allocation instead of handing it back to the system. Every step
/// frees and takes the same scratch memory; fetched anew, each of its pages is a fault and is cleared by the
/// kernel. Large tensors lie in an arena (engine/memory/arena_allocator.h) instead.
/// To be called once, before anything large is allocated.
void keepFreedMemory();

} // namespace homebooth::core
