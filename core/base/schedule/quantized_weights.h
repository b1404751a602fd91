// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Weights as integers of 8 bits: a change of the schedule, like adapters. A weight [out, ...] is kept as
//
//   weight[o, ...] = integer[o, ...] * scale[o],   integers from -127 to 127
//
// and whoever multiplies by it makes it whole again for that long. Called between building a schedule and
// laying out its parameters. Pure functions; any thread. Torch-free.
#pragma once

#include "core/base/schedule/schedule.h"

#include <string>

namespace homebooth::core {

/// How weights that do not learn are kept in memory, and what is computed with them.
enum class Quantization {
    None,
    Int8, ///< integers, made whole for each product
    W8A8  ///< the same; in a UNet's transformers the inputs become integers, too, where that is faster
};

/// Sums that a product of integers holds at a time, beside the integers of its inputs.
constexpr int64_t kMostIntegerSums = int64_t{1} << 23;

/// As on the command line: "none", "int8", "w8a8".
[[nodiscard]] const char* quantizationName(Quantization quantization);

/// Keeps the frozen weights of linear layers and convolutions as integers: 2 or 4 sides, named
/// "<module>.weight". Not those of embeddings, of the first and the last convolution and of what tells a UNet
/// the timestep and the picture's frame: they are small, and pictures suffer most from their rounding.
/// The new parameters "<module>.weight_scale" [out] are fp32, frozen, and lie at the end of their block.
/// With W8A8 those of a UNet's transformers that take in pixels are marked, ParameterSpec::integerProducts.
/// What takes in the text is not: single channels of text encoders are so large that the others' integers
/// would all be small.
/// @param quantization  Int8 or W8A8
/// @returns  how many weights
/// Source: symmetric scales per output channel, as in Jacob et al., "Quantization and training of neural
/// networks for efficient integer-arithmetic-only inference", 2018
int64_t quantizeWeights(Schedule& schedule, Quantization quantization = Quantization::Int8);

/// The schedule of a model that is computed with and never learns: all frozen, and quantized if so.
[[nodiscard]] Schedule frozenSchedule(Schedule schedule, Quantization quantization);

/// The name of the scales of a weight. @param weight  its full name
[[nodiscard]] std::string scaleName(const std::string& weight);
/// The other way round; empty for a parameter that is none of them.
[[nodiscard]] std::string weightOfScale(const std::string& scale);

/// The largest of the schedule's quantized weights, made whole, bytes; 0: none.
/// @param elementBytes  of the type that computes
[[nodiscard]] int64_t largestWholeWeightBytes(const Schedule& schedule, int64_t elementBytes);

/// What computing with quantized weights takes beside them, bytes: the largest one made whole or, with
/// products of integers, their sums. 0: none is quantized.
/// @param elementBytes  of the type that computes
[[nodiscard]] int64_t quantizedWorkBytes(const Schedule& schedule, int64_t elementBytes);

} // namespace homebooth::core
