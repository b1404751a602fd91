// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/disk_facts.h"

#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <filesystem>
#include <limits>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

namespace homebooth::core {
namespace {

/// FAT has 32 bits for the length of a file. Other file systems take as much as disks hold.
int64_t largestFileOn(const std::string& folder) {
    constexpr int64_t kFat = std::numeric_limits<uint32_t>::max();
    int64_t largest = std::numeric_limits<int64_t>::max();
    struct statfs status {};
    if (::statfs(folder.c_str(), &status) == 0 && status.f_type == MSDOS_SUPER_MAGIC) largest = kFat;
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(largest))
        largest = static_cast<int64_t>(limit.rlim_cur);
    return largest;
}

} // namespace

Result<DiskFacts> diskFacts(const std::string& path) {
    std::error_code code;
    std::filesystem::path existing = std::filesystem::absolute(path, code);
    while (!std::filesystem::exists(existing, code) && existing.has_relative_path())
        existing = existing.parent_path();
    struct statvfs status {};
    struct stat folder {};
    if (::statvfs(existing.c_str(), &status) != 0 || ::stat(existing.c_str(), &folder) != 0)
        return systemError("look at the disk", path, errno);
    const auto unit = static_cast<int64_t>(status.f_frsize);
    return DiskFacts{existing.string(),
                     static_cast<int64_t>(status.f_bavail) * unit,
                     static_cast<int64_t>(status.f_blocks) * unit,
                     (status.f_flag & ST_RDONLY) != 0,
                     folder.st_dev,
                     largestFileOn(existing.string())};
}

} // namespace homebooth::core
