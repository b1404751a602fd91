// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Shards: tar archives whose members are used where they lie. A member is named like a file in a folder,
// "/data/a.tar/key.jpg", which no file can be called while a.tar is one.
// PackedFiles belongs to one thread. Only what is asked for is in memory, and the names in a few shards.
#pragma once

#include "core/base/files/file_reader.h"
#include "core/base/formats/tar_index.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

/// The archives named *.tar in a folder and in the folders in it, in order of their paths, without hidden
/// ones; links to folders are not followed. Errors: BadInput naming the folder that cannot be read
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

private:
    struct Shard {
        std::string path;
        FileIdentity identity;
        std::unordered_map<std::string, TarMember> members;
        std::optional<Error> damage; ///< what ended the list of members
    };
    struct Place {
        FileReader file;
        int64_t offset = 0;
        int64_t bytes = 0;
    };
    [[nodiscard]] Result<Place> find(const std::string& path);
    [[nodiscard]] const Shard& shardOf(const FileReader& file);

    std::list<Shard> m_shards; // the last used first
};

} // namespace homebooth::core
