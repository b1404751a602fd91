// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a training keeps between forward and backward: one rule for the plan, which predicts, and the trainer,
// which decides. Pure functions; any thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

enum class KeptForBackward { Everything, Products, Inputs };

/// Tensors that autograd keeps inside a block for each of its outputs: norm, activation, product, columns.
constexpr int64_t kGraphTensorsPerValue = 12;
/// Of them, results of costly products.
constexpr int64_t kProductsPerValue = 6;
/// Of the memory that is left when parameters and states have theirs.
constexpr double kShareForActivations = 0.4;

/// Bytes of the results of costly products, of the bytes of whole graphs.
constexpr int64_t productBytesOf(int64_t graphBytes) {
    return graphBytes / kGraphTensorsPerValue * kProductsPerValue;
}

/// The most that fits. @param budgetBytes  for activations alone
constexpr KeptForBackward chooseKept(int64_t graphBytes, int64_t budgetBytes) {
    if (graphBytes <= budgetBytes) return KeptForBackward::Everything;
    return productBytesOf(graphBytes) <= budgetBytes ? KeptForBackward::Products : KeptForBackward::Inputs;
}

} // namespace homebooth::core
