// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// AdamW by AVX2.
#include "kernels/optim/adamw_vector.h"
#include "kernels/simd/avx2.h"

namespace homebooth::kernels {

void adamWAvx2(const AdamWRange& range, const AdamWStep& step, const RandomStream& random) {
    adamWVectorised<Avx2>(range, step, random);
}

} // namespace homebooth::kernels
