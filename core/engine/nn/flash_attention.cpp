// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/nn/flash_attention.h"

#include "core/engine/memory/rehearsed_memory.h"
#include "core/engine/nn/host_work.h"
#include "core/engine/nn/matrix_product.h"
#include "kernels/attention/flash_attention.h"

#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>

namespace homebooth::core {
namespace {

kernels::AttentionShape shapeOf(const at::Tensor& q, const at::Tensor& k, int64_t heads) {
    const int64_t headSize = q.size(2) / heads;
    return {q.size(0), heads, q.size(1), k.size(1), headSize, 1.0f / std::sqrt(static_cast<float>(headSize))};
}

kernels::HeadedInput input(const at::Tensor& x, int64_t headSize) {
    return {static_cast<const uint16_t*>(x.const_data_ptr()), x.stride(0), x.stride(1), headSize};
}

kernels::HeadedOutput output(const at::Tensor& x, int64_t headSize) {
    return {static_cast<uint16_t*>(x.data_ptr()), x.stride(0), x.stride(1), headSize};
}

/// The kernel needs a head's elements side by side; tokens may be strided.
at::Tensor dense(const at::Tensor& x) {
    return x.stride(2) == 1 ? x : x.contiguous();
}

/// What LibTorch's attention takes for the time of its call: scores of a tile for each thread, in fp32 and,
/// of 16-bit numbers, once more in their own type. Where it is not what will run, nothing.
/// @param tiles   that are there at a time
/// @param copies  of 16-bit tiles that products make besides, of those that come transposed; of fp16, where a
///                processor has products of it, these pack their factors instead
at::Tensor rehearsedScratch(const at::Tensor& q, const at::Tensor& k, int64_t heads, int64_t tiles,
                            int64_t copies) {
    if (!q.is_meta() || !computedOnHost(q) || flashAttentionServes(q, k, heads)) return {};
    constexpr int64_t kKeys = 512; // of a tile, at most
    constexpr int64_t kManyQueries = 768;
    constexpr int64_t kSomeQueries = 192;
    const int64_t most = q.size(1) >= kManyQueries ? 256 : q.size(1) >= kSomeQueries ? 64 : 32;
    const int64_t queries = std::min(most, q.size(1));
    const int64_t keys = std::min(kKeys, k.size(1));
    const int64_t scores = queries * keys;
    const auto ownBytes = q.scalar_type() == at::kFloat ? 0 : static_cast<int64_t>(q.element_size());
    const int64_t scoreBytes = tiles * (static_cast<int64_t>(sizeof(float)) + ownBytes);
    const int64_t packed = copies > 0 ? bytesPackedByOne(q, queries, keys, q.size(2) / heads) : 0;
    const int64_t others = packed > 0 ? packed : copies * ownBytes * scores;
    return at::empty({at::get_num_threads() * (scores * scoreBytes + others)}, q.options().dtype(at::kByte));
}

/// The gradient of q as a GPU's kernel sums it, to the same bytes again: in fp32, heads widened to a multiple
/// of 32, in as many sums as keep all multiprocessors of an H200 busy. GPUs with fewer take less.
at::Tensor rehearsedSums(const at::Tensor& q, const kernels::AttentionShape& shape) {
    constexpr int64_t kMultiprocessors = 132;
    if (!q.is_meta() || computedOnHost(q)) return {};
    const int64_t headSize = (shape.headSize + 31) / 32 * 32;
    const int64_t pairs = shape.batch * shape.heads;
    const int64_t sums = (kMultiprocessors + pairs - 1) / pairs;
    return at::empty({sums, pairs, shape.queries, headSize}, q.options().dtype(at::kFloat));
}

/// What backward needs of a forward pass.
struct Attended {
    at::Tensor mixed;
    at::Tensor logSumExp; // [B, heads, T] fp32
};

constexpr int64_t kForwardProducts = 2;  // scores, and values weighted with them
constexpr int64_t kBackwardProducts = 5; // scores again, and the gradients of scores, q, k and v

Attended attended(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int64_t heads) {
    const kernels::AttentionShape shape = shapeOf(q, k, heads);
    countProducts(q, ProductKind::Attention, kForwardProducts * q.numel() * k.size(1));
    const Attended result{at::empty(q.sizes(), q.options()),
                          at::empty({shape.batch, heads, shape.queries}, q.options().dtype(at::kFloat))};
    const at::Tensor scratch = rehearsedScratch(q, k, heads, 1, 0);
    overHost(q, 0, shape.batch * heads, 1, [&](int64_t first, int64_t last) {
        kernels::flashAttentionForward(shape, input(q, shape.headSize), input(k, shape.headSize),
                                       input(v, shape.headSize), output(result.mixed, shape.headSize),
                                       result.logSumExp.data_ptr<float>(), first, last);
    });
    return result;
}

class FlashAttention : public torch::autograd::Function<FlashAttention> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& givenQ,
                              const at::Tensor& givenK, const at::Tensor& givenV, int64_t heads,
                              KeptProducts* products) {
        const at::Tensor q = dense(givenQ);
        const at::Tensor k = dense(givenK);
        const at::Tensor v = dense(givenV);
        Attended result;
        result.mixed = keptProduct(products, k.size(1), [&](const at::Tensor& known) {
            if (!known.defined()) result = attended(q, k, v, heads);
            return known.defined() ? known : result.mixed;
        });
        result.logSumExp = keptProduct(products, k.size(1), [&](const at::Tensor& known) {
            return known.defined() ? known : result.logSumExp;
        });
        context->save_for_backward({q, k, v, result.mixed, result.logSumExp});
        context->saved_data["heads"] = heads;
        return result.mixed;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& q = saved[0];
        const at::Tensor& k = saved[1];
        const at::Tensor& v = saved[2];
        const kernels::AttentionShape shape = shapeOf(q, k, context->saved_data["heads"].toInt());
        const at::Tensor gradOutput = dense(gradients[0]);
        countProducts(q, ProductKind::AttentionGradient, kBackwardProducts * q.numel() * k.size(1));
        const at::Tensor gradQ = at::empty(q.sizes(), q.options());
        const at::Tensor gradK = at::empty(k.sizes(), k.options());
        const at::Tensor gradV = at::empty(v.sizes(), v.options());
        const at::Tensor scratch = rehearsedScratch(q, k, shape.heads, 2, 1);
        const at::Tensor sums = rehearsedSums(q, shape);
        overHost(q, 0, shape.batch * shape.heads, 1, [&](int64_t first, int64_t last) {
            kernels::flashAttentionBackward(
                shape, input(q, shape.headSize), input(k, shape.headSize), input(v, shape.headSize),
                input(saved[3], shape.headSize), input(gradOutput, shape.headSize),
                saved[4].const_data_ptr<float>(),
                {output(gradQ, shape.headSize), output(gradK, shape.headSize), output(gradV, shape.headSize)},
                first, last);
        });
        return {gradQ, gradK, gradV, at::Tensor(), at::Tensor()};
    }
};

} // namespace

bool flashAttentionServes(const at::Tensor& q, const at::Tensor& k, int64_t heads) {
    return onHost(q) && q.scalar_type() == at::kBFloat16 && k.scalar_type() == at::kBFloat16 &&
           q.size(1) > 0 && k.size(1) > 0 && kernels::flashAttentionSupports(shapeOf(q, k, heads));
}

at::Tensor flashAttend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int64_t heads,
                       KeptProducts* products) {
    TORCH_CHECK(q.dim() == 3 && k.sizes() == v.sizes() && q.size(2) == k.size(2) && q.size(2) % heads == 0,
                "attention of q ", q.sizes(), ", k ", k.sizes(), ", v ", v.sizes(), " with ", heads,
                " heads");
    return FlashAttention::apply(q, k, v, heads, products);
}

} // namespace homebooth::core
