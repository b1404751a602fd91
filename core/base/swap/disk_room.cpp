// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/disk_room.h"

#include "core/base/config/byte_size.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/system/disk_facts.h"

#include <algorithm>

namespace homebooth::core {
namespace {

constexpr const char* kLeaner = "or take a leaner optimizer (--optimizer adamw8bit)";

} // namespace

Result<void> checkSwapSize(const MemoryConfig& memory, int64_t bytes) {
    if (memory.swapBytes == 0 || bytes <= memory.swapBytes) return {};
    return Error{ErrorCode::OutOfResources,
                 "what does not lie in memory needs " + byteSizeText(bytes) + " for swapping, and " +
                     byteSizeText(memory.swapBytes) + " are allowed; allow more (--swap-size), " + kLeaner,
                 memory.swapDir};
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

Error DiskRoom::lacking(const Disk& disk) {
    const std::string needed = byteSizeText(disk.swapBytes + disk.savedBytes);
    const std::string free = byteSizeText(disk.freeBytes) + " are free";
    std::string message;
    if (disk.swapBytes == 0)
        message = "checkpoints and result need about " + needed + " of disk, and " + free +
                  "; free some space or choose another --output";
    else if (disk.savedBytes == 0)
        message = "what does not lie in memory needs " + needed + " for swapping, and " + free +
                  "; free some space, name another folder (--swap), " + kLeaner;
    else
        message = "checkpoints, result and what does not lie in memory need about " + needed +
                  " of disk, and " + free + ": " + byteSizeText(disk.savedBytes) +
                  " of checkpoints and result, " + byteSizeText(disk.swapBytes) +
                  " for swapping; free some space, name a folder on another disk (--swap, --output), " +
                  kLeaner;
    return {ErrorCode::OutOfResources, message, disk.folder};
}

void DiskRoom::LargestFile::take(const std::string& itsFolder, int64_t itsBytes) {
    if (itsBytes <= bytes) return;
    bytes = itsBytes;
    folder = itsFolder;
}

Result<void> DiskRoom::checkFiles(const Disk& disk) {
    const auto check = [&disk](const LargestFile& file, const std::string& whose,
                               const char* option) -> Result<void> {
        if (file.bytes <= disk.largestAllowed) return {};
        return Error{ErrorCode::OutOfResources,
                     whose + " a file of about " + byteSizeText(file.bytes) +
                         ", and no file there may be larger than " + byteSizeText(disk.largestAllowed) +
                         " (a drive with FAT32, or ulimit -f); name a folder on another drive (" + option +
                         "), " + kLeaner,
                     file.folder};
    };
    HOMEBOOTH_CHECK(check(disk.savedFile, "checkpoints and result have", "--output"));
    return check(disk.swapFile, "what does not lie in memory needs", "--swap");
}

Result<void> DiskRoom::check() const {
    for (const Disk& disk : m_disks) HOMEBOOTH_CHECK(checkFiles(disk));
    for (const Disk& disk : m_disks)
        if (disk.saysItsSize && disk.swapBytes + disk.savedBytes > disk.freeBytes) return lacking(disk);
    return {};
}

} // namespace homebooth::core
