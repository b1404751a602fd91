// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What this processor can do, asked once. Any thread.
#pragma once

namespace homebooth::kernels {

struct CpuFeatures {
    bool avx2 = false;            ///< AVX2 with FMA and F16C
    bool avx512 = false;          ///< AVX-512 F, BW, DQ, VL
    bool avx512Bf16 = false;      ///< bf16 dot products
    bool avx512Fp16 = false;      ///< fp16 products
    bool amxBf16 = false;         ///< bf16 tiles
    bool integerProducts = false; ///< sums of products of 8-bit integers (VNNI), by AVX2 or AVX-512
};

/// The features of the processor that runs this.
const CpuFeatures& cpuFeatures();

} // namespace homebooth::kernels
