// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Randomness as a function of (run seed, step, sample's place within the step, purpose), so that a resumed
// run draws what an uninterrupted one would have drawn and no generator's state needs to be saved. Pure
// functions; any thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// What numbers are drawn for; different purposes never share a draw.
enum class DrawPurpose : uint64_t {
    Noise = 1,
    Timesteps,
    Posterior,
    NoiseOffset,
    Caption,
    CaptionDropout,
    Flip,
    Crop,
    Bucket,
    Order,
    Adapter,
    Initialisation,
    Rounding,
    Tags,
    Token,
};

/// A well-mixed 64-bit number of its arguments.
[[nodiscard]] uint64_t mixedSeed(uint64_t seed, DrawPurpose purpose, uint64_t first = 0, uint64_t second = 0);

/// A number in [0, 1) of a mixed seed.
[[nodiscard]] double unitInterval(uint64_t mixed);

/// Standard normal numbers, fp32, on the CPU.
[[nodiscard]] at::Tensor drawNormal(at::IntArrayRef shape, uint64_t mixed);

/// A sample's noise in a step, fp32 [C, H, W], on the CPU: standard normal numbers and, of each channel,
/// `offset` times one more that is the same for all its elements (Guttenberg, "Diffusion with Offset Noise",
/// 2023).
[[nodiscard]] at::Tensor drawNoise(at::IntArrayRef shape, double offset, uint64_t seed, uint64_t step,
                                   uint64_t place);

/// Uniform integers in [0, end), int64 [count], on the CPU.
[[nodiscard]] at::Tensor drawIntegers(int64_t count, int64_t end, uint64_t mixed);

/// A permutation of 0 ... count - 1. Source: Fisher and Yates, 1938
[[nodiscard]] std::vector<int64_t> permutation(int64_t count, uint64_t mixed);

} // namespace homebooth::core
