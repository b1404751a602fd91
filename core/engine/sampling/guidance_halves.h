// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Two processes that make one batch of pictures together: in every step one asks the model with the negative
// prompt, the other with the prompt, and each gets what the other was told. All else both do alike, from the
// same seeds, so nothing else has to be exchanged but whether memory is short; the first one alone decodes
// and writes. Borrows the two ranks; the generating thread. Errors: all throw RankLost where the other one is
// gone, as it is, too, when it was stopped alone.
#pragma once

#include "core/engine/parallel/ranks.h"

#include <ATen/core/Tensor.h>

namespace homebooth::core {

class GuidanceHalves {
public:
    /// @param pair  two ranks
    explicit GuidanceHalves(const Ranks& pair);

    /// Whether this process has the half with the prompt; else that with the negative prompt.
    [[nodiscard]] bool hasPrompt() const { return !leads(); }
    /// Whether this process decodes and writes the pictures.
    [[nodiscard]] bool leads() const { return m_pair.isFirst(); }

    /// What the model said to both: first to the negative prompt, then to the prompt.
    /// Shapes: own [B, C, h, w] fp32, any device; result [2B, C, h, w] there
    [[nodiscard]] at::Tensor both(const at::Tensor& own) const;

    /// Whether one of both says so, however long the other one takes to come here.
    [[nodiscard]] bool either(bool own) const { return m_pair.any(own); }

    /// Returns when the other one has come here, too, however long it loads its model or decodes before.
    void meet() const { m_pair.meetAgain(); }

private:
    const Ranks& m_pair;
};

} // namespace homebooth::core
