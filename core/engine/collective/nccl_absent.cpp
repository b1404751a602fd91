// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A build without NCCL's header.
#include "core/engine/collective/nccl_collective.h"

namespace homebooth::core {

Result<void> findNccl() {
    return Error{
        ErrorCode::Internal,
        "ranks with a GPU each need NCCL, which this build is without; build it where nccl.h is found",
        {}};
}

Result<std::unique_ptr<Collective>> meetOverNccl(Collective& /*beside*/, const NcclMeeting& /*meeting*/) {
    return findNccl().error();
}

} // namespace homebooth::core
