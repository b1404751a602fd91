// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_norm.h"

#include "core/engine/nn/number_type.h"
#include "core/engine/optim/memory_order.h"
#include "kernels/reduce/sum_of_squares.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace homebooth::core {

namespace {

/// By Torch's own reduction in fp64: repeatable on one GPU, but in another order than the CPU adds in. A
/// stretch at a time, since each takes 16 bytes an element meanwhile, while all gradients rest.
at::Tensor sumOnDevice(const at::Tensor& flat) {
    constexpr int64_t kStretch = int64_t{1} << 20;
    at::Tensor sum = at::zeros({}, flat.options().dtype(at::kDouble));
    for (int64_t begin = 0; begin < flat.numel(); begin += kStretch) {
        const int64_t count = std::min(kStretch, flat.numel() - begin);
        sum.add_(at::sum(at::square(flat.narrow(0, begin, count).to(at::kDouble))));
    }
    return sum;
}

} // namespace

double squaredNorm(const at::Tensor& gradient, double before) {
    if (!gradient.is_cpu()) {
        const at::Tensor sum = sumOnDevice(flatAlias(gradient));
        return gradient.is_meta() ? before : before + sum.item<double>(); // a rehearsal has no numbers
    }
    const at::Tensor flat = flatAlias(gradient);
    const kernels::NumberType type = numberTypeOf(flat.scalar_type());
    const auto* bytes = static_cast<const char*>(flat.const_data_ptr());
    const int64_t count = flat.numel();
    std::vector<double> partial((count + kernels::kSumBlock - 1) / kernels::kSumBlock);
    parallelOver(count, kernels::kSumBlock, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; at += kernels::kSumBlock)
            partial[at / kernels::kSumBlock] = kernels::sumOfSquares(
                bytes + at * kernels::bytesOf(type), type, std::min(kernels::kSumBlock, end - at));
    });
    return std::accumulate(partial.begin(), partial.end(), before);
}

} // namespace homebooth::core
