// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The loss of predicting tokens and its gradients, in closed form: no autograd graph is needed for them.
// Of the logits, one number for each token and each entry of the vocabulary, only a slice is there at a time,
// and it is computed once. Pure functions; any thread.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace homebooth::core {

struct TokenLossOptions {
    bool tableLearns = true;     ///< whether the table's gradient is wanted
    bool gradients = true;       ///< whether any is
    double gradientFactor = 1.0; ///< loss scale / accumulation steps; changes the gradients alone
    /// What a slice of the logits takes in fp32; more where the table's gradient, which each slice goes over,
    /// is large (see token_loss.cpp).
    int64_t sliceBytes = int64_t{64} << 20;
};

struct TokenLoss {
    double loss = 0.0;         ///< nats a token
    at::Tensor hiddenGradient; ///< [B, T, E] in the type of the hidden states
    at::Tensor tableGradient;  ///< [V, E] in the type of the table
};

/// Mean cross entropy of softmax(hidden table^T) against what follows. Products in the tensors' type, all
/// else in fp32; where there are several slices, the table's gradient is added up in fp32.
/// Shapes: hidden [B, T, E], table [V, E], targets [B, T] int64, 0..V - 1
[[nodiscard]] TokenLoss tokenLoss(const at::Tensor& hidden, const at::Tensor& table,
                                  const at::Tensor& targets, const TokenLossOptions& options = {});

} // namespace homebooth::core
