// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the process treats memory that it freed. Main thread.
#pragma once

namespace homebooth::core {

/// Keeps freed memory for the next allocation instead of handing it back to the system. Every step frees and
/// takes the same large buffers; fetched anew, each of their pages is a fault and is cleared by the kernel.
/// To be called once, before anything large is allocated.
void keepFreedMemory();

/// Hands what is kept so back to the system, when nothing is to be done for a while.
void giveFreedMemoryBack();

} // namespace homebooth::core
