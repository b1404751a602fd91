// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The processor, and how many threads work may use. Free functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct CpuFacts {
    std::string model;
    int64_t threads = 1;               ///< that this process may use: affinity and the control group's quota
    std::vector<std::string> features; ///< those that matter here, e.g. "avx2", "amx_bf16"
};

[[nodiscard]] CpuFacts cpuFacts();

/// How many threads, of all programs, wanted each processor of this machine in the last minute; 0 if
/// unknown.
[[nodiscard]] double processorLoad();

/// What "threads 0" stands for.
[[nodiscard]] int64_t usableThreads();

} // namespace homebooth::core
