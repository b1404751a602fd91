// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How much memory there is for making pictures. Free function; any thread.
#pragma once

#include "core/base/plan/training/train_plan.h"

#include <c10/core/Device.h>

namespace homebooth::core {

/// What a generation on `device` may take: what is free, and what the model takes that is there already.
/// @param processes  that begin at the same time and share the machine's RAM equally
/// Errors: throws c10::Error when a GPU does not answer
[[nodiscard]] MachineLimits sampleRoom(at::Device device, int64_t processes = 1);

} // namespace homebooth::core
