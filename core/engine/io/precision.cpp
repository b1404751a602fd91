// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/io/precision.h"

namespace homebooth::core {

at::ScalarType scalarTypeOf(Precision precision) {
    switch (precision) {
    case Precision::Fp16:
        return at::kHalf;
    case Precision::Bf16:
        return at::kBFloat16;
    case Precision::Fp32:
        break;
    }
    return at::kFloat;
}

} // namespace homebooth::core
