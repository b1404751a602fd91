// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/rank_sum.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <array>

namespace homebooth::core {
namespace {

constexpr int64_t kBlock = 1024; // elements whose sum stays in the nearest cache

template <class Part, class Sum, class Target>
void sumParts(void* target, const std::vector<const void*>& parts, int64_t count) {
    std::array<Sum, kBlock> sum;
    for (int64_t begin = 0; begin < count; begin += kBlock) {
        const int64_t length = std::min(kBlock, count - begin);
        const Part* first = static_cast<const Part*>(parts.front()) + begin;
        for (int64_t i = 0; i < length; ++i) sum[i] = static_cast<Sum>(first[i]);
        for (size_t rank = 1; rank < parts.size(); ++rank) {
            const Part* next = static_cast<const Part*>(parts[rank]) + begin;
            for (int64_t i = 0; i < length; ++i) sum[i] += static_cast<Sum>(next[i]);
        }
        Target* result = static_cast<Target*>(target) + begin;
        for (int64_t i = 0; i < length; ++i) result[i] = static_cast<Target>(sum[i]);
    }
}

template <class Part>
void sumNarrowParts(void* target, at::ScalarType targetType, const std::vector<const void*>& parts,
                    int64_t count) {
    if (targetType == at::kFloat)
        sumParts<Part, float, float>(target, parts, count);
    else
        sumParts<Part, float, Part>(target, parts, count);
}

} // namespace

void sumInRankOrder(void* target, at::ScalarType targetType, const std::vector<const void*>& parts,
                    at::ScalarType partType, int64_t count) {
    const bool widened = targetType == at::kFloat && (partType == at::kBFloat16 || partType == at::kHalf);
    TORCH_CHECK(targetType == partType || widened, "parts in ", partType, " are not summed in ", targetType);
    switch (partType) {
    case at::kFloat:
        return sumParts<float, float, float>(target, parts, count);
    case at::kBFloat16:
        return sumNarrowParts<c10::BFloat16>(target, targetType, parts, count);
    case at::kHalf:
        return sumNarrowParts<c10::Half>(target, targetType, parts, count);
    case at::kDouble:
        return sumParts<double, double, double>(target, parts, count);
    case at::kLong:
        return sumParts<int64_t, int64_t, int64_t>(target, parts, count);
    default:
        TORCH_CHECK(false, "values in ", partType, " are not summed");
    }
}

} // namespace homebooth::core
