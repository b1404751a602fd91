// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Shards: tar archives whose members are used where they lie. A member is named like a file in a folder,
// "/data/a.tar/key.jpg", which no file can be called while a.tar is one.
// PackedFiles belongs to one thread. In memory is what is asked for, and where the members of all shards lie
// that were read from: some 32 bytes each and their names. To keep those of a few shards alone was tried:
// pictures are drawn from all of them in any order, and a shard that was forgotten is walked again for each.
#pragma once

#include "core/base/files/file_reader.h"
#include "core/base/formats/tar_index.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// The archives named *.tar in a folder and in the folders in it, in order of their paths, without hidden
/// ones; links to folders are not followed, nor is lost+found looked into. Errors: BadInput naming the folder
/// that cannot be read
[[nodiscard]] Result<std::vector<std::string>> listShards(const std::string& folder);

/// The name of a member among files.
[[nodiscard]] std::string packedPath(const std::string& shard, const std::string& member);

/// Reads files and members of shards alike, whichever a path names.
class PackedFiles {
public:
    /// Reads the whole file. @param limitBytes  larger ones are refused before reading
    /// Errors: BadInput naming it: missing, not readable, too large, changed while it was read; damage of
    ///         its shard
    [[nodiscard]] Result<std::string> read(const std::string& path, int64_t limitBytes);

    /// SHA-256 of its contents, in hexadecimal digits. Errors: as read
    [[nodiscard]] Result<std::string> sha256(const std::string& path);

    /// Of the file, or of the shard that a member lies in, without reading any of it. Errors: BadInput naming
    /// it: missing, not readable
    [[nodiscard]] static Result<FileIdentity> identity(const std::string& path);

    /// How often a shard was read from header to header.
    [[nodiscard]] int64_t walks() const { return m_walks; }

private:
    struct Member {
        size_t nameBegin = 0; ///< in the shard's names
        size_t nameBytes = 0;
        int64_t offset = 0; ///< of the contents
        int64_t bytes = 0;
    };
    struct Shard {
        FileIdentity identity;
        std::string names;           ///< of all members, one behind the other
        std::vector<Member> members; ///< by name; of one that occurs twice the last counts
        std::optional<Error> damage; ///< what ended the list of members

        [[nodiscard]] std::string_view nameOf(const Member& member) const {
            return std::string_view(names).substr(member.nameBegin, member.nameBytes);
        }
        [[nodiscard]] const Member* find(std::string_view name) const;
    };
    struct Place {
        FileReader file;
        int64_t offset = 0;
        int64_t bytes = 0;
    };
    [[nodiscard]] Result<Place> find(const std::string& path);
    [[nodiscard]] const Shard& shardOf(const FileReader& file);

    std::unordered_map<std::string, Shard> m_shards; // by path
    int64_t m_walks = 0;
};

} // namespace homebooth::core
