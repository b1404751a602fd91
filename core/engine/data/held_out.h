// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which pictures of a data set are held out of training, and which of them are looked at. Free functions
// without state.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/engine/data/data_set.h"

#include <cstddef>
#include <vector>

namespace homebooth::core {

/// Takes that share of the pictures out of `samples`, at least one and never all; none of a share of 0. Which
/// ones hangs on their contents alone: it is the same in every run, and equal pictures stay together.
[[nodiscard]] std::vector<TrainingSample> takeHeldOut(std::vector<TrainingSample>& samples, double share);

/// Warns where a share was asked for and none of the pictures could be held out.
/// @param left  how many are trained on
void warnIfNoneHeldOut(double share, size_t heldOut, size_t left, EventSink& events);

/// Indices of those that a validation computes, spread over all, one bucket behind the other.
[[nodiscard]] std::vector<size_t> heldOutToLookAt(const std::vector<TrainingSample>& heldOut);

} // namespace homebooth::core
