// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/other_disk.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/files/sync_folder.h"
#include "core/base/util/regular_file.h"

#include <cstdint>
#include <string_view>
#include <system_error>

namespace homebooth::app {
namespace {

namespace fs = std::filesystem;

/// As the owner, the group and others may use it; what is unknown is nobody else's.
unsigned modeOf(const fs::path& file) {
    constexpr unsigned kOwnOnly = 0600;
    std::error_code code;
    const fs::perms known = fs::status(file, code).permissions();
    return code ? kOwnOnly : static_cast<unsigned>(known & fs::perms(0777));
}

/// The copy is on the disk then, under its name. std::filesystem's copy was considered, but it gives a
/// name to what it is still writing, leaves what is torn, and syncs nothing.
core::Result<void> copyDurably(const fs::path& from, const fs::path& to) {
    constexpr int64_t kBlockBytes = int64_t{1} << 20;
    HOMEBOOTH_ASSIGN(const core::FileReader source, core::FileReader::open(from));
    HOMEBOOTH_ASSIGN(core::AtomicFile target,
                     core::AtomicFile::create(to.native(), core::AtomicFile::Existing::Refuse, modeOf(from)));
    int64_t offset = 0;
    while (true) {
        HOMEBOOTH_ASSIGN(const std::string block, source.read(offset, kBlockBytes));
        if (block.empty()) return target.commit();
        HOMEBOOTH_CHECK(target.write(std::string_view(block)));
        offset += static_cast<int64_t>(block.size());
    }
}

} // namespace

core::Result<void> moveToOtherDisk(const std::string& operation, const fs::path& from, const fs::path& to) {
    if (const auto copied = copyDurably(from, to); !copied) {
        core::Error error = copied.error();
        error.message = operation + ": " + error.message;
        error.context = core::displayName(from);
        return error;
    }
    std::error_code code;
    fs::remove(from, code);
    if (!code) {
        // Without this a power cut may bring the file back, beside its copy, which loses nothing.
        (void)core::syncFolder(from.parent_path().native());
        return {};
    }
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(from, ignored))) fs::remove(to, ignored);
    return core::badInput(operation +
                              ": expected a file that can be moved to another disk, found one that "
                              "cannot be removed (" +
                              code.message() + "); make its folder writable, and try again",
                          core::displayName(from));
}

} // namespace homebooth::app
