// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/guidance_halves.h"

#include <ATen/ATen.h>

namespace homebooth::core {

GuidanceHalves::GuidanceHalves(const Ranks& pair)
    : m_pair(pair) {
    TORCH_CHECK(pair.count() == 2, "expected two ranks for the halves of guidance, found ", pair.count());
}

at::Tensor GuidanceHalves::both(const at::Tensor& own) const {
    const at::Tensor shard = own.to(at::kCPU, at::kFloat).contiguous();
    std::vector<int64_t> shape = shard.sizes().vec();
    shape[0] *= 2;
    const at::Tensor whole = at::empty(shape, at::kFloat);
    Collective& collective = m_pair.collective();
    collective.wait(collective.allGather(whole, shard));
    return whole.to(own.device());
}

} // namespace homebooth::core
