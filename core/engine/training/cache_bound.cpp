// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/cache_bound.h"

#include <algorithm>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

struct CachedFile {
    fs::path path;
    int64_t bytes = 0;
    fs::file_time_type used;
};

std::vector<CachedFile> filesIn(const std::string& folder) {
    std::vector<CachedFile> files;
    std::error_code error;
    const auto options = fs::directory_options::skip_permission_denied;
    fs::recursive_directory_iterator entry(folder, options, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        std::error_code status;
        if (!fs::is_regular_file(entry->symlink_status(status)) || status) continue;
        const auto bytes = static_cast<int64_t>(entry->file_size(status));
        if (status) continue;
        const fs::file_time_type used = entry->last_write_time(status);
        if (!status) files.push_back({entry->path(), bytes, used});
    }
    return files;
}

} // namespace

void markUsed(const std::string& path) {
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

int64_t boundCache(const std::string& folder, int64_t mostBytes, fs::file_time_type since) {
    std::vector<CachedFile> files = filesIn(folder);
    std::sort(files.begin(), files.end(), [](const CachedFile& left, const CachedFile& right) {
        return left.used != right.used ? left.used < right.used : left.path < right.path;
    });
    int64_t total = 0;
    for (const CachedFile& file : files) total += file.bytes;
    int64_t removed = 0;
    for (const CachedFile& file : files) {
        if (total - removed <= mostBytes || file.used >= since) break;
        std::error_code error;
        if (fs::remove(file.path, error) && !error) removed += file.bytes;
    }
    return removed;
}

} // namespace homebooth::core
