// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW by AVX-512.
#include "kernels/optim/adamw_vector.h"
#include "kernels/simd/avx512.h"

namespace homebooth::kernels {

void adamWAvx512(const AdamWRange& range, const AdamWStep& step, const RandomStream& random) {
    adamWVectorised<Avx512>(range, step, random);
}

} // namespace homebooth::kernels
