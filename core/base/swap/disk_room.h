// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what a plan puts on disks will fit there: what goes to one disk, in whatever folders, has to fit
// together. One thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// @param bytes  that shall lie in the training's swap folder
/// Errors: OutOfResources if --swap-size allows less
[[nodiscard]] Result<void> checkSwapSize(const TrainConfig& config, int64_t bytes);

/// Of a training that is about to begin or go on: one that works holds its space for swapping already.
class DiskRoom {
public:
    /// @param config     of the training: what it may still change is advised
    /// @param hasFolder  its run is there, and no --output says any more where that lies
    explicit DiskRoom(const TrainConfig& config = {}, bool hasFolder = false);

    /// For swapping. What dead owners left there counts as free. @param named  by the user
    /// @param folders  one of each process; those of ranks may lead to disks of their own
    /// @param bytes    of each process, @param largestFile  of the files that hold them
    /// Errors: BadInput if nobody can look at a folder
    [[nodiscard]] Result<void> addSwap(const std::string& named, const std::vector<std::string>& folders,
                                       int64_t bytes, int64_t largestFile);
    /// Checkpoints and results. @param largestFile  of them. Errors: as above
    [[nodiscard]] Result<void> addSaved(const std::string& folder, int64_t bytes, int64_t largestFile);

    /// Errors: OutOfResources naming all that shall lie on a disk which has too little room for it, or a file
    ///         that is larger than a disk takes
    [[nodiscard]] Result<void> check() const;

private:
    struct LargestFile {
        int64_t bytes = 0;
        std::string folder; ///< it lies there, or in a folder within
        void take(const std::string& itsFolder, int64_t itsBytes);
    };
    struct Disk {
        uint64_t device = 0;
        bool saysItsSize = false; ///< some file systems do not
        int64_t freeBytes = 0;
        int64_t swapBytes = 0;
        int64_t savedBytes = 0;
        int64_t largestAllowed = 0; ///< bytes of a file
        LargestFile swapFile;
        LargestFile savedFile;
        std::string folder; ///< the first that was asked about
    };
    [[nodiscard]] Result<Disk*> diskOf(const std::string& folder);
    [[nodiscard]] Error lacking(const Disk& disk) const;
    [[nodiscard]] Result<void> checkFiles(const Disk& disk) const;

    std::vector<std::string> m_leaner; ///< what else takes less; empty: nothing of the kind may change
    std::string m_move;                ///< how what is saved comes to another disk; empty: it cannot
    bool m_hasFolder = false;
    std::vector<Disk> m_disks;
};

} // namespace homebooth::core
