// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector variants of AdamW over whole groups of 64 elements, as a template over the lane type S.
// Included once by the file of each instruction set; beginning and end of a range go to the scalar variant.
#pragma once

#include "kernels/optim/adamw_element.h"

namespace homebooth::kernels {

/// S::kWidth elements at `i` of the buffers.
template <class S, class P, class G, class M, bool kStochastic>
HOMEBOOTH_INLINE void adamWVector(P* parameter, const G* gradient, M* first, M* second, int64_t i,
                                  const AdamWStep& step, typename S::Int random) {
    typename S::Float m = S::load(first + i);
    typename S::Float v = S::load(second + i);
    const typename S::Float p = adamWElement<S>(S::load(parameter + i), S::load(gradient + i), m, v, step);
    S::store(first + i, m);
    if constexpr (kStochastic) {
        S::store(second + i, v, S::upperHalf(random));
        S::store(parameter + i, p, random);
    } else {
        S::store(second + i, v);
        S::store(parameter + i, p);
    }
}

/// `count` elements from `begin` of the range on; both whole groups of the parameter.
template <class S, class P, class G, class M, bool kStochastic>
void adamWGroups(const AdamWRange& range, int64_t begin, int64_t count, const AdamWStep& step,
                 const RandomStream& random) {
    auto* parameter = static_cast<P*>(range.parameter);
    const auto* gradient = static_cast<const G*>(range.gradient);
    auto* first = static_cast<M*>(range.firstMoment);
    auto* second = static_cast<M*>(range.secondMoment);
    for (int64_t group = begin; group < begin + count; group += kRandomGroup) {
        for (int64_t lane = 0; lane < kCountersPerGroup; lane += S::kWidth) {
            typename S::Int words[4] = {};
            if constexpr (kStochastic) S::random(random, counterOf(range.firstElement + group) + lane, words);
            for (int64_t word = 0; word < 4; ++word)
                adamWVector<S, P, G, M, kStochastic>(parameter, gradient, first, second,
                                                     group + word * kCountersPerGroup + lane, step,
                                                     words[word]);
        }
    }
}

template <class S>
void adamWVectorised(const AdamWRange& range, const AdamWStep& step, const RandomStream& random) {
    int64_t head = (kRandomGroup - range.firstElement % kRandomGroup) % kRandomGroup;
    if (head > range.count) head = range.count;
    const int64_t body = (range.count - head) / kRandomGroup * kRandomGroup;
    const int64_t tail = range.count - head - body;
    if (head > 0) adamWScalar(slice(range, 0, head), step, random);
    if (body > 0) {
        visitAdamWTypes(range, [&](auto parameter, auto gradient, auto moment) {
            using P = decltype(parameter);
            using G = decltype(gradient);
            using M = decltype(moment);
            if (needsRandom(range)) {
                adamWGroups<S, P, G, M, true>(range, head, body, step, random);
            } else {
                adamWGroups<S, P, G, M, false>(range, head, body, step, random);
            }
        });
    }
    if (tail > 0) adamWScalar(slice(range, head + body, tail), step, random);
}

} // namespace homebooth::kernels
