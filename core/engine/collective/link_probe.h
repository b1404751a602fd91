// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What lies between the ranks of a job, measured with the collectives that its steps will ask for: what a
// plan's exchange is reckoned with. Takes some tens of milliseconds, over a slow network a second; draws
// nothing and leaves nothing behind. Free functions; one thread.
#pragma once

#include "core/base/plan/ranks/rank_links.h"
#include "core/base/util/result.h"
#include "core/engine/collective/collective.h"

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace homebooth::core {

/// Every rank calls it at the same place; all get the same, the slowest one's. As one ring, whatever lies
/// between which two of them. Of one rank: no link.
/// @param device  on which steps exchange; the collective serves tensors of the host, too
/// @param type    of gradients: fp32, bf16 or fp16
/// Errors: throws RankLost
[[nodiscard]] RankLink probeLink(Collective& collective, at::Device device, at::ScalarType type);

/// The same for so many ranks on this machine's processors that nobody has started: threads of this process
/// meet as they would. Errors: Internal where they do not come together; OutOfResources where there is no
/// place to meet
[[nodiscard]] Result<RankLink> probeLinkOfThreads(int ranks, at::ScalarType type);

} // namespace homebooth::core
