// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention/flash_attention.h"
#include "kernels/attention/pair_product.h"

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace homebooth::kernels {
namespace {

constexpr int64_t kQueryBlock = 64; ///< four vectors of lanes
constexpr int64_t kKeyBlock = 128;
constexpr int64_t kLanes = 16;
constexpr int64_t kVectors = kQueryBlock / kLanes;
constexpr float kLog2E = 1.44269504088896340736f;

int64_t roundUp(int64_t value, int64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

float toFloat(uint16_t bits) {
    const uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
}

uint16_t toBfloat16(float value) {
    return static_cast<uint16_t>(_mm_extract_epi16((__m128i)_mm_cvtneps_pbh(_mm_set_ss(value)), 0));
}

/// 2^x for x <= 0, relative error below 2e-7; minus infinity gives 0, NaN stays NaN. Taylor series of 2^f,
/// |f| <= 1/2.
__m512 exp2(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-200.0f), x); // of two operands of which one is NaN, the second
    const __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512 f = _mm512_sub_ps(x, whole);
    __m512 y = _mm512_set1_ps(1.540353039338161e-4f);
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(1.333355814642844e-3f));
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(9.618129107628477e-3f));
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(5.550410866482158e-2f));
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(2.402265069591007e-1f));
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(6.931471805599453e-1f));
    y = _mm512_fmadd_ps(y, f, _mm512_set1_ps(1.0f));
    return _mm512_scalef_ps(y, whole);
}

