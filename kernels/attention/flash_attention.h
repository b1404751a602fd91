// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Attention that never stores the matrix of scores, in bf16 with fp32 accumulation, forward and backward.
// CPU with AVX-512 BF16. Every (batch, head) pair is computed by one thread in a fixed order, so the result
// does not depend on the number of threads.
//
// All tiles hold queries in the vector lanes (S^T, keys by queries): maxima, sums and rescaling are then
// plain vector operations, and every product has the same form, pairs of A broadcast against interleaved rows
// of B.
//
// Source: Dao et al. 2022, "FlashAttention"; backward as in its algorithm 4, with the log-sum-exp kept.
#pragma once

#include <cstdint>

namespace homebooth::kernels {

struct AttentionShape {
    int64_t batch = 0;
    int64_t heads = 0;
    int64_t queries = 0;
    int64_t keys = 0;
    int64_t headSize = 0; ///< even, at most kMaxHeadSize
    float scale = 1.0f;   ///< usually 1 / sqrt(headSize)
};

inline constexpr int64_t kMaxHeadSize = 256;

/// bf16 data [batch, tokens, heads, headSize] with strides in elements; a head's elements are adjacent.
template <class T>
struct HeadedTensor {
    T* data = nullptr;
    int64_t batchStride = 0;
    int64_t tokenStride = 0;
    int64_t headStride = 0;
};

using HeadedInput = HeadedTensor<const uint16_t>;
using HeadedOutput = HeadedTensor<uint16_t>;

/// Whether this processor and this shape are served.
bool flashAttentionSupports(const AttentionShape& shape);

/// output = softmax(scale * q k^T) v
/// @param logSumExp  [batch, heads, queries] fp32, natural logarithm; read by the backward
/// @param first, last  pairs counted over (batch, head), for splitting over threads
void flashAttentionForward(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                           const HeadedInput& v, const HeadedOutput& output, float* logSumExp, int64_t first,
                           int64_t last);

struct AttentionGradients {
    HeadedOutput q, k, v;
};

/// Gradients of q, k and v from the forward's output and log-sum-exp.
void flashAttentionBackward(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                            const HeadedInput& v, const HeadedInput& output, const HeadedInput& gradOutput,
                            const float* logSumExp, const AttentionGradients& gradients, int64_t first,
                            int64_t last);

} // namespace homebooth::kernels
