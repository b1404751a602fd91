// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the process takes memory and what it does when it is free again. Main thread.
#pragma once

namespace homebooth::core {

/// Keeps freed memory for the next allocation instead of handing it back to the system. Every step frees and
/// takes the same large buffers; fetched anew, each of their pages is a fault and is cleared by the kernel.
/// To be called once, before anything large is allocated.
void keepFreedMemory();

/// Lets LibTorch ask the kernel for huge pages behind large tensors: a model's parameters are faulted in by
/// the two megabytes, not by 4096 bytes. To be called once, before the first tensor.
void takeHugePages();

/// Hands what is kept so back to the system, when nothing is to be done for a while.
void giveFreedMemoryBack();

} // namespace homebooth::core
