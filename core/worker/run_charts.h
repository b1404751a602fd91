// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The charts of a run as pictures, for machines without a display: <run>/charts/loss.png and memory.png.
#pragma once

#include "core/base/run/run_folder.h"
#include "core/base/util/result.h"

namespace homebooth::core {

/// Draws both charts from the run's journal, in place of those of an earlier attempt; none before a first
/// step. Errors: BadInput (journal unreadable, folder not writable), OutOfResources
[[nodiscard]] Result<void> drawRunCharts(const RunFolder& run);

} // namespace homebooth::core
