// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The arithmetic of AdamW, written once for every lane type, and the dispatch over number types.
// Included by the variants of adamw and adamw8bit only.
#pragma once

#include "kernels/optim/adamw.h"

namespace homebooth::kernels {

/// One element (or vector of elements): updates the moments and returns the new parameter.
/// Order of torch.optim.AdamW: lerp, addcmul, sqrt / root + epsilon, addcdiv.
template <class S>
HOMEBOOTH_INLINE typename S::Float adamWElement(typename S::Float parameter, typename S::Float gradient,
                                                typename S::Float& first, typename S::Float& second,
                                                const AdamWStep& step) {
    gradient = gradient * S::broadcast(step.gradientScale);
    parameter = parameter * S::broadcast(step.decay);
    first = first + S::broadcast(step.oneMinusBeta1) * (gradient - first);
    second = second * S::broadcast(step.beta2) + S::broadcast(step.oneMinusBeta2) * gradient * gradient;
    const typename S::Float denominator =
        S::squareRoot(second) / S::broadcast(step.biasCorrection2Root) + S::broadcast(step.epsilon);
    return parameter + S::broadcast(step.negativeStepSize) * first / denominator;
}

/// Calls visit.template operator()<P, G, M>() with the types of a range.
template <class Visit>
void visitAdamWTypes(const AdamWRange& range, Visit&& visit) {
    const auto withMoment = [&](auto parameter, auto gradient) {
        if (range.momentType == NumberType::Float32) {
            visit(parameter, gradient, float{});
        } else {
            visit(parameter, gradient, Bf16{});
        }
    };
    const auto withGradient = [&](auto parameter) {
        switch (range.gradientType) {
        case NumberType::Float32:
            return withMoment(parameter, float{});
        case NumberType::Bf16:
            return withMoment(parameter, Bf16{});
        case NumberType::Half:
            return withMoment(parameter, Half{});
        }
    };
    switch (range.parameterType) {
    case NumberType::Float32:
        return withGradient(float{});
    case NumberType::Bf16:
        return withGradient(Bf16{});
    case NumberType::Half:
        return withGradient(Half{});
    }
}

/// Which number a step is added to, and who is rounded stochastically.
template <bool kWithMaster, bool kWithRandom>
struct AdamWForm {
    static constexpr bool kMaster = kWithMaster;
    static constexpr bool kStochastic = kWithRandom;
};

/// Whether a range needs random bits at all.
HOMEBOOTH_INLINE bool needsRandom(const AdamWRange& range) {
    return range.stochastic && ((range.parameterType != NumberType::Float32 && range.master == nullptr) ||
                                range.momentType != NumberType::Float32);
}

} // namespace homebooth::kernels
