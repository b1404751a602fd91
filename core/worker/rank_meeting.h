// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The meeting of ranks where somebody may lose patience: a launcher's may last ten minutes, and LibTorch's
// store cannot be interrupted. So it goes on in a thread of its own, which a stop leaves behind; the process
// ends without it. Free function; the training thread.
#pragma once

#include "core/base/util/cancel.h"
#include "core/base/util/result.h"
#include "core/engine/parallel/ranks.h"

#include <memory>

namespace homebooth::core {

/// Meets the other ranks as Ranks::meet does, until a stop is asked for.
/// @returns  null after a stop, within half a second: this process then ends soon, and meets nobody
/// Errors: those of Ranks::meet; Internal where that does not end at all
[[nodiscard]] Result<std::unique_ptr<Ranks>> meetUnlessStopped(const RankPlace& place,
                                                               const CancelToken& stop);

} // namespace homebooth::core
