// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts what LibTorch would allocate on a device, by tier, while the computation runs on its meta device,
// whose tensors have shapes and no memory: so that a step's peak is known before anything is loaded, from the
// very code that will run. An allocation belongs to the tier of the innermost TierScope (tier_meter.h). One
// scope at a time in a process; allocations may come from any thread.
#pragma once

#include "core/engine/memory/tier_meter.h"

namespace homebooth::core {

class RehearsedMemory {
public:
    /// Counts from zero until its end. Tensors made before or outliving it are not counted.
    RehearsedMemory();
    ~RehearsedMemory();
    RehearsedMemory(const RehearsedMemory&) = delete;
    RehearsedMemory& operator=(const RehearsedMemory&) = delete;

    [[nodiscard]] TierUse use(Tier tier) const;
    /// The peak begins anew at what is held now.
    void restartPeak(Tier tier);
};

} // namespace homebooth::core
