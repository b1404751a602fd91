// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that several processes fill together, each at its own places: one lays it out in its full size, then
// each opens it, writes, and syncs what it has written. It lies in a folder in the making (AtomicFolder), so
// it has no temporary name of its own: whoever made the folder takes it away again.
// Written with pwrite and not through a mapping, where a full disk would be a signal instead of an Error.
// One object a process; one thread.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace homebooth::core {

class SharedFile {
public:
    /// Makes a file of `bytes` that begins with `head`, with its space on the disk where the file system can
    /// promise that. Errors: OutOfResources, BadInput (also where the file exists)
    [[nodiscard]] static Result<void> layOut(const std::string& path, std::string_view head, int64_t bytes);

    /// Opens one that was laid out. Errors: BadInput
    [[nodiscard]] static Result<std::unique_ptr<SharedFile>> open(const std::string& path);

    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;

    /// Writes at a place within the file. Errors: OutOfResources when the disk is full, BadInput
    [[nodiscard]] Result<void> writeAt(int64_t offset, std::span<const std::byte> data);

    /// Makes durable what was written. Errors: as writeAt; the content is then lost
    [[nodiscard]] Result<void> sync();

    /// Whether the file gives these bytes back from a place in it. Errors: BadInput where the disk fails
    [[nodiscard]] Result<bool> holds(int64_t offset, std::span<const std::byte> data) const;

private:
    SharedFile(std::string path, int file)
        : m_path(std::move(path))
        , m_file(file) {}

    std::string m_path;
    Descriptor m_file;
};

} // namespace homebooth::core
