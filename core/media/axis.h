// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Axes of charts: ranges, marks at round numbers, and how numbers are written.
// Internal to media. Value types; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct AxisMark {
    double value = 0;
    std::string label;
};

/// Maps values to 0-1 between `low` and `high`, linearly or by logarithm.
struct Axis {
    double low = 0;
    double high = 1;
    bool logarithmic = false;
    std::vector<AxisMark> marks;

    [[nodiscard]] double position(double value) const;
    [[nodiscard]] bool shows(double value) const; ///< finite, and positive on a logarithmic axis
};

/// An axis around `values` with about `wanted` marks. Values that it cannot show are passed over.
/// @param margin  share of the range left free at both ends
[[nodiscard]] Axis makeAxis(const std::vector<double>& values, bool logarithmic, int wanted, double margin);

/// An axis from 0 to a little above `highest` bytes, with marks at round KiB, MiB or GiB.
/// @param unit  receives the name of the unit
[[nodiscard]] Axis makeByteAxis(double highest, int wanted, std::string& unit);

/// A number in few characters: "0.005", "1,500", "2e-06".
[[nodiscard]] std::string shortNumber(double value);

} // namespace homebooth::core
