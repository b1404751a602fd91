// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/causal_attention.h"

#include "core/engine/nn/attention_type.h"
#include "core/engine/nn/flash_attention.h"

#include <cmath>
#include <vector>

namespace homebooth::core {
namespace {

constexpr int64_t kPlacesAtATime = 128; // below 256, so that every place is two numbers that bf16 has
constexpr int64_t kWidthMultiple = 8;   // of heads, for the fast ways of GPUs

/// Channels that are not there, of tensors alike.
at::Tensor emptyChannels(const at::Tensor& x, int64_t count) {
    std::vector<int64_t> shape = x.sizes().vec();
    shape.back() = count;
    return at::zeros(shape, x.options());
}

int64_t paddingOf(int64_t width) {
    constexpr int64_t kChannels = 4;
    const int64_t whole = (width + kChannels + kWidthMultiple - 1) / kWidthMultiple * kWidthMultiple;
    return whole - width - kChannels;
}

/// With the slopes, times what the scores are multiplied with. Shapes: [B, heads, T, d] -> [B, heads, T, d']
at::Tensor withSlopes(const at::Tensor& queries, double scale) {
    const at::Tensor slopes = distanceSlopes(queries.size(1)) / scale;
    const at::Tensor coarse = slopes.to(queries.scalar_type()).to(at::kFloat);
    const at::Tensor fine = slopes - coarse;
    const at::Tensor channels = at::stack({coarse * kPlacesAtATime, fine * kPlacesAtATime, coarse, fine}, 1)
                                    .to(queries.options())
                                    .view({1, queries.size(1), 1, 4})
                                    .expand({queries.size(0), queries.size(1), queries.size(2), 4});
    return at::cat({queries, channels, emptyChannels(queries, paddingOf(queries.size(3)))}, 3);
}

/// With the places. Shapes: [B, heads, S, d] -> [B, heads, S, d']
at::Tensor withPlaces(const at::Tensor& keys) {
    const at::Tensor places = at::arange(keys.size(2), at::TensorOptions().dtype(at::kLong));
    const at::Tensor coarse = at::div(places, kPlacesAtATime, "floor");
    const at::Tensor fine = places - coarse * kPlacesAtATime;
    const at::Tensor channels = at::stack({coarse, coarse, fine, fine}, 1)
                                    .to(keys.options())
                                    .view({1, 1, keys.size(2), 4})
                                    .expand({keys.size(0), keys.size(1), keys.size(2), 4});
    return at::cat({keys, channels, emptyChannels(keys, paddingOf(keys.size(3)))}, 3);
}

/// [B, heads, T, d] -> [B, T, heads * d]
at::Tensor joinHeads(const at::Tensor& x) {
    return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

/// Which of S tokens each of the last T of them sees. bool [T, S]
at::Tensor seenBy(const at::Tensor& queries, int64_t keys) {
    const int64_t count = queries.size(2);
    return at::ones({count, keys}, queries.options().dtype(at::kBool)).tril(keys - count);
}

at::Tensor attendByHead(const Projected& by, double scale) {
    const int64_t count = by.queries.size(2);
    const int64_t seen = by.keys.size(2);
    // Without memory LibTorch would take the way that makes all scores, which it takes nowhere else.
    if (by.queries.is_meta())
        return flashAttend(joinHeads(by.queries), joinHeads(by.keys), joinHeads(by.values),
                           by.queries.size(1));
    const bool fromTheStart = count == seen;
    const at::Tensor mask = fromTheStart || count == 1 ? at::Tensor() : seenBy(by.queries, seen);
    const std::optional<at::Tensor> given = mask.defined() ? std::optional(mask) : std::nullopt;
    return joinHeads(at::scaled_dot_product_attention(by.queries, by.keys, by.values, given,
                                                      /*dropout_p=*/0.0, fromTheStart && count > 1, scale));
}

} // namespace

at::Tensor distanceSlopes(int64_t heads) {
    const auto powers = [](int64_t count) { return std::exp2(std::floor(std::log2(double(count)))); };
    const double whole = powers(heads);
    std::vector<float> slopes;
    for (int64_t head = 0; head < heads; ++head) {
        const auto place = static_cast<double>(head);
        const bool extra = place >= whole;
        const double exponent =
            extra ? -8.0 / (2.0 * whole) * (2.0 * (place - whole) + 1.0) : -8.0 / whole * (place + 1.0);
        slopes.push_back(static_cast<float>(std::exp2(exponent)));
    }
    return at::tensor(slopes);
}

at::Tensor attendCausally(const Projected& now, const at::Tensor& pastKeys, const at::Tensor& pastValues,
                          bool distances) {
    const int64_t width = now.queries.size(3);
    const int64_t heads = now.queries.size(1);
    const double scale = 1.0 / std::sqrt(static_cast<double>(width));
    const at::ScalarType type = now.queries.scalar_type();
    const at::ScalarType inner = attentionType(now.queries);
    const bool follows = pastKeys.defined() && pastKeys.size(2) > 0;
    Projected by{now.queries.to(inner), (follows ? at::cat({pastKeys, now.keys}, 2) : now.keys).to(inner),
                 (follows ? at::cat({pastValues, now.values}, 2) : now.values).to(inner)};
    if (distances) {
        by.queries = withSlopes(by.queries, scale);
        by.keys = withPlaces(by.keys);
        by.values = at::cat({by.values, emptyChannels(by.values, by.keys.size(3) - width)}, 3);
    }
    const at::Tensor mixed = attendByHead(by, scale).to(type);
    if (!distances) return mixed;
    return mixed.view({mixed.size(0), mixed.size(1), heads, by.keys.size(3)})
        .slice(3, 0, width)
        .reshape({mixed.size(0), mixed.size(1), heads * width});
}

} // namespace homebooth::core
