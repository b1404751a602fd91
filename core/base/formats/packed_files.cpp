// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/packed_files.h"

#include "core/base/files/sha256.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".tar";
constexpr int kDeepest = 1; // a folder chosen by mistake may be that of the whole disk
/// Of the shards that are remembered: pictures may be read in any order, and a shard that was forgotten is
/// walked again for each.
constexpr size_t kMostMembers = size_t{1} << 20;
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
        if (entry->path().filename().native().starts_with('.')) continue;
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

const PackedFiles::Shard& PackedFiles::shardOf(const FileReader& file) {
    const std::string& path = file.path().native();
    const auto known = std::find_if(m_shards.begin(), m_shards.end(),
                                    [&](const Shard& shard) { return shard.path == path; });
    if (known != m_shards.end() && known->identity == file.identity()) {
        m_shards.splice(m_shards.begin(), m_shards, known);
        return m_shards.front();
    }
    if (known != m_shards.end()) m_shards.erase(known);
    Shard shard{path, file.identity(), {}, std::nullopt};
    std::vector<TarMember> members;
    if (const auto done = readTarIndex(file, members); !done) shard.damage = done.error();
    for (TarMember& member : members) shard.members.insert_or_assign(member.name, std::move(member));
    m_shards.push_front(std::move(shard));
    const auto remembered = [this] {
        return std::accumulate(m_shards.begin(), m_shards.end(), size_t{0},
                               [](size_t sum, const Shard& one) { return sum + one.members.size(); });
    };
    while (m_shards.size() > 1 && remembered() > kMostMembers) m_shards.pop_back();
    return m_shards.front();
}

Result<PackedFiles::Place> PackedFiles::find(const std::string& path) {
    const std::optional<PackedName> packed = splitPath(path);
    HOMEBOOTH_ASSIGN(FileReader file, FileReader::open(packed ? packed->shard : path));
    const int64_t bytes = file.identity().bytes;
    if (!packed) return Place{std::move(file), 0, bytes};
    const Shard& shard = shardOf(file);
    const auto member = shard.members.find(packed->member);
    if (member != shard.members.end())
        return Place{std::move(file), member->second.offset, member->second.bytes};
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
