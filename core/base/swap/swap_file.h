// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbered pages on a disk, written behind and read ahead while the caller computes.
// A caller owns the SwapFile and every buffer that it hands in. One thread submits and waits; another one,
// inside, keeps up to `depth` requests in flight through io_uring and O_DIRECT. Invariants:
// 1. A buffer is the caller's again when `wait` or `drain` has returned for its ticket, never before, also
//    after `cancel`. The destructor waits for what is in flight, so buffers must outlive the SwapFile.
// 2. Requests on one slot run in the order of submission; those on different slots in any order.
// 3. A slot can be read only after a write that ended well; anything else fails. No old bytes come back.
// 4. Space is reserved before `create` returns; nothing outlives the file but what `keepFile` asks for.
#pragma once

#include "core/base/swap/swap_device.h"
#include "core/base/util/cancel.h"
#include "core/base/util/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace homebooth::core {

struct SwapOptions {
    std::string folder;                   ///< existing, on the disk to swap to
    int64_t pageBytes = int64_t{4} << 20; ///< of a slot; a multiple of kSwapAlignment
    int64_t pageCount = 0;                ///< slots: 0 ... pageCount - 1
    int depth = 8;                        ///< requests in flight, 1 ... kMaxSwapDepth
    bool keepFile = false;                ///< leave the file behind, under a name that nobody cleans up
    /// Memory of most requests, best huge pages of PageMemory; registered where that is allowed.
    std::vector<std::span<std::byte>> buffers;
    /// Hears (done, total) bytes where space can only be reserved by writing zeros, which takes long.
    std::function<void(int64_t, int64_t)> progress;
    CancelToken cancel; ///< looked at while space is reserved
};

/// How this file works, and why not better.
struct SwapFacts {
    std::string path;
    bool ring = false;              ///< io_uring; otherwise plain reads and writes on threads
    bool direct = false;            ///< O_DIRECT; otherwise through the page cache, each write waited for
    bool registered = false;        ///< buffers are known to the kernel
    std::vector<std::string> notes; ///< one sentence for each thing that had to be done without
};

struct SwapCounters {
    int64_t bytesRead = 0;
    int64_t bytesWritten = 0;
};

using SwapTicket = uint64_t;
enum class SwapOutcome { Done, Cancelled };

class SwapFile {
public:
    /// Removes swap files of dead owners in the folder, makes one, reserves its space, tries what works.
    /// @returns null when cancelled. @param device  for tests
    /// Errors: Usage (sizes), OutOfResources (space, memory, open files), BadInput (folder, disk)
    [[nodiscard]] static Result<std::unique_ptr<SwapFile>> create(const SwapOptions& options,
                                                                  SwapDevice& device = SwapDevice::system());

    /// Begins to write data into a slot, or to read from it.
    /// @param data  aligned to kSwapAlignment, a multiple of it long, at most a page
    [[nodiscard]] SwapTicket write(int64_t slot, std::span<const std::byte> data);
    [[nodiscard]] SwapTicket read(int64_t slot, std::span<std::byte> data);

    [[nodiscard]] bool finished(SwapTicket ticket) const;

    /// Returns when the request has ended; the ticket is then used up.
    /// Errors: BadInput (the disk failed, now or at the slot's last write), OutOfResources; Internal for a
    /// slot that was never written
    [[nodiscard]] Result<SwapOutcome> wait(SwapTicket ticket);

    /// Waits for all tickets and uses them up. Errors: the first one's, as of `wait`
    [[nodiscard]] Result<void> drain();

    /// A request that has not begun will not begin; one that has goes on. A cancelled write leaves its slot
    /// without content. Its ticket must be waited for all the same.
    void cancel(SwapTicket ticket);
    void cancelAll();

    [[nodiscard]] const SwapFacts& facts() const;
    [[nodiscard]] SwapCounters counters() const;

    ~SwapFile();
    SwapFile(const SwapFile&) = delete;
    SwapFile& operator=(const SwapFile&) = delete;

private:
    struct Parts;
    explicit SwapFile(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace homebooth::core
