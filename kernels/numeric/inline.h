// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How small functions shared by the CPU variants and the GPU are declared.
// They have internal linkage and are always inlined: a copy compiled for one instruction set must never be
// picked by the linker for a file compiled for another.
#pragma once

#if defined(__CUDACC__)
#define HOMEBOOTH_INLINE static __host__ __device__ __forceinline__
#else
#define HOMEBOOTH_INLINE static inline __attribute__((always_inline))
#endif
