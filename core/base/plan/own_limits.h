// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a training that finds no room has to wait for some, or never gets it for the limits that its
// own settings name. Which memory lacks, the refusal says in its fixed parts: it comes from another
// process. Free function; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/plan/training/train_plan.h"

#include <cstdint>
#include <string_view>

namespace homebooth::core {

/// Part of each refusal for want of memory where a training computes, behind the figure.
constexpr const char* kWhereItComputes = " of memory where it computes";
/// Part of those where the limit of that memory is what binds, and not what other programs leave of it.
constexpr const char* kRaiseDeviceLimit = "raise --gpu-memory";
/// Part of those that RAM could make up for, if there were more.
constexpr const char* kMoreRamWouldDo = "more RAM would do as well";

/// Whether more memory than there is at present would not help. RAM that lacks beside a GPU counts as
/// the settings' alone where these also allow no more of the GPU: a larger one takes more of the model.
/// @param limits   what may be used: of RAM one process's part
/// @param sharing  processes that share the RAM of this machine
/// @param refusal  the message, an OutOfResources of planning
[[nodiscard]] bool ownLimitsRefuse(const MemoryConfig& memory, const MachineLimits& limits, int64_t sharing,
                                   std::string_view refusal);

} // namespace homebooth::core
