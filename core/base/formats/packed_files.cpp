// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/packed_files.h"

#include "core/base/files/sha256.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".tar";
constexpr std::string_view kLostAndFound = "lost+found"; // in the root of every ext4 disk, root's alone
constexpr int kDeepest = 1; // a folder chosen by mistake may be that of the whole disk
constexpr int64_t kPieceBytes = int64_t{4} << 20;

struct PackedName {
    std::string shard;
    std::string member;
};

/// Nothing for the path of an ordinary file.
std::optional<PackedName> splitPath(const std::string& path) {
    const std::string mark = std::string(kEnding) + "/";
    for (size_t at = path.find(mark); at != std::string::npos; at = path.find(mark, at + 1)) {
        std::string shard = path.substr(0, at + kEnding.size());
        std::error_code ignored;
        if (fs::is_regular_file(shard, ignored)) return PackedName{shard, path.substr(at + mark.size())};
    }
    return std::nullopt;
}

/// @param levels  of folders further down that are looked into
Result<void> addShards(const fs::path& folder, int levels, std::vector<std::string>& shards) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        const std::string name = entry->path().filename().native();
        if (name.starts_with('.') || name == kLostAndFound) continue;
        const bool folderItself = entry->is_directory(ignored) && !entry->is_symlink(ignored);
        if (folderItself && levels > 0) HOMEBOOTH_CHECK(addShards(entry->path(), levels - 1, shards));
        if (entry->path().extension() == kEnding && entry->is_regular_file(ignored))
            shards.push_back(entry->path().string());
    }
    if (!error) return {};
    return badInput("cannot look for shards: expected folders that can be read, found " + error.message() +
                        "; give the right to read it, or move it elsewhere",
                    displayName(folder));
}

Error shortened(const std::string& path) {
    return badInput(
        "cannot read the file: it became shorter while it was read; try again when no other program "
        "writes it",
        displayName(path));
}

} // namespace

Result<std::vector<std::string>> listShards(const std::string& folder) {
    std::vector<std::string> shards;
    HOMEBOOTH_CHECK(addShards(folder, kDeepest, shards));
    std::sort(shards.begin(), shards.end());
    return shards;
}

std::string packedPath(const std::string& shard, const std::string& member) {
    return shard + "/" + member;
}

const PackedFiles::Member* PackedFiles::Shard::find(std::string_view name) const {
    const auto behind =
        std::upper_bound(members.begin(), members.end(), name,
                         [this](std::string_view wanted, const Member& one) { return wanted < nameOf(one); });
    if (behind == members.begin() || nameOf(*std::prev(behind)) != name) return nullptr;
    return &*std::prev(behind);
}

const PackedFiles::Shard& PackedFiles::shardOf(const FileReader& file) {
    Shard& shard = m_shards[file.path().native()];
    if (shard.identity == file.identity()) return shard;
    ++m_walks;
    shard = Shard{file.identity(), {}, {}, std::nullopt};
    std::vector<TarMember> found;
    if (const auto done = readTarIndex(file, found); !done) shard.damage = done.error();
    shard.members.reserve(found.size());
    for (const TarMember& member : found) {
        shard.members.push_back({shard.names.size(), member.name.size(), member.offset, member.bytes});
        shard.names += member.name;
    }
    shard.names.shrink_to_fit();
    std::stable_sort(shard.members.begin(), shard.members.end(), [&](const Member& one, const Member& other) {
        return shard.nameOf(one) < shard.nameOf(other);
    });
    return shard;
}

Result<PackedFiles::Place> PackedFiles::find(const std::string& path) {
    const std::optional<PackedName> packed = splitPath(path);
    HOMEBOOTH_ASSIGN(FileReader file, FileReader::open(packed ? packed->shard : path));
    const int64_t bytes = file.identity().bytes;
    if (!packed) return Place{std::move(file), 0, bytes};
    const Shard& shard = shardOf(file);
    if (const Member* member = shard.find(packed->member))
        return Place{std::move(file), member->offset, member->bytes};
    if (shard.damage) return *shard.damage;
    return badInput(
        "cannot read the file: the shard holds none of that name; check whether it was packed anew",
        displayName(path));
}

Result<FileIdentity> PackedFiles::identity(const std::string& path) {
    const std::optional<PackedName> packed = splitPath(path);
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(packed ? packed->shard : path));
    return file.identity();
}

Result<std::string> PackedFiles::read(const std::string& path, int64_t limitBytes) {
    HOMEBOOTH_ASSIGN(const Place place, find(path));
    if (place.bytes > limitBytes)
        return badInput("cannot read the file: expected at most " + std::to_string(limitBytes) +
                            " bytes, found " + std::to_string(place.bytes) + "; choose another file",
                        displayName(path));
    HOMEBOOTH_ASSIGN(std::string content, place.file.read(place.offset, place.bytes));
    if (std::ssize(content) < place.bytes) return shortened(path);
    return content;
}

Result<std::string> PackedFiles::sha256(const std::string& path) {
    HOMEBOOTH_ASSIGN(const Place place, find(path));
    Sha256 hash;
    for (int64_t done = 0; done < place.bytes;) {
        HOMEBOOTH_ASSIGN(const std::string piece,
                         place.file.read(place.offset + done, std::min(kPieceBytes, place.bytes - done)));
        if (piece.empty()) return shortened(path);
        hash.update(piece);
        done += std::ssize(piece);
    }
    return hash.finish();
}

} // namespace homebooth::core
