// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/device_sum.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace homebooth::core {

int64_t stretchElements(int64_t partElements, int64_t elementBytes) {
    constexpr int64_t kStretchBytes = int64_t{16} << 20;
    return std::clamp<int64_t>(partElements, 1, kStretchBytes / elementBytes);
}

at::Tensor sumScratch(const at::Tensor& parts) {
    const at::ScalarType type = parts.scalar_type();
    const at::ScalarType wide = type == at::kDouble || type == at::kLong ? type : at::kFloat;
    return at::empty({parts.size(1)}, parts.options().dtype(wide));
}

void sumOnDevice(const at::Tensor& target, const at::Tensor& parts, const at::Tensor& scratch) {
    const at::NoGradGuard noGrad;
    at::Tensor sum = scratch.narrow(0, 0, parts.size(1));
    sum.copy_(parts.select(0, 0));
    for (int64_t rank = 1; rank < parts.size(0); ++rank) sum.add_(parts.select(0, rank));
    at::Tensor(target).view(-1).copy_(sum);
}

} // namespace homebooth::core
