// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes of a schedule's values and what computing its blocks takes. Private to core/base/plan.
#pragma once

#include "core/base/schedule/schedule.h"

#include <cstdint>

namespace homebooth::core {

/// The input that a schedule is run with.
struct InputShape {
    int64_t batch = 1;
    int64_t height = 0; ///< of the schedule's input with downscale 1
    int64_t width = 0;
    int64_t tokens = 77; ///< where the schedule does not say it
};

/// Elements of one value.
[[nodiscard]] int64_t elementCount(const ValueSpec& value, const InputShape& shape);

/// Elements of all values together.
[[nodiscard]] int64_t valueElements(const Schedule& schedule, const InputShape& shape);

/// Elements of all values that backward starts from: inputs of blocks, each once.
[[nodiscard]] int64_t keptElements(const Schedule& schedule, const InputShape& shape);

/// Most elements alive between two blocks when values go after their last use.
[[nodiscard]] int64_t peakLiveElements(const Schedule& schedule, const InputShape& shape);

/// Most elements that one block holds while it computes; with `backward` its graph and gradients, too.
[[nodiscard]] int64_t peakBlockElements(const Schedule& schedule, const InputShape& shape, bool backward);

/// A convolution on the host is a product with patches of its input, of so many bytes at a time.
constexpr int64_t kMostPatchBytes = int64_t{32} << 20;

/// What the patches of one convolution take at most, bytes.
[[nodiscard]] int64_t peakPatchBytes(const Schedule& schedule, const InputShape& shape, int64_t elementBytes);

/// Elements of the trainable parameters of the block that has most.
[[nodiscard]] int64_t largestTrainableBlock(const Schedule& schedule);

} // namespace homebooth::core
