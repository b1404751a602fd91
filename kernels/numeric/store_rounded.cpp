// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/numeric/store_rounded.h"

#include "kernels/simd/scalar.h"

namespace homebooth::kernels {
namespace {

template <class T>
void store(const float* from, T* to, int64_t firstElement, int64_t count, const RandomStream& random) {
    const int64_t firstGroup = firstElement / kRandomGroup * kRandomGroup;
    for (int64_t group = firstGroup; group < firstElement + count; group += kRandomGroup) {
        for (int64_t lane = 0; lane < kCountersPerGroup; ++lane) {
            const PhiloxBlock words = philox(streamCounter(random, counterOf(group + lane)), random.seed);
            for (int word = 0; word < 4; ++word) {
                const int64_t i = group + word * kCountersPerGroup + lane - firstElement;
                if (i >= 0 && i < count) Scalar::store(to + i, from[i], words.word[word]);
            }
        }
    }
}

} // namespace

void storeRounded(const float* from, void* to, NumberType type, int64_t firstElement, int64_t count,
                  const RandomStream& random) {
    switch (type) {
    case NumberType::Float32:
        memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
        return;
    case NumberType::Bf16:
        store(from, static_cast<Bf16*>(to), firstElement, count, random);
        return;
    case NumberType::Half:
        store(from, static_cast<Half*>(to), firstElement, count, random);
        return;
    }
}

} // namespace homebooth::kernels
