// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writing that waits while the disk is full or away, or the run's folder is, with everything kept in memory,
// instead of ending the run:
//
//   write --> no room --> waiting --+-- room or the disk came, or somebody says: try --> write
//         or no disk         ^      +-- checkpoints and result go to another folder --> write
//                            '-----'+-- stop or finish --> the failure
//
// A file that is too large for its drive (FAT32) waits for another folder alone; where what was learned is
// saved, it ends the run, which goes on in another folder.
// By itself it tries again when what is known to be needed is free. Where that is not known, or was free
// (a quota), more has to have become free than other programs' small files give and take: each try writes
// until it fails. Every rank calls it and takes the same way. One thread.
#pragma once

#include "core/engine/data/job_context.h"

#include <cstdint>
#include <functional>
#include <string>

namespace homebooth::core {

class RunPlace;

struct RoomNeed {
    std::string folder;                  ///< on the disk in question
    std::function<int64_t()> bytes;      ///< asked only where something is lacking; none: nobody knows
    std::function<Result<void>()> there; ///< whether the run's checkpoints can be reached, at the first rank
    const RunPlace* place = nullptr;     ///< of the run; where that is away, it is waited for as well
    bool saved = false;                  ///< what is to be written was learned, and that is saved already
};

/// Does `write` until it does not fail for want of room or of the disk.
/// @param write  ends in the same way at every rank; after a failure it can be done again
/// Errors: of `write`; throws RankLost
[[nodiscard]] Result<void> writeWithRoom(const JobContext& job, const RoomNeed& need,
                                         const std::function<Result<void>()>& write);

} // namespace homebooth::core
