// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The scalar reference of AdamW, and the choice of a variant.
#include "kernels/optim/adamw.h"

#include "kernels/cpu/features.h"
#include "kernels/optim/adamw_scalar.h"

#include <algorithm>
#include <cmath>

namespace homebooth::kernels {
namespace {

/// Elements of [first, first + count) that share one counter: up to four, 16 apart.
template <class P, class G, class M>
void adamWOneCounter(const AdamWRange& range, int64_t group, int64_t lane, const AdamWStep& step,
                     const RandomStream& random, bool stochastic) {
    auto* parameter = static_cast<P*>(range.parameter);
    const auto* gradient = static_cast<const G*>(range.gradient);
    auto* first = static_cast<M*>(range.firstMoment);
    auto* second = static_cast<M*>(range.secondMoment);
    PhiloxBlock words = {};
    if (stochastic) words = philox(streamCounter(random, counterOf(group + lane)), random.seed);
    for (int word = 0; word < 4; ++word) {
        const int64_t i = group + word * kCountersPerGroup + lane - range.firstElement;
        if (i < 0 || i >= range.count) continue;
        float m = Scalar::load(first + i);
        float v = Scalar::load(second + i);
        const float p = adamWElement<Scalar>(loadParameter(parameter, range.master, i),
                                             Scalar::load(gradient + i), m, v, step);
        Scalar::store(first + i, m);
        if (stochastic)
            Scalar::store(second + i, v, Scalar::upperHalf(words.word[word]));
        else
            Scalar::store(second + i, v);
        storeParameter(parameter, range.master, i, p, stochastic, words.word[word]);
    }
}

int64_t floorToGroup(int64_t element) {
    return element / kRandomGroup * kRandomGroup;
}

/// A buffer that a caller does not use stays null.
void* advance(void* pointer, int64_t elements, NumberType type) {
    if (pointer == nullptr) return nullptr;
    return static_cast<char*>(pointer) + elements * bytesOf(type);
}

} // namespace

AdamWStep adamWStep(int64_t step, double learningRate, double beta1, double beta2, double epsilon,
                    double weightDecay, double gradientScale) {
    const double power = static_cast<double>(step);
    AdamWStep result;
    result.gradientScale = static_cast<float>(gradientScale);
    result.decay = static_cast<float>(1.0 - learningRate * weightDecay);
    result.beta2 = static_cast<float>(beta2);
    result.oneMinusBeta1 = static_cast<float>(1.0 - beta1);
    result.oneMinusBeta2 = static_cast<float>(1.0 - beta2);
    result.biasCorrection2Root = static_cast<float>(std::sqrt(1.0 - std::pow(beta2, power)));
    result.epsilon = static_cast<float>(epsilon);
    result.negativeStepSize = static_cast<float>(-(learningRate / (1.0 - std::pow(beta1, power))));
    return result;
}

AdamWRange slice(const AdamWRange& range, int64_t offset, int64_t count) {
    AdamWRange part = range;
    part.parameter = advance(range.parameter, offset, range.parameterType);
    part.gradient = static_cast<const char*>(range.gradient) + offset * bytesOf(range.gradientType);
    part.firstMoment = advance(range.firstMoment, offset, range.momentType);
    part.secondMoment = advance(range.secondMoment, offset, range.momentType);
    part.master = static_cast<float*>(advance(range.master, offset, NumberType::Float32));
    part.firstElement = range.firstElement + offset;
    part.count = count;
    return part;
}

void adamWScalar(const AdamWRange& range, const AdamWStep& step, const RandomStream& random) {
    const bool stochastic = needsRandom(range);
    visitAdamWTypes(range, [&](auto parameter, auto gradient, auto moment) {
        const int64_t end = range.firstElement + range.count;
        for (int64_t group = floorToGroup(range.firstElement); group < end; group += kRandomGroup)
            for (int64_t lane = 0; lane < kCountersPerGroup; ++lane)
                adamWOneCounter<decltype(parameter), decltype(gradient), decltype(moment)>(
                    range, group, lane, step, random, stochastic);
    });
}

void adamW(const AdamWRange& range, const AdamWStep& step, const RandomStream& random) {
    if (cpuFeatures().avx512) {
        adamWAvx512(range, step, random);
    } else if (cpuFeatures().avx2) {
        adamWAvx2(range, step, random);
    } else {
        adamWScalar(range, step, random);
    }
}

} // namespace homebooth::kernels
