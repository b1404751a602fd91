// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/schedulers/spacing.h"

#include <algorithm>
#include <c10/util/Exception.h>
#include <cmath>

namespace homebooth::core {

namespace {

void roundAll(std::vector<double>& values) {
    for (double& value : values) value = std::nearbyint(value);
}

/// 0, ratio, 2 * ratio, ... backwards.
std::vector<double> leading(int64_t ratio, int64_t count, int64_t offset) {
    std::vector<double> values;
    for (int64_t index = count - 1; index >= 0; --index)
        values.push_back(static_cast<double>(index * ratio + offset));
    return values;
}

/// Counts down from the end in equal steps.
std::vector<double> trailing(int64_t begin, double ratio, int64_t count) {
    std::vector<double> values;
    const double first = static_cast<double>(begin);
    const double difference = (first - ratio) - first; // the step as NumPy's arange rounds it
    for (int64_t index = 0; index < count; ++index) {
        const double value = first + static_cast<double>(index) * difference;
        if (value <= 0.0) break;
        values.push_back(std::nearbyint(value) - 1.0);
    }
    return values;
}

} // namespace

std::vector<double> evenlySpaced(double first, double last, int64_t count) {
    std::vector<double> values(static_cast<size_t>(count), first);
    if (count < 2) return values;
    const double step = (last - first) / static_cast<double>(count - 1);
    for (int64_t index = 0; index < count; ++index)
        values[static_cast<size_t>(index)] = static_cast<double>(index) * step + first;
    values.back() = last;
    return values;
}

std::vector<double> spacedTimesteps(const SchedulerSettings& settings, int64_t steps, bool rounded) {
    const int64_t total = settings.trainTimesteps;
    switch (settings.timestepSpacing) {
    case TimestepSpacing::Linspace: {
        std::vector<double> values = evenlySpaced(0.0, static_cast<double>(total - 1), steps);
        if (rounded) roundAll(values);
        std::reverse(values.begin(), values.end());
        return values;
    }
    case TimestepSpacing::Leading:
        return leading(total / steps, steps, settings.stepsOffset);
    case TimestepSpacing::Trailing:
        return trailing(total, static_cast<double>(total) / static_cast<double>(steps), steps);
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

std::vector<double> spacedSolverTimesteps(const SchedulerSettings& settings, int64_t steps, int64_t limit) {
    std::vector<double> values;
    switch (settings.timestepSpacing) {
    case TimestepSpacing::Linspace:
        values = evenlySpaced(0.0, static_cast<double>(limit - 1), steps + 1);
        roundAll(values);
        std::reverse(values.begin(), values.end());
        values.pop_back();
        return values;
    case TimestepSpacing::Leading:
        values = leading(limit / (steps + 1), steps + 1, settings.stepsOffset);
        values.pop_back();
        return values;
    case TimestepSpacing::Trailing:
        return trailing(limit, static_cast<double>(settings.trainTimesteps) / static_cast<double>(steps),
                        steps);
    }
    TORCH_INTERNAL_ASSERT(false);
    return {};
}

std::vector<double> sigmaTable(const at::Tensor& alphasCumprod) {
    const at::Tensor sigmas = ((1 - alphasCumprod) / alphasCumprod).sqrt().contiguous();
    const float* data = sigmas.const_data_ptr<float>();
    return {data, data + sigmas.numel()};
}

std::vector<double> interpolated(const std::vector<double>& positions, const std::vector<double>& table) {
    std::vector<double> values;
    for (const double position : positions) {
        const double clamped = std::clamp(position, 0.0, static_cast<double>(table.size() - 1));
        const size_t low = std::min(static_cast<size_t>(clamped), table.size() - 1);
        const double fraction = clamped - static_cast<double>(low);
        const bool exact = fraction == 0.0;
        values.push_back(exact ? table[low] : (table[low + 1] - table[low]) * fraction + table[low]);
    }
    return values;
}

std::vector<double> karrasSigmas(double largest, double smallest, int64_t count) {
    const double rho = 7.0;
    const double high = std::pow(largest, 1.0 / rho);
    const double low = std::pow(smallest, 1.0 / rho);
    std::vector<double> values = evenlySpaced(0.0, 1.0, count);
    for (double& value : values) value = std::pow(high + value * (low - high), rho);
    return values;
}

std::vector<double> exponentialSigmas(double largest, double smallest, int64_t count) {
    std::vector<double> values = evenlySpaced(std::log(largest), std::log(smallest), count);
    for (double& value : values) value = std::exp(value);
    return values;
}

double timestepOfSigma(double sigma, const std::vector<double>& sigmas) {
    const auto logOf = [&](size_t index) {
        return static_cast<double>(std::log(static_cast<float>(sigmas[index])));
    };
    const double wanted = std::log(std::max(sigma, 1e-10));
    size_t low = 0;
    for (size_t index = 0; index < sigmas.size(); ++index)
        if (wanted >= logOf(index)) low = index;
    low = std::min(low, sigmas.size() - 2);
    const double below = logOf(low);
    const double weight = std::clamp((below - wanted) / (below - logOf(low + 1)), 0.0, 1.0);
    return (1.0 - weight) * static_cast<double>(low) + weight * static_cast<double>(low + 1);
}

} // namespace homebooth::core
