// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// `bench optimizer`: AdamW on the CPU, whose limit is the memory, beside plain copies of as many bytes.
// Free function; the main thread.
#pragma once

#include <string>
#include <vector>

namespace homebooth::core {

/// @param arguments  those behind "bench optimizer". @returns the exit code
int runOptimizerBenchmark(const std::vector<std::string>& arguments);

} // namespace homebooth::core
