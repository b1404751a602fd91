// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of journals write, and what is then in the file. No state; any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <fstream>
#include <iterator>
#include <string>

namespace homebooth::core::test {

/// One of a training that learns.
inline StepEvent step(int64_t number) {
    StepEvent event;
    event.step = number;
    event.loss = 0.25;
    event.learningRate = 1e-6;
    return event;
}

/// Empty where there is no such file.
inline std::string contentOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace homebooth::core::test
