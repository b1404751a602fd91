// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The verbs of homebooth-engine: each parses its own arguments, so that no verb pays for another's options.
// One thread.
#pragma once

#include "core/base/util/exit_codes.h"
#include "core/base/util/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

using Arguments = std::vector<std::string>;

struct Verb {
    std::string_view name;
    std::string_view summary;
    /// @param arguments  those behind the verb. @returns the exit code
    int (*run)(const Arguments& arguments);
    /// What it makes lies in files, and its exit code says how that ended; else it is what it prints.
    bool writesFiles = false;
    bool knowsMachine = true; ///< it asks for memory, or for its own place, which /proc alone tells
};

[[nodiscard]] std::span<const Verb> verbs();

int runTrain(const Arguments& arguments);
int runResume(const Arguments& arguments);
int runSample(const Arguments& arguments);
int runGenerate(const Arguments& arguments);
int runPlan(const Arguments& arguments);
int runInspect(const Arguments& arguments);
int runConvert(const Arguments& arguments);
int runVerify(const Arguments& arguments);
int runBench(const Arguments& arguments);
int runBenchSwap(const Arguments& arguments); ///< behind "bench swap"
int runDoctor(const Arguments& arguments);
int runSupervise(const Arguments& arguments);

/// Prints one line on standard error and returns the exit code of the error.
int fail(std::string_view verb, const Error& error);

} // namespace homebooth::core
