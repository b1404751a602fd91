// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the process treats memory that it freed. Main thread, once, before anything large is allocated.
#pragma once

namespace homebooth::core {

/// Keeps freed memory for the next allocation instead of handing it back to the system. Every step frees and
/// takes the same large buffers; fetched anew, each of their pages is a fault and is cleared by the kernel.
void keepFreedMemory();

} // namespace homebooth::core
