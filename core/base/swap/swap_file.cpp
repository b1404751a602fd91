// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/swap/swap_file.h"

#include "core/base/config/byte_size.h"
#include "core/base/files/atomic_file.h"
#include "core/base/memory/page_memory.h"
#include "core/base/swap/swap_queue.h"
#include "core/base/swap/swap_space.h"
#include "core/base/swap/thread_ring.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <sys/resource.h>
#include <system_error>

namespace homebooth::core {
namespace {

Result<void> checkSizes(const SwapOptions& options) {
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;
    std::string found;
    if (options.pageBytes <= 0 || options.pageBytes % kSwapAlignment != 0)
        found = "pages that are a multiple of " + std::to_string(kSwapAlignment) + " bytes long, found " +
                std::to_string(options.pageBytes);
    else if (options.pageCount <= 0 || options.pageCount > kMost / options.pageBytes)
        found = "at least one page and less than 2^62 bytes, found " + std::to_string(options.pageCount) +
                " pages of " + byteSizeText(options.pageBytes);
    else if (options.depth < 1 || options.depth > kMaxSwapDepth)
        found = "1 to " + std::to_string(kMaxSwapDepth) + " requests in flight, found " +
                std::to_string(options.depth);
    if (found.empty()) return {};
    return Error{ErrorCode::Usage, "cannot make a swap file: expected " + found + "; choose another size",
                 options.folder};
}

/// Reads the first block through the ring. @returns 0 or -errno
int tryRing(SwapRing& ring, std::span<std::byte> block) {
    const SwapTransfer transfer{false, block.data(), static_cast<int64_t>(block.size()), 0, 0};
    if (const int result = ring.submit(transfer); result < 0) return result;
    std::array<SwapCompletion, 1> done;
    while (ring.wait(done) == 0) {
    }
    if (done[0].result > 0) return 0;
    return done[0].result < 0 ? static_cast<int>(done[0].result) : -EIO;
}

std::string refusedRegistration(int result) {
    struct rlimit limit {};
    std::string lockable;
    if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        lockable = "; an ordinary user may lock " + byteSizeText(static_cast<int64_t>(limit.rlim_cur)) +
                   ", ulimit -l";
    return "buffers could not be registered (" + std::string(std::strerror(-result)) + lockable +
           "): transfers take a little more processor time";
}

/// io_uring where it works, else threads; says in `facts` which and why.
Result<std::unique_ptr<SwapRing>> openRing(const SwapOptions& options, SwapDevice& device,
                                           const SwapSpace& space, SwapFacts& facts) {
    std::unique_ptr<SwapRing> ring;
    if (space.direct()) {
        HOMEBOOTH_ASSIGN(const PageMemory block, PageMemory::create(kSwapAlignment));
        int result = device.openRing(space.file(), options.depth, ring);
        if (result == 0) result = tryRing(*ring, block.bytes());
        facts.ring = result == 0;
        if (!facts.ring)
            facts.notes.push_back("io_uring is refused here (" + std::string(std::strerror(-result)) +
                                  "): plain reads and writes on threads take its place");
    }
    if (!facts.ring) {
        ring.reset();
        const int result = ThreadRing::open(device, space.file(), options.depth, !space.direct(), ring);
        if (result < 0) return systemError("start threads for swapping", space.path(), -result);
    } else if (!options.buffers.empty()) {
        const int result = ring->registerBuffers(options.buffers);
        facts.registered = result == 0;
        if (result < 0) facts.notes.push_back(refusedRegistration(result));
    }
    return ring;
}

} // namespace

struct SwapFile::Parts {
    SwapSpace space; // must outlive the queue
    SwapFacts facts;
    int64_t pageBytes;
    std::unique_ptr<SwapQueue> queue;

    [[nodiscard]] Error errorOf(const SwapEnd& end) const;
};

Error SwapFile::Parts::errorOf(const SwapEnd& end) const {
    const std::string page = "page " + std::to_string(end.slot);
    const std::string path = facts.path;
    switch (end.error) {
    case SwapEnd::kEmptySlot:
        return {ErrorCode::Internal,
                "cannot read " + page +
                    " of the swap file: expected one that was written, found none; report this fault",
                path};
    case SwapEnd::kLostSlot:
        return badInput("cannot read " + page +
                            " of the swap file: expected its last write to have ended well, but it failed or "
                            "was cancelled; go on from the last checkpoint",
                        path);
    case SwapEnd::kFileEnd:
        return badInput("cannot read " + page + " of the swap file: expected " + byteSizeText(pageBytes) +
                            ", found the file's end; something cut it; go on from the last checkpoint",
                        path);
    default:
        return systemError((end.write ? "write " : "read ") + page + " of the swap file", path, end.error);
    }
}

Result<std::unique_ptr<SwapFile>> SwapFile::create(const SwapOptions& options, SwapDevice& device) {
    HOMEBOOTH_CHECK(checkSizes(options));
    const SpaceOptions space{options.folder, options.pageBytes * options.pageCount, options.keepFile,
                             options.progress, options.cancel};
    HOMEBOOTH_ASSIGN(SwapSpace made, SwapSpace::create(space, device));
    if (made.cancelled() || options.cancel.requested()) return std::unique_ptr<SwapFile>();
    SwapFacts facts;
    facts.path = made.path();
    facts.direct = made.direct();
    facts.notes = made.notes();
    HOMEBOOTH_ASSIGN(auto ring, openRing(options, device, made, facts));
    const QueueLayout layout{options.pageBytes, options.pageCount, device.largestTransferBytes(),
                             options.depth, made.direct()};
    auto parts =
        std::make_unique<Parts>(Parts{std::move(made), std::move(facts), options.pageBytes, nullptr});
    try {
        parts->queue = std::make_unique<SwapQueue>(std::move(ring), layout);
    } catch (const std::system_error& failure) {
        return systemError("start a thread for swapping", options.folder, failure.code().value());
    }
    return std::unique_ptr<SwapFile>(new SwapFile(std::move(parts)));
}

SwapFile::SwapFile(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts)) {}

SwapFile::~SwapFile() = default;

SwapTicket SwapFile::write(int64_t slot, std::span<const std::byte> data) {
    // The queue has one kind of request; it only reads what is to be written.
    return m_parts->queue->submit(true, slot, const_cast<std::byte*>(data.data()),
                                  static_cast<int64_t>(data.size()));
}

SwapTicket SwapFile::read(int64_t slot, std::span<std::byte> data) {
    return m_parts->queue->submit(false, slot, data.data(), static_cast<int64_t>(data.size()));
}

bool SwapFile::finished(SwapTicket ticket) const {
    return m_parts->queue->finished(ticket);
}

Result<SwapOutcome> SwapFile::wait(SwapTicket ticket) {
    const SwapEnd end = m_parts->queue->wait(ticket);
    if (end.error != 0) return m_parts->errorOf(end);
    return end.cancelled ? SwapOutcome::Cancelled : SwapOutcome::Done;
}

Result<void> SwapFile::drain() {
    std::optional<SwapEnd> first;
    while (const auto end = m_parts->queue->waitOldest())
        if (end->error != 0 && !first) first = end;
    if (first) return m_parts->errorOf(*first);
    return {};
}

void SwapFile::cancel(SwapTicket ticket) {
    m_parts->queue->cancel(ticket);
}

void SwapFile::cancelAll() {
    m_parts->queue->cancelAll();
}

const SwapFacts& SwapFile::facts() const {
    return m_parts->facts;
}

SwapCounters SwapFile::counters() const {
    return m_parts->queue->counters();
}

} // namespace homebooth::core