/// Two rows of fp32 as bf16 pairs (first, second) in each lane.
__m512i interleave(__m512 first, __m512 second) {
    alignas(64) static const uint16_t order[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                   21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                   11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(second, first);
    return _mm512_permutexvar_epi16(_mm512_load_si512(order), both);
}

/// One head's tokens, copied out of the strided tensor and padded with zeros, in the orders that products
/// need.
class PackedHead {
public:
    PackedHead(const HeadedInput& source, int64_t pair, int64_t heads, int64_t tokens, int64_t headSize,
               int64_t paddedTokens)
        : m_tokens(paddedTokens)
        , m_headSize(headSize)
        , m_width(roundUp(headSize, kLanes))
        , m_rows(paddedTokens * headSize) {
        const uint16_t* begin =
            source.data + pair / heads * source.batchStride + pair % heads * source.headStride;
        for (int64_t t = 0; t < tokens; ++t)
            std::memcpy(&m_rows[t * headSize], begin + t * source.tokenStride, headSize * sizeof(uint16_t));
    }

    /// [tokens, headSize], pairs along the head.
    [[nodiscard]] PairMatrix rows(int64_t firstToken) const {
        return {reinterpret_cast<const uint32_t*>(m_rows.data() + firstToken * m_headSize), m_headSize / 2};
    }
    /// [headSize / 2, tokens] of pairs along the head: the right-hand side with tokens in the lanes.
    [[nodiscard]] PairMatrix headPairs(int64_t firstToken) {
        if (m_headPairs.empty()) {
            m_headPairs.resize(m_tokens * m_headSize / 2);
            const auto* pairs = reinterpret_cast<const uint32_t*>(m_rows.data());
            for (int64_t t = 0; t < m_tokens; ++t)
                for (int64_t p = 0; p < m_headSize / 2; ++p)
                    m_headPairs[p * m_tokens + t] = pairs[t * (m_headSize / 2) + p];
        }
        return {m_headPairs.data() + firstToken, m_tokens};
    }
    /// [tokens / 2, width] of pairs along the tokens: the right-hand side with the head in the lanes.
    [[nodiscard]] PairMatrix tokenPairs(int64_t firstToken) {
        if (m_tokenPairs.empty()) {
            m_tokenPairs.resize(m_tokens / 2 * m_width);
            for (int64_t t = 0; t < m_tokens; ++t)
                for (int64_t c = 0; c < m_headSize; ++c)
                    m_tokenPairs[t / 2 * m_width + c] |= static_cast<uint32_t>(m_rows[t * m_headSize + c])
                                                         << (16 * (t % 2));
        }
        return {m_tokenPairs.data() + firstToken / 2 * m_width, m_width};
    }
    /// [headSize, tokens], pairs along the tokens.
    [[nodiscard]] PairMatrix transposed(int64_t firstToken) {
        if (m_transposed.empty()) {
            m_transposed.resize(m_headSize * m_tokens);
            for (int64_t t = 0; t < m_tokens; ++t)
                for (int64_t c = 0; c < m_headSize; ++c)
                    m_transposed[c * m_tokens + t] = m_rows[t * m_headSize + c];
        }
        return {reinterpret_cast<const uint32_t*>(m_transposed.data() + firstToken), m_tokens / 2};
    }
    [[nodiscard]] const uint16_t* token(int64_t index) const { return &m_rows[index * m_headSize]; }
    [[nodiscard]] int64_t width() const { return m_width; }

private:
    int64_t m_tokens;
    int64_t m_headSize;
    int64_t m_width;
    std::vector<uint16_t> m_rows;
    std::vector<uint32_t> m_headPairs;
    std::vector<uint32_t> m_tokenPairs;
    std::vector<uint16_t> m_transposed;
};

/// Running softmax of one block of queries, a query in each lane.
struct OnlineSoftmax {
    __m512 maximum[kVectors];
    __m512 sum[kVectors];

    OnlineSoftmax() {
        for (int n = 0; n < kVectors; ++n) {
            maximum[n] = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
            sum[n] = _mm512_setzero_ps();
        }
    }

    /// Turns scores [keys, 64] into probabilities relative to the new maximum, as interleaved pairs of keys.
    /// @param factor  scale * log2(e)
    /// @returns       by what the sums so far were multiplied, one vector of lanes each
    void absorb(const float* scores, int64_t keys, float factor, uint32_t* pairs, __m512* rescale) {
        const __m512 f = _mm512_set1_ps(factor);
        for (int n = 0; n < kVectors; ++n) {
            __m512 top = maximum[n];
            for (int64_t k = 0; k < keys; ++k)
                top =
                    _mm512_max_ps(top, _mm512_mul_ps(f, _mm512_loadu_ps(scores + k * kQueryBlock + 16 * n)));
            rescale[n] = exp2(_mm512_sub_ps(maximum[n], top));
            maximum[n] = top;
            __m512 total = _mm512_mul_ps(sum[n], rescale[n]);
            for (int64_t k = 0; k < keys; k += 2) {
                const float* row = scores + k * kQueryBlock + 16 * n;
                const __m512 first = exp2(_mm512_fmsub_ps(f, _mm512_loadu_ps(row), top));
                const __m512 second = k + 1 < keys
                                          ? exp2(_mm512_fmsub_ps(f, _mm512_loadu_ps(row + kQueryBlock), top))
                                          : _mm512_setzero_ps();
                total = _mm512_add_ps(total, _mm512_add_ps(first, second));
                _mm512_storeu_si512(pairs + k / 2 * kQueryBlock + 16 * n, interleave(first, second));
            }
            sum[n] = total;
        }
    }
};

void rescaleRows(float* matrix, int64_t rows, const __m512* factors) {
    for (int64_t r = 0; r < rows; ++r)
        for (int n = 0; n < kVectors; ++n) {
            float* place = matrix + r * kQueryBlock + 16 * n;
            _mm512_storeu_ps(place, _mm512_mul_ps(_mm512_loadu_ps(place), factors[n]));
        }
}

/// Writes a tile [headSize, 64] as tokens of a strided output.
void storeTransposed(const float* tile, const HeadedOutput& output, int64_t pair, const AttentionShape& shape,
                     int64_t firstQuery, int64_t count) {
    uint16_t* begin =
        output.data + pair / shape.heads * output.batchStride + pair % shape.heads * output.headStride;
    for (int64_t t = 0; t < count; ++t)
        for (int64_t c = 0; c < shape.headSize; ++c)
            begin[(firstQuery + t) * output.tokenStride + c] = toBfloat16(tile[c * kQueryBlock + t]);
}

void forwardPair(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                 const HeadedInput& v, const HeadedOutput& output, float* logSumExp, int64_t pair) {
    const int64_t paddedQueries = roundUp(shape.queries, kQueryBlock);
    const int64_t paddedKeys = roundUp(shape.keys, kKeyBlock);
    PackedHead queries(q, pair, shape.heads, shape.queries, shape.headSize, paddedQueries);
    PackedHead keys(k, pair, shape.heads, shape.keys, shape.headSize, paddedKeys);
    PackedHead values(v, pair, shape.heads, shape.keys, shape.headSize, paddedKeys);
    std::vector<float> scores(kKeyBlock * kQueryBlock);
    std::vector<uint32_t> pairs(kKeyBlock / 2 * kQueryBlock);
    std::vector<float> tile(shape.headSize * kQueryBlock);
    const int64_t headPairs = shape.headSize / 2;

    for (int64_t i = 0; i < shape.queries; i += kQueryBlock) {
        OnlineSoftmax softmax;
        std::fill(tile.begin(), tile.end(), 0.0f);
        for (int64_t j = 0; j < shape.keys; j += kKeyBlock) {
            const int64_t count = std::min(kKeyBlock, shape.keys - j);
            pairProduct(keys.rows(j), queries.headPairs(i), count, kQueryBlock, headPairs, scores.data(),
                        kQueryBlock, false);
            __m512 rescale[kVectors];
            softmax.absorb(scores.data(), count, shape.scale * kLog2E, pairs.data(), rescale);
            rescaleRows(tile.data(), shape.headSize, rescale);
            pairProduct(values.transposed(j), {pairs.data(), kQueryBlock}, shape.headSize, kQueryBlock,
                        (count + 1) / 2, tile.data(), kQueryBlock, true);
        }
        __m512 inverse[kVectors];
        alignas(64) float sums[kQueryBlock];
        alignas(64) float maxima[kQueryBlock];
        for (int n = 0; n < kVectors; ++n) {
            inverse[n] = _mm512_div_ps(_mm512_set1_ps(1.0f), softmax.sum[n]);
            _mm512_store_ps(sums + 16 * n, softmax.sum[n]);
            _mm512_store_ps(maxima + 16 * n, softmax.maximum[n]);
        }
        rescaleRows(tile.data(), shape.headSize, inverse);
        const int64_t count = std::min(kQueryBlock, shape.queries - i);
        storeTransposed(tile.data(), output, pair, shape, i, count);
        for (int64_t t = 0; t < count; ++t)
            logSumExp[pair * shape.queries + i + t] = maxima[t] / kLog2E + std::log(sums[t]);
    }
}

/// The part of the backward that belongs to one block of queries: log-sum-exp (in powers of two) and
/// sum(gradOutput * output), a query in each lane.
struct QueryFacts {
    alignas(64) float logSum[kQueryBlock];
    alignas(64) float delta[kQueryBlock];
};

QueryFacts queryFacts(const AttentionShape& shape, const PackedHead& output, const PackedHead& gradOutput,
                      const float* logSumExp, int64_t firstQuery) {
    QueryFacts facts;
    for (int64_t t = 0; t < kQueryBlock; ++t) {
        const bool inside = firstQuery + t < shape.queries;
        // An infinite log-sum gives probability zero to the padding.
        facts.logSum[t] =
            inside ? logSumExp[firstQuery + t] * kLog2E : std::numeric_limits<float>::infinity();
        float sum = 0.0f;
        for (int64_t c = 0; inside && c < shape.headSize; ++c)
            sum += toFloat(output.token(firstQuery + t)[c]) * toFloat(gradOutput.token(firstQuery + t)[c]);
        facts.delta[t] = sum;
    }
    return facts;
}

struct BackwardTiles {
    std::vector<float> scores = std::vector<float>(kKeyBlock * kQueryBlock);
    std::vector<float> gradScores = std::vector<float>(kKeyBlock * kQueryBlock);
    std::vector<uint16_t> probabilities = std::vector<uint16_t>(kKeyBlock * kQueryBlock); // [keys, queries]
    std::vector<uint16_t> scoreRows = std::vector<uint16_t>(kKeyBlock * kQueryBlock);     // [keys, queries]
    std::vector<uint32_t> scorePairs = std::vector<uint32_t>(kKeyBlock / 2 * kQueryBlock);
};

/// From scores and gradients of probabilities [keys, 64] to P and dS in the orders of the products.
void probabilitiesAndGradients(BackwardTiles& tiles, int64_t keys, const QueryFacts& facts, float scale) {
    const __m512 factor = _mm512_set1_ps(scale * kLog2E);
    const __m512 scaling = _mm512_set1_ps(scale);
    for (int n = 0; n < kVectors; ++n) {
        const __m512 logSum = _mm512_load_ps(facts.logSum + 16 * n);
        const __m512 delta = _mm512_load_ps(facts.delta + 16 * n);
        for (int64_t k = 0; k < keys; k += 2) {
            __m512 gradient[2];
            for (int64_t row = 0; row < 2; ++row) {
                const int64_t place = (k + row) * kQueryBlock + 16 * n;
                if (k + row >= keys) { // an odd last key: its partner contributes nothing
                    gradient[row] = _mm512_setzero_ps();
                    continue;
                }
                const __m512 score = _mm512_loadu_ps(&tiles.scores[place]);
                const __m512 p = exp2(_mm512_fmsub_ps(factor, score, logSum));
                const __m512 gradP = _mm512_loadu_ps(&tiles.gradScores[place]);
                gradient[row] = _mm512_mul_ps(_mm512_mul_ps(p, _mm512_sub_ps(gradP, delta)), scaling);
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(&tiles.probabilities[place]),
                                    (__m256i)_mm512_cvtneps_pbh(p));
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(&tiles.scoreRows[place]),
                                    (__m256i)_mm512_cvtneps_pbh(gradient[row]));
            }
            _mm512_storeu_si512(&tiles.scorePairs[k / 2 * kQueryBlock + 16 * n],
                                interleave(gradient[0], gradient[1]));
        }
    }
}

