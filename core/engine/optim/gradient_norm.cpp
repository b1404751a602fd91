// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_norm.h"

#include "core/engine/optim/memory_order.h"
#include "kernels/reduce/sum_of_squares.h"

#include <numeric>
#include <vector>

namespace homebooth::core {

double squaredNorm(const at::Tensor& gradient, double before) {
    if (gradient.is_meta()) return before; // a rehearsal: there are no numbers
    // Torch's own reduction in fp64 is repeatable on one GPU, but adds in another order than the CPU does.
    if (!gradient.is_cpu()) return before + at::sum(at::square(gradient.to(at::kDouble))).item<double>();
    const at::Tensor flat = flatAlias(gradient);
    const kernels::NumberType type = numberType(flat);
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
