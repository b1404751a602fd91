// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/graph/kept_products.h"

#include <ATen/core/grad_mode.h>

namespace homebooth::core {

bool mayOverwrite(const at::Tensor& x) {
    return !at::GradMode::is_enabled() && x.use_count() == 1 && x.storage().use_count() == 1;
}

} // namespace homebooth::core
