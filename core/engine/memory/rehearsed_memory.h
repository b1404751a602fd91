// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts what LibTorch would allocate on a device, by tier, while the computation runs on its meta device,
// whose tensors have shapes and no memory: so that a step's peak is known before anything is loaded, from the
// very code that will run. An allocation belongs to the tier of the innermost TierScope (tier_meter.h). One
// scope at a time in a process; allocations may come from any thread.
#pragma once

#include "core/engine/memory/tier_meter.h"

#include <ATen/ATen.h>

#include <array>
#include <numeric>

namespace homebooth::core {

/// Kinds of products, which a machine computes at speeds of their own.
enum class ProductKind : uint8_t {
    Convolution,        ///< and the gradient of its input
    ConvolutionWeights, ///< the gradient of its weights
    Linear,             ///< and the gradient of its input
    LinearWeights,
    Attention,
    AttentionGradient
};
constexpr size_t kProductKinds = 6;

/// What a computation would do, up to now.
struct RehearsedWork {
    std::array<int64_t, kProductKinds> multiplyAdds{}; ///< by ProductKind
    int64_t allocatedBytes = 0; ///< of all tensors ever made: a measure of what goes through memory
    int64_t allocations = 0;    ///< a measure of the operations, each of which takes time however small it is
    int64_t unpackedBytes = 0;  ///< read and written to make weights whole of their integers

    [[nodiscard]] int64_t allMultiplyAdds() const {
        return std::accumulate(multiplyAdds.begin(), multiplyAdds.end(), int64_t{0});
    }
    [[nodiscard]] RehearsedWork since(const RehearsedWork& before) const;
};

/// Products report themselves here; nothing where `any` has memory.
void countProducts(const at::Tensor& any, ProductKind kind, int64_t multiplyAdds);

/// Weights that are made whole report themselves here; nothing where `any` has memory.
/// @param movedBytes  read and written
void countUnpacking(const at::Tensor& any, int64_t movedBytes);

/// What a product makes on its way while this lives is memory, but no work of its own: the product's speed
/// was measured with it. The same holds of memory that is laid out once for all steps. Of the thread that
/// makes it; they may lie within each other.
class WithinProduct {
public:
    WithinProduct();
    ~WithinProduct();
    WithinProduct(const WithinProduct&) = delete;
    WithinProduct& operator=(const WithinProduct&) = delete;
};

/// Whether what lies on a device is computed by the host, or stands for such in a rehearsal.
[[nodiscard]] bool computedOnHost(at::Device device);
[[nodiscard]] inline bool computedOnHost(const at::Tensor& any) {
    return computedOnHost(any.device());
}

class RehearsedMemory {
public:
    /// Counts from zero until its end. Tensors made before or outliving it are not counted.
    /// @param computesOn  what is rehearsed: a processor takes other ways than a GPU, and other memory
    explicit RehearsedMemory(at::DeviceType computesOn = at::kCPU);
    ~RehearsedMemory();
    RehearsedMemory(const RehearsedMemory&) = delete;
    RehearsedMemory& operator=(const RehearsedMemory&) = delete;

    [[nodiscard]] TierUse use(Tier tier) const;
    [[nodiscard]] RehearsedWork work() const;
    /// The peak begins anew at what is held now.
    void restartPeak(Tier tier);
};

} // namespace homebooth::core
