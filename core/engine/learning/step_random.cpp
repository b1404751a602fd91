// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/learning/step_random.h"

#include <ATen/CPUGeneratorImpl.h>

#include <numeric>
#include <utility>

namespace homebooth::core {
namespace {

constexpr uint64_t kWeyl = 0x9E3779B97F4A7C15ull;

/// One round of SplitMix64. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
/// 2014
uint64_t mix(uint64_t x) {
    x += kWeyl;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

at::Generator generatorOf(uint64_t mixed) {
    return at::make_generator<at::CPUGeneratorImpl>(mixed);
}

} // namespace

uint64_t mixedSeed(uint64_t seed, DrawPurpose purpose, uint64_t first, uint64_t second) {
    uint64_t mixed = mix(seed);
    mixed = mix(mixed ^ static_cast<uint64_t>(purpose));
    mixed = mix(mixed ^ first);
    return mix(mixed ^ second);
}

double unitInterval(uint64_t mixed) {
    constexpr double kStep = 1.0 / 9007199254740992.0; // 2^-53
    return static_cast<double>(mixed >> 11) * kStep;
}

at::Tensor drawNormal(at::IntArrayRef shape, uint64_t mixed) {
    return at::randn(shape, generatorOf(mixed), at::TensorOptions().dtype(at::kFloat));
}

at::Tensor drawNoise(at::IntArrayRef shape, double offset, uint64_t seed, uint64_t step, uint64_t place) {
    at::Tensor noise = drawNormal(shape, mixedSeed(seed, DrawPurpose::Noise, step, place));
    if (offset > 0.0)
        noise +=
            offset * drawNormal({shape[0], 1, 1}, mixedSeed(seed, DrawPurpose::NoiseOffset, step, place));
    return noise;
}

at::Tensor drawIntegers(int64_t count, int64_t end, uint64_t mixed) {
    return at::randint(0, end, {count}, generatorOf(mixed), at::TensorOptions().dtype(at::kLong));
}

std::vector<int64_t> permutation(int64_t count, uint64_t mixed) {
    std::vector<int64_t> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), int64_t{0});
    for (int64_t i = count - 1; i > 0; --i) {
        mixed = mix(mixed);
        std::swap(order[i], order[static_cast<int64_t>(mixed % static_cast<uint64_t>(i + 1))]);
    }
    return order;
}

} // namespace homebooth::core
