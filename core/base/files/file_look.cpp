// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/file_look.h"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>

namespace homebooth::core {
namespace {

constexpr std::chrono::nanoseconds kLongestTick = std::chrono::seconds(2); // that of FAT

int64_t nanoseconds(const timespec& time) {
    constexpr int64_t kNsPerSecond = 1'000'000'000;
    return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

} // namespace

FileIdentity identityOf(const struct stat& status) {
    return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
            nanoseconds(status.st_ctim)};
}

std::optional<FileIdentity> identityAt(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return identityOf(status);
}

bool hasSettled(const FileIdentity& identity) {
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    return now - std::chrono::nanoseconds(std::max(identity.changedNs, identity.statusChangedNs)) >
           kLongestTick;
}

} // namespace homebooth::core
