// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// One micro-step of a language model: tokens in, what follows each of them predicted, loss, gradients back.
// Borrows the component. One thread.
#pragma once

#include "core/engine/learning/learner.h"
#include "core/engine/models/component.h"

namespace homebooth::core {

/// The part's name in checkpoints.
constexpr const char* kLanguagePart = "language";

struct LanguageBatch {
    at::Tensor tokens;  ///< [B, T] int64
    at::Tensor targets; ///< [B, T] int64, what follows each
    uint64_t dropoutSeed = 0;
    BatchPart part; ///< of the whole micro-step's samples
};

class LanguageStep {
public:
    /// @param network  of languageSchedule
    explicit LanguageStep(Component& network);

    /// Runs forward and backward and hands the gradients to part 0.
    /// @returns  the loss. Errors: throws TrainingFailure when it is not finite (Learner::requireFinite)
    [[nodiscard]] double run(const LanguageBatch& batch, Learner& learner);

    /// The loss alone, of the weights as they are; nothing is kept for a backward pass.
    [[nodiscard]] double lossOf(const LanguageBatch& batch);

private:
    Component& m_network;
    bool m_tableLearns = false; ///< the one that predicts
};

} // namespace homebooth::core
