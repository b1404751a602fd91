// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the cache (latents, texts, class pictures) below a size, whatever the runs that share it still need
// left alone. Any thread; several processes may do so at once: a file that is gone already is no error.
#pragma once

#include "core/base/files/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace homebooth::core {

/// What the cache may grow to when nobody says otherwise.
constexpr int64_t kCacheBytes = int64_t{8} << 30;

/// Whether files may be made in a folder, or the folder itself, as far as its permissions tell.
[[nodiscard]] bool takesFiles(const std::string& folder);

/// Marks a file as used now, so that it goes last. Failures do not matter.
void markUsed(const std::string& path);

/// A run works with the cache: whatever was used since this was made stays until it is gone, also for other
/// processes. It is a file under `folder` whose lock the kernel drops with its owner. Failures do not matter.
class CacheUse {
public:
    explicit CacheUse(const std::string& folder);
    ~CacheUse();
    CacheUse(const CacheUse&) = delete;
    CacheUse& operator=(const CacheUse&) = delete;

private:
    std::string m_path;
    Descriptor m_file;
};

/// Room in a bounded cache for what a run writes while it works.
class CacheRoom {
public:
    CacheRoom(std::string folder, int64_t mostBytes)
        : m_folder(std::move(folder))
        , m_mostBytes(mostBytes) {}

    /// Whether so many bytes more fit in; for them goes, as by boundCache, what was used longest ago. What
    /// others write meanwhile is noticed each time that a sixteenth of the whole has been taken.
    [[nodiscard]] bool take(int64_t bytes);

private:
    std::string m_folder;
    int64_t m_mostBytes;
    int64_t m_free = 0; // that is known of
};

/// Removes the files of `folder` that were used longest ago until those left take at most `mostBytes`. What
/// was used since the oldest living CacheUse was made stays, whatever it takes.
/// @returns  bytes removed; what cannot be looked at or removed is passed over
int64_t boundCache(const std::string& folder, int64_t mostBytes);

} // namespace homebooth::core
