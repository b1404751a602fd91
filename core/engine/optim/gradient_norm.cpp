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

int64_t sumBlocksOf(const at::Tensor& flat) {
    return (flat.numel() + kernels::kSumBlock - 1) / kernels::kSumBlock;
}

/// The sums of the blocks of some gradients, one behind the other, to the host, which waits once. Those
/// of a rehearsal take their memory and have no numbers. Shapes: each flat, on one device
std::vector<double> sumsOnDevice(at::TensorList gradients) {
    int64_t count = 0;
    for (const at::Tensor& flat : gradients) count += sumBlocksOf(flat);
    std::vector<double> partial(static_cast<size_t>(count));
    const at::Tensor sums = at::empty({count}, gradients.front().options().dtype(at::kDouble));
    if (sums.is_meta()) return partial;
    double* to = sums.mutable_data_ptr<double>();
    for (const at::Tensor& flat : gradients) {
        TORCH_CHECK(flat.device() == sums.device(), "gradients lie on ", flat.device(), " and on ",
                    sums.device());
        launchOnGpu(flat.device(), [&](void* stream) {
            return kernels::launchSumsOfSquares(flat.const_data_ptr(), numberTypeOf(flat.scalar_type()),
                                                flat.numel(), to, stream);
        });
        to += sumBlocksOf(flat);
    }
    at::from_blob(partial.data(), sums.sizes(), at::kDouble).copy_(sums);
    return partial;
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
    std::vector<double> partial;
    if (flat.is_cpu()) {
        partial.resize(static_cast<size_t>(sumBlocksOf(flat)));
        sumBlocks(flat, partial);
    } else {
        partial = sumsOnDevice(flat);
    }
    return std::accumulate(partial.begin(), partial.end(), before); // of a rehearsal: zeros
}

void SquaredNorms::add(const at::Tensor& gradient) {
    if (gradient.is_cpu())
        add(squaredNorm(gradient));
    else
        m_terms.push_back({0.0, flatAlias(gradient)});
}

double SquaredNorms::sum() const {
    std::vector<at::Tensor> onDevice;
    for (const Term& term : m_terms)
        if (term.onDevice.defined()) onDevice.push_back(term.onDevice);
    std::vector<double> partial;
    if (!onDevice.empty()) partial = sumsOnDevice(onDevice);
    auto next = partial.begin();
    double sum = 0.0;
    for (const Term& term : m_terms) {
        const auto begin = next;
        if (term.onDevice.defined()) next += sumBlocksOf(term.onDevice);
        sum += std::accumulate(begin, next, term.squared);
    }
    return sum;
}

} // namespace homebooth::core