void storeRows(const std::vector<float>& matrix, int64_t width, const HeadedOutput& output, int64_t pair,
               const AttentionShape& shape) {
    uint16_t* begin =
        output.data + pair / shape.heads * output.batchStride + pair % shape.heads * output.headStride;
    for (int64_t t = 0; t < shape.keys; ++t)
        for (int64_t c = 0; c < shape.headSize; ++c)
            begin[t * output.tokenStride + c] = toBfloat16(matrix[t * width + c]);
}

PairMatrix asPairs(const std::vector<uint16_t>& tile) {
    return {reinterpret_cast<const uint32_t*>(tile.data()), kQueryBlock / 2};
}

void backwardPair(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                  const HeadedInput& v, const HeadedInput& output, const HeadedInput& gradOutput,
                  const float* logSumExp, const AttentionGradients& gradients, int64_t pair) {
    const int64_t paddedQueries = roundUp(shape.queries, kQueryBlock);
    const int64_t paddedKeys = roundUp(shape.keys, kKeyBlock);
    const auto pack = [&](const HeadedInput& source, int64_t tokens, int64_t padded) {
        return PackedHead(source, pair, shape.heads, tokens, shape.headSize, padded);
    };
    PackedHead queries = pack(q, shape.queries, paddedQueries);
    PackedHead keys = pack(k, shape.keys, paddedKeys);
    const PackedHead values = pack(v, shape.keys, paddedKeys);
    const PackedHead outputs = pack(output, shape.queries, paddedQueries);
    PackedHead gradOutputs = pack(gradOutput, shape.queries, paddedQueries);
    const int64_t width = queries.width();
    std::vector<float> gradKeys(paddedKeys * width), gradValues(paddedKeys * width);
    std::vector<float> gradQueries(shape.headSize * kQueryBlock);
    BackwardTiles tiles;

    for (int64_t i = 0; i < shape.queries; i += kQueryBlock) {
        const QueryFacts facts = queryFacts(shape, outputs, gradOutputs, logSumExp + pair * shape.queries, i);
        for (int64_t j = 0; j < shape.keys; j += kKeyBlock) {
            const int64_t count = std::min(kKeyBlock, shape.keys - j);
            pairProduct(keys.rows(j), queries.headPairs(i), count, kQueryBlock, shape.headSize / 2,
                        tiles.scores.data(), kQueryBlock, false);
            pairProduct(values.rows(j), gradOutputs.headPairs(i), count, kQueryBlock, shape.headSize / 2,
                        tiles.gradScores.data(), kQueryBlock, false);
            probabilitiesAndGradients(tiles, count, facts, shape.scale);
            pairProduct(asPairs(tiles.probabilities), gradOutputs.tokenPairs(i), count, width,
                        kQueryBlock / 2, &gradValues[j * width], width, true);
            pairProduct(asPairs(tiles.scoreRows), queries.tokenPairs(i), count, width, kQueryBlock / 2,
                        &gradKeys[j * width], width, true);
            pairProduct(keys.transposed(j), {tiles.scorePairs.data(), kQueryBlock}, shape.headSize,
                        kQueryBlock, (count + 1) / 2, gradQueries.data(), kQueryBlock, j > 0);
        }
        const int64_t stored = std::min(kQueryBlock, shape.queries - i);
        storeTransposed(gradQueries.data(), gradients.q, pair, shape, i, stored);
    }
    storeRows(gradKeys, width, gradients.k, pair, shape);
    storeRows(gradValues, width, gradients.v, pair, shape);
}

} // namespace

void flashAttentionForward(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                           const HeadedInput& v, const HeadedOutput& output, float* logSumExp, int64_t first,
                           int64_t last) {
    for (int64_t pair = first; pair < last; ++pair) forwardPair(shape, q, k, v, output, logSumExp, pair);
}

void flashAttentionBackward(const AttentionShape& shape, const HeadedInput& q, const HeadedInput& k,
                            const HeadedInput& v, const HeadedInput& output, const HeadedInput& gradOutput,
                            const float* logSumExp, const AttentionGradients& gradients, int64_t first,
                            int64_t last) {
    for (int64_t pair = first; pair < last; ++pair)
        backwardPair(shape, q, k, v, output, gradOutput, logSumExp, gradients, pair);
}

} // namespace homebooth::kernels
