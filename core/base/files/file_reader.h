// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Reading anywhere in a regular file that somebody else chose: a FIFO or a device never blocks.
// Owns the open file; movable. Any thread: reads share no position.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace homebooth::core {

/// By which one tells that a file is not the one that was looked at before.
struct FileIdentity {
    uint64_t device = 0;
    uint64_t inode = 0;
    int64_t bytes = 0;
    int64_t changedNs = 0;       ///< when its contents last did, which anybody may set
    int64_t statusChangedNs = 0; ///< the same of its rights, its names and that time, which nobody may
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class FileReader {
public:
    /// Errors: BadInput naming the file: missing, not regular, not readable
    [[nodiscard]] static Result<FileReader> open(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    /// As it was when the file was opened.
    [[nodiscard]] const FileIdentity& identity() const { return m_identity; }

    /// @returns  fewer than `count` bytes only where the file ends. Errors: BadInput
    [[nodiscard]] Result<std::string> read(int64_t offset, int64_t count) const;
    /// Reads exactly as many bytes. Errors: BadInput, also where the file ends before
    [[nodiscard]] Result<void> readInto(int64_t offset, std::span<std::byte> destination) const;
    /// A hint that this stretch is read soon. Never fails and changes no result.
    void willRead(int64_t offset, int64_t count) const;

private:
    FileReader() = default;
    [[nodiscard]] Result<size_t> readSome(int64_t offset, std::span<std::byte> destination) const;

    std::filesystem::path m_path;
    std::unique_ptr<const Descriptor> m_file;
    FileIdentity m_identity;
};

} // namespace homebooth::core
