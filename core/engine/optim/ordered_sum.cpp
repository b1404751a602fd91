// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/ordered_sum.h"

#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace homebooth::core {
namespace {

/// Elements of work that a cut between threads is made for.
constexpr int64_t kElementsPerCut = 4096;

/// The sums of groups of 64. @param launch, compute  of all sums, or of some rows of them
template <class Launch, class Compute>
at::Tensor sumsOfGroups(const at::Tensor& values, const kernels::SummedSides& sides, const Launch& launch,
                        const Compute& compute) {
    const int64_t rows = sides.outer * sides.groups();
    const at::Tensor sums = at::empty({rows * sides.inner}, values.options().dtype(at::kDouble));
    if (sums.is_meta()) return sums; // a rehearsal: there are no numbers
    auto* to = sums.mutable_data_ptr<double>();
    if (sums.is_cuda()) {
        launchOnGpu(sums.device(), [&](void* stream) { return launch(to, stream); });
        return sums;
    }
    const int64_t perRow = sides.inner * std::min(sides.count, kernels::kSumGroup);
    parallelOverRows(rows, perRow, [&](int64_t begin, int64_t end) { compute(begin, end, to); });
    return sums;
}

at::Tensor sumsOfValues(const at::Tensor& values, kernels::Summed what, const kernels::SummedSides& sides) {
    const float* from = values.is_meta() ? nullptr : values.const_data_ptr<float>();
    return sumsOfGroups(
        values, sides,
        [&](double* to, void* stream) { return kernels::launchGroupSums(from, what, sides, to, stream); },
        [&](int64_t begin, int64_t end, double* to) {
            kernels::groupSums(from, what, sides, begin, end, to);
        });
}

at::Tensor sumsOfSums(const at::Tensor& sums, const kernels::SummedSides& sides) {
    const double* from = sums.is_meta() ? nullptr : sums.const_data_ptr<double>();
    return sumsOfGroups(
        sums, sides,
        [&](double* to, void* stream) { return kernels::launchGroupSums(from, sides, to, stream); },
        [&](int64_t begin, int64_t end, double* to) { kernels::groupSums(from, sides, begin, end, to); });
}

} // namespace

void parallelOverRows(int64_t rows, int64_t perRow, const std::function<void(int64_t, int64_t)>& work) {
    const int64_t unit = std::max<int64_t>(kElementsPerCut / perRow, 1) * perRow;
    parallelOver(rows * perRow, unit,
                 [&](int64_t begin, int64_t end) { work(begin / perRow, end / perRow); });
}

at::Tensor sumAlong(const at::Tensor& values, int64_t side, kernels::Summed what) {
    TORCH_CHECK(values.scalar_type() == at::kFloat && values.is_contiguous(),
                "sums are made of contiguous fp32, not of ", values.scalar_type(), " with strides ",
                values.strides());
    const int64_t summed = side < 0 ? side + values.dim() : side;
    TORCH_CHECK(summed >= 0 && summed < values.dim(), "side ", side, " of ", values.dim(),
                " cannot be summed");
    std::vector<int64_t> sizes = values.sizes().vec();
    const auto sizeOf = [&](auto begin, auto end) {
        return std::accumulate(begin, end, int64_t{1}, std::multiplies<>());
    };
    const auto place = sizes.begin() + summed;
    kernels::SummedSides sides{sizeOf(sizes.begin(), place), *place, sizeOf(place + 1, sizes.end())};
    TORCH_CHECK(sides.count > 0, "a side without elements has no sum");
    at::Tensor sums = sumsOfValues(values, what, sides);
    while (sides.groups() > 1) {
        sides.count = sides.groups();
        sums = sumsOfSums(sums, sides);
    }
    sizes.erase(place);
    return sums.view(sizes);
}

} // namespace homebooth::core
