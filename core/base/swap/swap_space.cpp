// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a file system has no fallocate (exFAT, older network file systems), zeros are written instead of
// refusing: that costs one pass over the file, and the promise that a run does not meet a full disk in its
// middle holds there, too. File systems that copy on write (btrfs, ZFS) can break it in either case; a failed
// write is then an error like any.
#include "core/base/swap/swap_space.h"

#include "core/base/config/byte_size.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/open_file.h"
#include "core/base/memory/page_memory.h"
#include "core/base/swap/stale_swap.h"
#include "core/base/system/disk_facts.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

constexpr int kMaxRetries = 64; // in a row, without progress

bool isTransient(int64_t result) {
    return result == -EINTR || result == -EAGAIN;
}

/// Calls until it is not interrupted any more.
template <class Call>
auto retried(Call call) -> decltype(call()) {
    auto result = call();
    for (int i = 0; i < kMaxRetries && isTransient(result); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        result = call();
    }
    return result;
}

/// @param freeBytes  before anything was reserved
Error cannotReserve(const SpaceOptions& options, int64_t freeBytes, int errorNumber) {
    Error error = systemError("reserve space for swapping", options.folder, errorNumber);
    if (errorNumber == ENOSPC)
        error.message = "cannot reserve space for swapping: expected " + byteSizeText(options.bytes) +
                        " free, found " + byteSizeText(freeBytes) +
                        "; free some space, choose another folder or a smaller size";
    return error;
}

/// Writes all of data. @returns 0 or -errno
int writeAll(SwapDevice& device, int file, std::span<const std::byte> data, int64_t offset) {
    while (!data.empty()) {
        const int64_t written = retried(
            [&] { return device.writeAt(file, data.data(), static_cast<int64_t>(data.size()), offset); });
        if (written <= 0) return written == 0 ? -EIO : static_cast<int>(written);
        data = data.subspan(static_cast<size_t>(written));
        offset += written;
    }
    return 0;
}

} // namespace

Result<SwapSpace> SwapSpace::create(const SpaceOptions& options, SwapDevice& device) {
    SwapSpace space(device);
    const StaleSwap stale = removeStaleSwap(options.folder, device);
    if (stale.files > 0)
        space.m_notes.push_back("removed " + std::to_string(stale.files) + " swap file(s) of dead owners, " +
                                byteSizeText(stale.bytes));
    HOMEBOOTH_CHECK(space.openNamed(options));
    HOMEBOOTH_CHECK(space.reserve(options));
    if (space.m_cancelled) return space;
    HOMEBOOTH_CHECK(space.tryDirect());
    space.noteMemoryDisk();
    return space;
}

/// Makes, opens and locks a file. One that cleans up could take the new file for a stale one in the moment
/// before it is locked; then another is made.
Result<void> SwapSpace::openNamed(const SpaceOptions& options) {
    constexpr int kAttempts = 16;
    constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        m_path = options.folder + "/" + swapFileName(options.keep); // before there is anything to lose
        const int file = retried([&] { return m_device->open(m_path.c_str(), kFlags, 0600); });
        if (file == -EEXIST) continue;
        if (file < 0) return systemError("make a swap file", options.folder, -file);
        m_file = file;
        const int locked = retried([&] { return m_device->lock(file); });
        // Where there are no locks, nobody cleans up either.
        const bool taken = locked == -EACCES || locked == -EAGAIN;
        if (!taken && namesOpenFile(m_path, file)) {
            m_keep = options.keep;
            return {};
        }
        close();
    }
    return Error{
        ErrorCode::BadInput,
        "cannot make a swap file: expected a folder that nobody else cleans up, found that new files "
        "vanish from it; choose another folder",
        options.folder};
}

