// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker sets up before any job: manners, signals, threads, device, folders. Main thread, once.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/event.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>

namespace homebooth::core {

/// Steps back behind interactive programs: nice 10, first choice when memory runs out. A broken pipe
/// and a file at its limit become failed writes instead of signals.
void behave();

/// SIGTERM and SIGHUP request `stop`; SIGINT is ignored.
void stopOnSignals(const CancelToken& stop);

/// Sets the number of threads of every parallel part. @param threads  0: all that may be used
/// @param processes  that share them
void useThreads(int64_t threads, int64_t processes = 1);

/// The device that was asked for; with Auto the GPU where there is one.
/// Errors: BadInput where a driver is there but cannot be used, or Gpu was asked for and there is none that
///         can be used; never silently the CPU instead
[[nodiscard]] Result<at::Device> chooseDevice(ComputeDevice wanted);

/// Emits the warning of formatWarning where a GPU does not suit the format that a job computes in.
void warnOfFormat(at::Device device, Precision precision, bool convolves, EventSink& events);

/// Emits the warning of threadsWarning for the cores that may be used.
void warnOfThreads(int64_t threads, EventSink& events);

/// Emits the warning of deviceWarning where the processor computes.
void warnOfDevice(at::Device device, ComputeDevice wanted, EventSink& events);

/// Errors: BadInput where memory shall be divided in a way that this device cannot serve
[[nodiscard]] Result<void> checkPlacement(const MemoryConfig& memory, at::Device device);

/// $XDG_CACHE_HOME/homebooth, else ~/.cache/homebooth.
[[nodiscard]] std::string cacheFolder();

} // namespace homebooth::core
