// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/gradient_norm.h"

#include "core/engine/nn/number_type.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "kernels/reduce/sum_of_squares.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace homebooth::core {
namespace {

/// The sums of its blocks, to the host. Those of a rehearsal take their memory and have no numbers.
void sumBlocksOnDevice(const at::Tensor& flat, std::vector<double>& partial) {
    const at::Tensor sums =
        at::empty({static_cast<int64_t>(partial.size())}, flat.options().dtype(at::kDouble));
    if (flat.is_meta()) return;
    launchOnGpu(flat.device(), [&](void* stream) {
        return kernels::launchSumsOfSquares(flat.const_data_ptr(), numberTypeOf(flat.scalar_type()),
                                            flat.numel(), sums.mutable_data_ptr<double>(), stream);
    });
    at::from_blob(partial.data(), sums.sizes(), at::kDouble).copy_(sums);
}

void sumBlocks(const at::Tensor& flat, std::vector<double>& partial) {
    const kernels::NumberType type = numberTypeOf(flat.scalar_type());
    const auto* bytes = static_cast<const char*>(flat.const_data_ptr());
    parallelOver(flat.numel(), kernels::kSumBlock, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; at += kernels::kSumBlock)
            partial[at / kernels::kSumBlock] = kernels::sumOfSquares(
                bytes + at * kernels::bytesOf(type), type, std::min(kernels::kSumBlock, end - at));
    });
}

} // namespace

double squaredNorm(const at::Tensor& gradient, double before) {
    const at::Tensor flat = flatAlias(gradient);
    std::vector<double> partial((flat.numel() + kernels::kSumBlock - 1) / kernels::kSumBlock);
    if (flat.is_cpu())
        sumBlocks(flat, partial);
    else
        sumBlocksOnDevice(flat, partial);
    return std::accumulate(partial.begin(), partial.end(), before); // of a rehearsal: zeros
}

} // namespace homebooth::core
