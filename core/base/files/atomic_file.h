// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files and folders that appear whole or not at all, and stay after a power cut: temporary name in the same
// folder, write, checked fsync, close, rename, fsync of the folder. After a failed fsync nothing is tried
// again, because the kernel has then marked the pages clean; the temporary is removed.
// Objects are movable and used by one thread at a time. Process-kill may leave `.name.partial-*` behind;
// `removePartials` clears those. It knows them by a lock (flock) that whoever makes one holds until it has
// its name, and that the kernel drops with the process: process numbers in names were considered, but mean
// nothing on a disk that several machines share.
#pragma once

#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace homebooth::core {

/// The Error for a failed system call: OutOfResources for a full disk, a quota or a size limit, else
/// BadInput.
/// @param operation what was tried, e.g. "write the checkpoint"
[[nodiscard]] Error systemError(const std::string& operation, const std::string& path, int errorNumber);

/// Whether something new can be made here. Errors: BadInput where something has this name, or none can have
/// it
[[nodiscard]] Result<void> expectFreeName(const std::string& path);

/// One file in the making. Destroying it before `commit` removes every trace.
class AtomicFile {
public:
    enum class Existing { Replace, Refuse };

    /// Creates the temporary beside `path`. @param mode permissions of the final file
    /// Errors: BadInput (no such folder, read-only, or `path` exists under Refuse), OutOfResources
    [[nodiscard]] static Result<AtomicFile>
    create(const std::string& path, Existing existing = Existing::Replace, unsigned mode = 0644);

    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&& other) noexcept;
    ~AtomicFile();

    /// Appends. Errors: OutOfResources when the disk is full; the file is then lost and must be dropped.
    [[nodiscard]] Result<void> write(std::span<const std::byte> data);
    [[nodiscard]] Result<void> write(std::string_view text);

    /// Reserves space ahead, so that a full disk is met before the work. Unsupported file systems succeed.
    [[nodiscard]] Result<void> reserve(int64_t bytes);

    /// Makes the content durable and gives it its name.
    [[nodiscard]] Result<void> commit();

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    AtomicFile() = default;
    void discard() noexcept;

    std::string m_path;
    std::string m_partialPath;
    Existing m_existing = Existing::Replace;
    int m_descriptor = -1;
    int m_lock = -1; // the same open file: the lock outlives the checked close
};

/// Writes a whole small file.
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view content);

/// A folder in the making, e.g. a checkpoint: write into `partialPath()`, then `commit`.
/// Destroying it before `commit` removes the partial folder with all that is in it.
class AtomicFolder {
public:
    /// Creates `.name.partial-XXXXXX` beside `path`. Errors: BadInput if `path` exists or cannot be made
    [[nodiscard]] static Result<AtomicFolder> create(const std::string& path);

    AtomicFolder(AtomicFolder&& other) noexcept;
    AtomicFolder& operator=(AtomicFolder&& other) noexcept;
    ~AtomicFolder();

    /// Where to write until `commit`.
    [[nodiscard]] const std::string& partialPath() const { return m_partialPath; }
    [[nodiscard]] const std::string& path() const { return m_path; }

    /// fsync of every file and folder inside, rename, fsync of the parent. Never replaces a folder.
    [[nodiscard]] Result<void> commit();

private:
    AtomicFolder() = default;
    void discard() noexcept;

    std::string m_path;
    std::string m_partialPath;
    int m_lock = -1; // of the partial folder
};

/// Removes what killed processes of this user left in `folder`: `.*.partial-XXXXXX`. What a living process is
/// making stays, so does everything where the file system knows no locks. A missing folder has none.
/// @returns  how many were removed. Errors: BadInput
[[nodiscard]] Result<int> removePartials(const std::string& folder);

} // namespace homebooth::core
