// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/optim/rounding.h"

#include "core/engine/nn/number_type.h"
#include "core/engine/optim/adamw.h"
#include "core/engine/optim/memory_order.h"
#include "kernels/numeric/store_rounded.h"

namespace homebooth::core {

void storeRounded(const at::Tensor& parameter, const at::Tensor& exact, const kernels::RandomStream& random,
                  int64_t firstElement) {
    at::Tensor target = flatAlias(parameter);
    const at::Tensor source = flatAlias(exact).to(parameter.device());
    if (target.scalar_type() == at::kFloat) {
        target.copy_(source);
        return;
    }
    if (target.is_meta()) return; // a rehearsal: there are no numbers
    const kernels::NumberType type = numberTypeOf(target.scalar_type());
    const auto* from = source.const_data_ptr<float>();
    auto* to = static_cast<char*>(target.data_ptr());
    if (target.is_cuda())
        return launchOnGpu(target.device(), [&](void* stream) {
            return kernels::launchStoreRounded(from, to, type, firstElement, target.numel(), random, stream);
        });
    parallelOver(target.numel(), kernels::kRandomGroup, [&](int64_t begin, int64_t end) {
        kernels::storeRounded(from + begin, to + begin * kernels::bytesOf(type), type, firstElement + begin,
                              end - begin, random);
    });
}

} // namespace homebooth::core
