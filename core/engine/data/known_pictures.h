// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes and contents' hashes of picture files that were read once, so that the next start of a run reads none
// of those that have not changed since. One file for all data sets; a value of one thread. Several processes
// may share the file, which appears whole: who saves last decides what is in it.
//
//   "homebooth pictures 2\n"  count (64 bits)  count x { key 32, hash 32, width 4, height 4 }  SHA-256 of all
//
// A key is the SHA-256 of the path, the inode, the file's bytes, and when its contents and its status last
// changed: of a shard, for all of its members. The status tells of contents that were replaced under their
// old time. Devices' numbers are left out, since those of some file systems are others after every start.
#pragma once

#include "core/base/files/file_reader.h"
#include "core/engine/jobs/picture_source.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace homebooth::core {

struct KnownPicture {
    PictureSize size;        ///< upright, as it lies in its file
    std::string contentHash; ///< SHA-256 in hexadecimal digits
};

class KnownPictures {
public:
    /// Files that changed later than this before they are looked at are not kept: another change within the
    /// same tick of their file system's clock would leave no trace.
    static constexpr std::chrono::nanoseconds kSettled = std::chrono::seconds(2);
    static constexpr size_t kMostOthers = size_t{1} << 18; // 19 MB

    /// Reads what the file holds: nothing where it is missing or damaged. @param file  empty: nothing is kept
    explicit KnownPictures(std::string file, std::chrono::nanoseconds settled = kSettled);

    /// @param identity  of the file, or of the shard, looked at before anything of it was read
    [[nodiscard]] std::optional<KnownPicture> find(const std::string& path, const FileIdentity& identity);
    void add(const std::string& path, const FileIdentity& identity, const KnownPicture& picture);

    /// Writes all that was found or added, and what was there before, up to kMostOthers in all; nothing where
    /// nothing was added. A failed write is logged and costs time at the next start, nothing else.
    void save();

private:
    using Digest = std::array<std::byte, 32>;
    struct Record {
        Digest key;
        Digest hash;
        uint32_t width;
        uint32_t height;
    };
    struct DigestHash {
        size_t operator()(const Digest& digest) const;
    };
    [[nodiscard]] static Digest digestOf(const std::string& hexadecimal);
    [[nodiscard]] static Digest keyOf(const std::string& path, const FileIdentity& identity);
    void read();
    [[nodiscard]] std::string packed() const;

    std::string m_file;
    std::chrono::nanoseconds m_settled;
    std::vector<Record> m_records;
    std::vector<bool> m_used; // by this run, of each record
    std::unordered_map<Digest, size_t, DigestHash> m_places;
    bool m_added = false;
};

} // namespace homebooth::core
