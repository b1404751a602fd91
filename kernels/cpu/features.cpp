// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/features.h"

#include <cpuid.h>

namespace homebooth::kernels {
namespace {

/// CPUID leaf 7, sub-leaf 0, EDX bit 22 (Intel SDM volume 2A): GCC 12 has no name for amx-bf16.
bool hasAmxBf16() {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 22)) != 0;
}

/// CPUID leaf 7, sub-leaf 1, EAX bit 4 (the same): nor for AVX-VNNI.
bool hasAvxVnni() {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) != 0 && (eax & (1u << 4)) != 0;
}

CpuFeatures detect() {
    __builtin_cpu_init();
    CpuFeatures features;
    features.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c"); // which a hypervisor may hide
    features.avx512 = features.avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
    features.avx512Bf16 = features.avx512 && __builtin_cpu_supports("avx512bf16");
    features.avx512Fp16 = features.avx512 && __builtin_cpu_supports("avx512fp16");
    features.integerProducts =
        (features.avx512 && __builtin_cpu_supports("avx512vnni")) || (features.avx2 && hasAvxVnni());
    features.amxBf16 = hasAmxBf16();
    return features;
}

} // namespace

const CpuFeatures& cpuFeatures() {
    static const CpuFeatures features = detect();
    return features;
}

} // namespace homebooth::kernels
