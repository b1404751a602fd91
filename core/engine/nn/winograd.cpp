// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/winograd.h"

#include "core/base/plan/convolution_sizes.h"
#include "core/engine/nn/host_work.h"
#include "core/engine/nn/matrix_product.h"
#include "kernels/conv/winograd.h"

#include <algorithm>

namespace homebooth::core {
namespace {

using kernels::Bf16;
using kernels::kWinogradPlaces;
using kernels::WinogradShape;

static_assert(TileSizes::kPlaces == kWinogradPlaces && TileSizes::kLanes == kernels::kWinogradLanes);

constexpr int64_t kGrainTiles = 16;
constexpr int64_t kGrainOutputs = 8;

const Bf16* read(const at::Tensor& x) {
    return static_cast<const Bf16*>(x.const_data_ptr());
}

Bf16* write(const at::Tensor& x) {
    return static_cast<Bf16*>(x.data_ptr());
}

at::Tensor transformedWeight(const at::Tensor& weight) {
    const int64_t outputs = weight.size(0);
    const int64_t channels = weight.size(1);
    at::Tensor target = at::empty({kWinogradPlaces, outputs, channels}, weight.options());
    overHost(weight, 0, outputs, kGrainOutputs, [&](int64_t first, int64_t last) {
        kernels::winogradWeights(read(weight), write(target), outputs, channels, first, last);
    });
    return target;
}

} // namespace

bool winogradServes(const at::Tensor& x, const StoredWeight& weight, int64_t padding, int64_t stride) {
    const at::Tensor& values = weight.values;
    return onHost(x) && x.scalar_type() == at::kBFloat16 &&
           (weight.isQuantized() || values.scalar_type() == at::kBFloat16) && values.size(2) == 3 &&
           values.size(3) == 3 && padding == 1 && stride == 1 &&
           values.size(0) % kernels::kWinogradLanes == 0 && values.size(1) % kernels::kWinogradLanes == 0 &&
           x.size(0) * x.size(2) * x.size(3) >= TileSizes::kLeastPixels;
}

at::Tensor convolveByWinograd(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    TORCH_CHECK(winogradServes(x, weight, 1, 1), "no convolution of ", x.sizes(), " ", x.scalar_type(),
                " with a weight of ", weight.sizes(), " by 2x2 tiles");
    const at::Tensor input = x.contiguous(at::MemoryFormat::ChannelsLast);
    const int64_t channels = x.size(1);
    const int64_t outputs = weight.size(0);
    const WinogradShape shape{x.size(0), x.size(2), x.size(3)};
    const at::Tensor matrices =
        transformedWeight(weight.contiguous(at::MemoryFormat::ChannelsLast)).transpose(1, 2);
    const at::Tensor offsets = bias.defined() ? bias.to(at::kBFloat16).contiguous() : bias;
    at::Tensor output = at::empty({shape.batch, outputs, shape.height, shape.width},
                                  x.options().memory_format(at::MemoryFormat::ChannelsLast));
    const int64_t tileBytes = kWinogradPlaces * (channels + outputs) * static_cast<int64_t>(sizeof(Bf16));
    const int64_t rows = std::clamp<int64_t>(TileSizes::kPieceBytes / tileBytes, 1, shape.tiles());
    for (int64_t begin = 0; begin < shape.tiles(); begin += rows) {
        const int64_t count = std::min(rows, shape.tiles() - begin);
        const at::Tensor tiles = at::empty({kWinogradPlaces, count, channels}, x.options());
        overHost(x, begin, begin + count, kGrainTiles, [&](int64_t first, int64_t last) {
            kernels::winogradInput(read(input), write(tiles), shape, channels, count, begin, first, last);
        });
        const at::Tensor products = pairedProducts(tiles, matrices);
        overHost(x, begin, begin + count, kGrainTiles, [&](int64_t first, int64_t last) {
            kernels::winogradOutput(read(products), bias.defined() ? read(offsets) : nullptr, write(output),
                                    shape, outputs, count, begin, first, last);
        });
    }
    return output;
}

} // namespace homebooth::core
