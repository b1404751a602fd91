// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing as a job: from a GenerateConfig to texts, which it tells piece by piece. The one place of the
// writing side that catches exceptions. Free function; one thread, the cancel token may be used from any.
#pragma once

#include "core/base/config/generate_config.h"
#include "core/base/run/journal/event.h"
#include "core/base/util/cancel.h"

#include <c10/core/Device.h>

namespace homebooth::core {

/// Emits states (loading, writing), warnings, and a TextEvent for each piece.
/// @returns  how it ended; not emitted. Never throws.
[[nodiscard]] OutcomeEvent runGenerateJob(const GenerateConfig& config, at::Device device, EventSink& events,
                                          const CancelToken& cancel);

} // namespace homebooth::core
