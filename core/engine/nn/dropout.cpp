// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/dropout.h"

#include <ATen/Parallel.h>

namespace homebooth::core {
namespace {

constexpr int64_t kGrain = 1 << 14; // elements that are worth a thread

/// Splitmix64 (Steele, Lea, Flood 2014) as a counter-based generator: number `index` of a stream.
uint64_t mixed(uint64_t key, uint64_t index) {
    uint64_t x = key + 0x9E3779B97F4A7C15ull * (index + 1);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

} // namespace

at::Tensor dropout(const at::Tensor& x, double probability, uint64_t seed, uint64_t stream,
                   const BatchPart& part) {
    TORCH_CHECK(probability >= 0.0 && probability < 1.0, "dropout probability must be in [0, 1), got ",
                probability);
    // Drawn on the host whatever the device, so that every device sees the same mask.
    at::Tensor mask = at::empty_like(x, at::TensorOptions().dtype(at::kFloat).device(at::kCPU));
    const auto scale = static_cast<float>(1.0 / (1.0 - probability));
    const auto threshold = static_cast<uint64_t>(probability * 0x1p53);
    const uint64_t key = mixed(seed, stream);
    if (x.is_meta()) return x * mask.to(x.device(), x.scalar_type()); // nobody reads it
    auto* data = mask.data_ptr<float>();
    const int64_t perSample = part.isWhole() ? mask.numel() : mask.numel() / part.samples;
    at::parallel_for(0, mask.numel(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const auto place = static_cast<uint64_t>(part.inBatch(i / perSample) * perSample + i % perSample);
            data[i] = (mixed(key, place) >> 11) < threshold ? 0.0f : scale;
        }
    });
    return x * mask.to(x.device(), x.scalar_type());
}

} // namespace homebooth::core
