// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A GPU computes beside the thread that gives it work; clocks have to wait for it, and calls of it may fail.
// Free functions, any thread.
#pragma once

#include <c10/core/Device.h>

namespace homebooth::core {

/// Returns when the device has done all that it was given; at once on the CPU.
/// Errors: throws c10::Error with what failed on the device meanwhile
void waitForDevice(at::Device device);

/// Returns when the device has done what it was given on the caller's stream.
/// Errors: as above
void waitForStream(at::Device device);

/// Passes on how a call of our own on a GPU ended.
/// @param code  a cudaError_t, 0 for success; -1: this build has no CUDA
/// @param what  was to be done
/// Errors: throws c10::Error that says "CUDA error", as LibTorch's do: by that a GPU is known to be lost, or
///         to lack memory
void checkGpu(int code, const char* what);

} // namespace homebooth::core
