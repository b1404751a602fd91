// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The middle of what was measured. Pure function; any thread.
#pragma once

#include <algorithm>
#include <vector>

namespace homebooth::core {

/// @param values  at least one
[[nodiscard]] inline double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

} // namespace homebooth::core
