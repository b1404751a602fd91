// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The meeting of ranks where somebody may lose patience: a launcher's may last ten minutes, and LibTorch's
// store cannot be interrupted. So it goes on in a thread of its own, which a stop leaves behind; the process
// ends without it. Free function; the training thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"
#include "core/engine/parallel/ranks.h"

#include <memory>

namespace homebooth::core {

/// `state` of a process that a launcher has started while it waits for others.
constexpr const char* kMeeting = "meeting";

/// Meets the other ranks as Ranks::meet does, until a stop is asked for. Whom rank 0 of a launcher's waits
/// for `events` hear at once and every minute.
/// @returns  null after a stop, within half a second: this process then ends soon, and meets nobody
/// Errors: those of Ranks::meet; Internal where that does not end at all
[[nodiscard]] Result<std::unique_ptr<Ranks>> meetUnlessStopped(const RankPlace& place,
                                                               const CancelToken& stop, EventSink& events);

} // namespace homebooth::core
