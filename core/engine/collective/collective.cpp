// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/collective.h"

#include <ATen/ATen.h>

namespace homebooth::core {

void Collective::barrier() {
    const at::Tensor present = at::ones({1}, at::kLong);
    wait(allReduce(present));
    TORCH_CHECK(present.item<int64_t>() == ranks(), "a barrier of ", ranks(), " ranks counted ",
                present.item<int64_t>());
}

} // namespace homebooth::core
