// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The vector variants of AdamW over whole groups of 64 elements, as a template over the lane type S.
// Included once by the file of each instruction set; beginning and end of a range go to the scalar variant.
#pragma once

#include "kernels/optim/adamw_element.h"

namespace homebooth::kernels {

/// The buffers of a range.
template <class P, class G, class M>
struct AdamWBuffers {
    P* parameter;
    const G* gradient;
    M* first;
    M* second;
    float* master;

    explicit AdamWBuffers(const AdamWRange& range)
        : parameter(static_cast<P*>(range.parameter))
        , gradient(static_cast<const G*>(range.gradient))
        , first(static_cast<M*>(range.firstMoment))
        , second(static_cast<M*>(range.secondMoment))
        , master(range.master) {}
};

/// S::kWidth elements at `i` of the buffers.
template <class S, class Form, class Buffers>
HOMEBOOTH_INLINE void adamWVector(const Buffers& to, int64_t i, const AdamWStep& step,
                                  typename S::Int random) {
    typename S::Float m = S::load(to.first + i);
    typename S::Float v = S::load(to.second + i);
    typename S::Float p;
    if constexpr (Form::kMaster)
        p = S::load(to.master + i);
    else
        p = S::load(to.parameter + i);
    p = adamWElement<S>(p, S::load(to.gradient + i), m, v, step);
    S::store(to.first + i, m);
    if constexpr (Form::kStochastic)
        S::store(to.second + i, v, S::upperHalf(random));
    else
        S::store(to.second + i, v);
    if constexpr (Form::kMaster) S::store(to.master + i, p);
    if constexpr (Form::kStochastic && !Form::kMaster)
        S::store(to.parameter + i, p, random);
    else
        S::store(to.parameter + i, p);
}

/// `count` elements from `begin` of the range on; both whole groups of the parameter.
template <class S, class Form, class P, class G, class M>
void adamWGroups(const AdamWRange& range, int64_t begin, int64_t count, const AdamWStep& step,
                 const RandomStream& random) {
    const AdamWBuffers<P, G, M> buffers(range);
    for (int64_t group = begin; group < begin + count; group += kRandomGroup) {
        for (int64_t lane = 0; lane < kCountersPerGroup; lane += S::kWidth) {
            typename S::Int words[4] = {};
            if constexpr (Form::kStochastic)
                S::random(random, counterOf(range.firstElement + group) + lane, words);
            for (int64_t word = 0; word < 4; ++word)
                adamWVector<S, Form>(buffers, group + word * kCountersPerGroup + lane, step, words[word]);
        }
    }
}

/// The same for the form that a range has.
template <class S, bool kMaster, class P, class G, class M>
void adamWFormOf(const AdamWRange& range, int64_t begin, int64_t count, const AdamWStep& step,
                 const RandomStream& random) {
    if (needsRandom(range))
        adamWGroups<S, AdamWForm<kMaster, true>, P, G, M>(range, begin, count, step, random);
    else
        adamWGroups<S, AdamWForm<kMaster, false>, P, G, M>(range, begin, count, step, random);
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
            if (range.master != nullptr)
                adamWFormOf<S, true, P, G, M>(range, head, body, step, random);
            else
                adamWFormOf<S, false, P, G, M>(range, head, body, step, random);
        });
    }
    if (tail > 0) adamWScalar(slice(range, head + body, tail), step, random);
}

} // namespace homebooth::kernels
