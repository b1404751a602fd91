// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which samples of a batch a process computes: the same part of each of its groups (pictures of the subject,
// class pictures), one behind the other. What is drawn for a sample hangs on its place in the whole batch.
// Plain value.
#pragma once

#include <cstdint>

namespace homebooth::core {

struct BatchPart {
    int64_t samples = 0; ///< that are computed here; 0: all there are
    int64_t own = 0;     ///< of them, those of one group
    int64_t first = 0;   ///< place of the first of these in its group
    int64_t whole = 0;   ///< samples of a group

    [[nodiscard]] bool isWhole() const { return samples == 0; }
    /// The place in the whole batch of sample `index` of this part.
    [[nodiscard]] int64_t inBatch(int64_t index) const {
        return isWhole() ? index : index / own * whole + first + index % own;
    }
};

} // namespace homebooth::core
