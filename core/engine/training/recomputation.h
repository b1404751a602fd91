// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses whether a component keeps the activations of its training pass or computes them again in backward.
// Free functions; one thread for each component.
#pragma once

#include "core/engine/models/component.h"

#include <cstdint>

namespace homebooth::core {

/// A generous count of what one training pass keeps when nothing is recomputed, bytes.
/// @param heightUnits, widthUnits  size of the component's spatial input
[[nodiscard]] int64_t keptActivationBytes(const Component& component, int64_t batch, int64_t heightUnits,
                                          int64_t widthUnits);

/// Keeps everything where that fits into `budgetBytes`, else recomputes every block.
void chooseRecomputation(Component& component, int64_t keptBytes, int64_t budgetBytes);

/// Memory that is free on the machine now, bytes; 0 if that cannot be found out.
[[nodiscard]] int64_t freeRamBytes();

} // namespace homebooth::core
