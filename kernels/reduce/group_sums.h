// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums along one side of a tensor in fp64: 64 neighbours at a time, one after another. Of the sums those of
// 64 neighbours again, until one is left: one order of additions, whatever computes and however it is cut.
// Pure functions over borrowed memory; any thread.
#pragma once

#include <cstdint>

namespace homebooth::kernels {

/// Elements of one sum; part of the definition of the result.
inline constexpr int64_t kSumGroup = 64;

/// What is summed.
enum class Summed : uint8_t { Values, Squares };

/// Which side is summed: the middle one.
/// Shapes: values [outer, count, inner], sums [outer, groups(), inner], both without gaps
struct SummedSides {
    int64_t outer = 1;
    int64_t count = 0;
    int64_t inner = 1;

    [[nodiscard]] int64_t groups() const { return (count + kSumGroup - 1) / kSumGroup; }
};

/// The sums of some groups.
/// @param begin, end  of outer * groups() rows of `inner` sums
/// @param sums        of all of them
void groupSums(const float* values, Summed what, const SummedSides& sides, int64_t begin, int64_t end,
               double* sums);
/// Sums of sums.
void groupSums(const double* values, const SummedSides& sides, int64_t begin, int64_t end, double* sums);

/// All of them on the GPU, with the same bytes; the pointers are device pointers.
/// @param stream  a cudaStream_t
/// @returns       the cudaError_t of the launch; 0 is success. Without CUDA in the build: -1, nothing done
int launchGroupSums(const float* values, Summed what, const SummedSides& sides, double* sums, void* stream);
int launchGroupSums(const double* values, const SummedSides& sides, double* sums, void* stream);

} // namespace homebooth::kernels
