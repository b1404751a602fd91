// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/disk_room.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/weight_format.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/system/disk_facts.h"

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

/// What can be done, each with its option.
using Ways = std::vector<std::string>;

bool liesElsewhere(const TrainConfig& config) {
    return !config.output.runDir.empty() && checkpointsElsewhere(config.output.runDir).has_value();
}

/// A leaner optimizer, where there is one and what is saved does not hold on to the one that there is.
Ways leanerOptimizer(const TrainConfig& config) {
    const bool saved = hasCheckpoints(config) || liesElsewhere(config); // even where its drive is away
    if (saved || config.optimizer.kind != OptimizerKind::AdamW) return {};
    return {"take a leaner optimizer (--optimizer adamw8bit)"};
}

/// "; free some space, name another folder (--swap), or take ..."
std::string advice(Ways ways, const Ways& more) {
    ways.insert(ways.end(), more.begin(), more.end());
    std::string words;
    for (size_t i = 0; i < ways.size(); ++i) {
        words.append(i == 0 ? "; " : i + 1 < ways.size() ? ", " : ", or ");
        words.append(ways[i]);
    }
    return words;
}

} // namespace

Result<void> checkSwapSize(const TrainConfig& config, int64_t bytes) {
    const MemoryConfig& memory = config.memory;
    if (memory.swapBytes == 0 || bytes <= memory.swapBytes) return {};
    return Error{ErrorCode::OutOfResources,
                 "what does not lie in memory needs " + wholeMebibytes(bytes) + " for swapping, and " +
                     byteSizeText(memory.swapBytes) + " are allowed" +
                     advice({"allow more (--swap-size)"}, leanerOptimizer(config)),
                 memory.swapDir};
}

DiskRoom::DiskRoom(const TrainConfig& config, bool hasFolder)
    : m_leaner(leanerOptimizer(config))
    , m_hasFolder(hasFolder) {
    if (hasFolder && !liesElsewhere(config)) m_move = "move the run's folder to another disk";
}

Result<DiskRoom::Disk*> DiskRoom::diskOf(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const DiskFacts facts, diskFacts(folder));
    const auto known = std::find_if(m_disks.begin(), m_disks.end(),
                                    [&](const Disk& one) { return one.device == facts.device; });
    if (known != m_disks.end()) return &*known;
    Disk disk;
    disk.device = facts.device;
    disk.saysItsSize = facts.totalBytes > 0;
    disk.freeBytes = facts.freeBytes;
    disk.largestAllowed = facts.largestFileBytes;
    disk.folder = folder;
    m_disks.push_back(std::move(disk));
    return &m_disks.back();
}

Result<void> DiskRoom::addSwap(const std::string& named, const std::vector<std::string>& folders,
                               int64_t bytes, int64_t largestFile) {
    if (bytes == 0) return {};
    for (const std::string& folder : folders) {
        HOMEBOOTH_ASSIGN(Disk * disk, diskOf(folder));
        disk->swapBytes += bytes;
        disk->swapFile.take(folder, largestFile);
    }
    for (const std::string& folder : swapFoldersIn(named)) {
        HOMEBOOTH_ASSIGN(Disk * disk, diskOf(folder));
        disk->freeBytes += findStaleSwap(folder, SwapDevice::system()).bytes;
    }
    return {};
}

Result<void> DiskRoom::addSaved(const std::string& folder, int64_t bytes, int64_t largestFile) {
    HOMEBOOTH_ASSIGN(Disk * disk, diskOf(folder));
    disk->savedBytes += bytes;
    disk->savedFile.take(folder, largestFile);
    return {};
}

Error DiskRoom::lacking(const Disk& disk) const {
    const std::string needed = byteSizeText(disk.swapBytes + disk.savedBytes);
    const std::string free = byteSizeText(disk.freeBytes) + " are free";
    Ways ways{"free some space"};
    std::string message;
    if (disk.swapBytes == 0) {
        message = "checkpoints and result need about " + needed + " of disk, and " + free;
        if (const std::string other = m_hasFolder ? m_move : "choose another --output"; !other.empty())
            ways.push_back(other);
        return {ErrorCode::OutOfResources, message + advice(std::move(ways), {}), disk.folder};
    }
    if (disk.savedBytes == 0) {
        message = "what does not lie in memory needs " + needed + " for swapping, and " + free;
        ways.emplace_back("name another folder (--swap)");
    } else {
        message = "checkpoints, result and what does not lie in memory need about " + needed +
                  " of disk, and " + free + ": " + byteSizeText(disk.savedBytes) +
                  " of checkpoints and result, " + byteSizeText(disk.swapBytes) + " for swapping";
        ways.emplace_back(m_hasFolder ? "name a folder on another disk (--swap)"
                                      : "name a folder on another disk (--swap, --output)");
    }
    return {ErrorCode::OutOfResources, message + advice(std::move(ways), m_leaner), disk.folder};
}

void DiskRoom::LargestFile::take(const std::string& itsFolder, int64_t itsBytes) {
    if (itsBytes <= bytes) return;
    bytes = itsBytes;
    folder = itsFolder;
}

Result<void> DiskRoom::checkFiles(const Disk& disk) const {
    const auto check = [this, &disk](const LargestFile& file, const std::string& whose,
                                     const std::string& way) -> Result<void> {
        if (file.bytes <= disk.largestAllowed) return {};
        return Error{ErrorCode::OutOfResources,
                     whose + " a file of about " + byteSizeText(file.bytes) +
                         ", and no file there may be larger than " + byteSizeText(disk.largestAllowed) +
                         " (a drive with FAT32, or ulimit -f)" +
                         advice(way.empty() ? Ways() : Ways{way}, m_leaner),
                     file.folder};
    };
    HOMEBOOTH_CHECK(check(disk.savedFile, "checkpoints and result have",
                          m_hasFolder ? m_move : "name a folder on another drive (--output)"));
    return check(disk.swapFile, "what does not lie in memory needs",
                 "name a folder on another drive (--swap)");
}

Result<void> DiskRoom::check() const {
    for (const Disk& disk : m_disks) HOMEBOOTH_CHECK(checkFiles(disk));
    for (const Disk& disk : m_disks)
        if (disk.saysItsSize && disk.swapBytes + disk.savedBytes > disk.freeBytes) return lacking(disk);
    return {};
}

} // namespace homebooth::core
