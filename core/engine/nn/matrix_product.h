// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices. LibTorch has fast products of bf16 on processors with AVX-512 and of fp16 on those
// with AVX512-FP16; its stand-in for others takes many times as long as products in fp32. There they are
// taken in fp32 and rounded once, where a factor has many rows by stretches of them. Stateless; any thread.
#pragma once

#include <ATen/ATen.h>

namespace homebooth::core {

/// Whether products with `x` are taken in fp32: it is of 16-bit numbers, on a host that has no products of
/// them.
[[nodiscard]] bool widensProducts(const at::Tensor& x);

/// In a rehearsal, the memory that LibTorch's product of two matrices takes on its way, to be held meanwhile;
/// undefined elsewhere, and where it takes none. Shapes: a [M, K], b [K, N]
[[nodiscard]] at::Tensor packedFactors(const at::Tensor& a, const at::Tensor& b);

/// Bytes that one thread packs factors of 16-bit numbers into which takes a product by itself, as each does
/// within LibTorch's attention: oneDNN divides it among all threads all the same. 0 where it packs none, or
/// nobody knows. Shapes: a [M, K], b [K, N], sums [M, N]
[[nodiscard]] int64_t bytesPackedByOne(const at::Tensor& x, int64_t rows, int64_t inner, int64_t columns);

/// out = a b + bias. Widened, b is copied whole and a by stretches; factors that are fp32 already are taken
/// as they are, and their product is rounded to the type of `out`. @param bias  may be undefined
/// Shapes: a [M, K], b [K, N], bias [N], out [M, N]
void matrixProductInto(at::Tensor& out, const at::Tensor& bias, const at::Tensor& a, const at::Tensor& b);

/// a b. Shapes: a [M, K], b [K, N] -> [M, N]
[[nodiscard]] at::Tensor matrixProduct(const at::Tensor& a, const at::Tensor& b);

/// a^T b, a sum over many rows; widened, both by stretches. Shapes: a [R, M], b [R, N] -> [M, N]
[[nodiscard]] at::Tensor transposedProduct(const at::Tensor& a, const at::Tensor& b);

/// sum += a^T b in fp32. @param sum  [M, N] in fp32, or undefined for the first one; b is fp32
void addTransposedProduct(at::Tensor& sum, const at::Tensor& a, const at::Tensor& b);

/// The products of several pairs; widened, both are copied whole.
/// Shapes: a [P, M, K], b [P, K, N] -> [P, M, N]
[[nodiscard]] at::Tensor pairedProducts(const at::Tensor& a, const at::Tensor& b);

} // namespace homebooth::core