Result<void> SwapSpace::reserve(const SpaceOptions& options) {
    HOMEBOOTH_ASSIGN(const DiskFacts disk, diskFacts(options.folder));
    // Trying it all the same would fill the disk to its brim first, under the feet of other programs. Some
    // file systems give no figures at all.
    if (disk.totalBytes > 0 && disk.freeBytes < options.bytes)
        return cannotReserve(options, disk.freeBytes, ENOSPC);
    int result = retried([&] { return m_device->reserve(m_file, options.bytes); });
    if (result == -EOPNOTSUPP || result == -ENOSYS) {
        m_notes.emplace_back("this file system cannot reserve space: zeros were written instead");
        HOMEBOOTH_ASSIGN(result, writeZeros(options));
    }
    if (result < 0) return cannotReserve(options, disk.freeBytes, -result);
    return {};
}

/// @returns 0 or -errno. Errors: OutOfResources (memory)
Result<int> SwapSpace::writeZeros(const SpaceOptions& options) {
    constexpr int64_t kPieceBytes = int64_t{4} << 20;
    HOMEBOOTH_ASSIGN(const PageMemory zeros,
                     PageMemory::create(std::min(kPieceBytes, options.bytes), PageSize::Huge));
    for (int64_t done = 0; done < options.bytes;) {
        if (options.cancel.requested()) {
            m_cancelled = true;
            return 0;
        }
        const int64_t count = std::min(kPieceBytes, options.bytes - done);
        const int result = writeAll(*m_device, m_file, zeros.bytes().first(static_cast<size_t>(count)), done);
        if (result < 0) return result;
        done += count;
        if (options.progress) options.progress(done, options.bytes);
    }
    // Space is only certain once the data are on the disk.
    const int result = retried([&] { return m_device->syncData(m_file); });
    ::posix_fadvise(m_file, 0, 0, POSIX_FADV_DONTNEED);
    return result;
}

/// Whether O_DIRECT works is known when it has: some file systems take the flag and refuse the transfers.
Result<void> SwapSpace::tryDirect() {
    HOMEBOOTH_ASSIGN(const PageMemory probe, PageMemory::create(kSwapAlignment));
    int64_t result = m_device->setDirect(m_file, true);
    const bool flagged = result == 0;
    if (flagged) result = writeAll(*m_device, m_file, probe.bytes(), 0);
    if (result == 0)
        result = retried([&] { return m_device->readAt(m_file, probe.bytes().data(), kSwapAlignment, 0); });
    m_direct = flagged && result >= 0;
    if (m_direct) return {};
    const bool refused = result == -EINVAL || result == -EOPNOTSUPP || result == -ENOSYS;
    if (!refused) return systemError("try the swap file", m_path, static_cast<int>(-result));
    if (flagged && m_device->setDirect(m_file, false) < 0)
        return systemError("use the swap file without O_DIRECT", m_path, EIO);
    m_notes.push_back(
        "O_DIRECT is refused here (" + std::string(std::strerror(static_cast<int>(-result))) +
        "): transfers go through the page cache, one after another, which is slower and takes RAM");
    return {};
}

void SwapSpace::noteMemoryDisk() {
    struct statfs status {};
    if (::fstatfs(m_file, &status) != 0) return;
    if (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC)
        m_notes.emplace_back("this folder lies in RAM: swapping to it saves none; choose a folder on a disk");
}

SwapSpace::SwapSpace(SwapSpace&& other) noexcept
    : m_device(other.m_device)
    , m_path(std::move(other.m_path))
    , m_file(std::exchange(other.m_file, -1))
    , m_keep(other.m_keep)
    , m_direct(other.m_direct)
    , m_cancelled(other.m_cancelled)
    , m_notes(std::move(other.m_notes)) {}

SwapSpace& SwapSpace::operator=(SwapSpace&& other) noexcept {
    std::swap(m_device, other.m_device);
    std::swap(m_path, other.m_path);
    std::swap(m_file, other.m_file);
    std::swap(m_keep, other.m_keep);
    std::swap(m_direct, other.m_direct);
    std::swap(m_cancelled, other.m_cancelled);
    std::swap(m_notes, other.m_notes);
    return *this;
}

SwapSpace::~SwapSpace() {
    if (m_file >= 0) close();
}

void SwapSpace::close() noexcept {
    if (!m_keep && namesOpenFile(m_path, m_file)) ::unlink(m_path.c_str());
    ::close(std::exchange(m_file, -1));
}

} // namespace homebooth::core
