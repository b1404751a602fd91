// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the engine finds in this processor: all that the system tells of. What it misses nothing else
// would show, for slower ways give the same results.
#include "told_features.h"

#include <gtest/gtest.h>

namespace homebooth::kernels {
namespace {

struct Feature {
    const char* name;
    bool CpuFeatures::*has;
};

constexpr Feature kFeatures[] = {
    {"AVX2", &CpuFeatures::avx2},
    {"AVX-512", &CpuFeatures::avx512},
    {"AVX-512 BF16", &CpuFeatures::avx512Bf16},
    {"AVX-512 FP16", &CpuFeatures::avx512Fp16},
    {"AMX BF16", &CpuFeatures::amxBf16},
    {"products of integers", &CpuFeatures::integerProducts},
};

TEST(Features, areAllThatTheSystemTellsOf) {
    ASSERT_TRUE(toldFlags().count("sse2")) << "every 64-bit processor has it, so /proc/cpuinfo was not read";
    for (const Feature& feature : kFeatures)
        EXPECT_TRUE(cpuFeatures().*feature.has || !(toldFeatures().*feature.has)) << feature.name;
}

} // namespace
} // namespace homebooth::kernels
