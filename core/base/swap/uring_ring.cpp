// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// An entry that the kernel would not take at once stays in the submission queue: taking it back is not
// possible, and it must not be submitted after its memory was given up. So it is offered again, and when the
// kernel never takes it, nothing is offered through this ring any more.
#include "core/base/swap/uring_ring.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr int kRetryMs = 1;
constexpr int kMaxFlushFailures = 2000;                 // about two seconds
constexpr size_t kLargestBufferBytes = size_t{1} << 30; // the kernel's limit for one registered buffer

bool isTransient(int result) {
    return result == -EINTR || result == -EAGAIN || result == -EBUSY;
}

bool canReadAndWrite(io_uring& ring) {
    io_uring_probe* probe = io_uring_get_probe_ring(&ring);
    if (probe == nullptr) return false;
    const bool can = io_uring_opcode_supported(probe, IORING_OP_READ) != 0 &&
                     io_uring_opcode_supported(probe, IORING_OP_WRITE) != 0;
    io_uring_free_probe(probe);
    return can;
}

} // namespace

int UringRing::open(int file, int depth, std::unique_ptr<SwapRing>& ring) {
    std::unique_ptr<UringRing> made(new UringRing(file, depth));
    const int result = made->start(depth);
    if (result == 0) ring = std::move(made);
    return result;
}

UringRing::UringRing(int file, int depth)
    : m_file(file) {
    m_waiting.reserve(static_cast<size_t>(depth));
}

int UringRing::start(int depth) {
    const int result = io_uring_queue_init(static_cast<unsigned>(depth), &m_ring, 0);
    if (result < 0) return result;
    m_open = true;
    if (!canReadAndWrite(m_ring)) return -ENOSYS;
    m_wakeFile = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return m_wakeFile < 0 ? -errno : 0;
}

UringRing::~UringRing() {
    if (m_open) io_uring_queue_exit(&m_ring);
    if (m_wakeFile >= 0) ::close(m_wakeFile);
}

int UringRing::registerBuffers(std::span<const std::span<std::byte>> buffers) {
    std::vector<std::span<std::byte>> pieces;
    for (std::span<std::byte> rest : buffers)
        while (!rest.empty()) {
            pieces.push_back(rest.first(std::min(rest.size(), kLargestBufferBytes)));
            rest = rest.subspan(pieces.back().size());
        }
    std::vector<iovec> vectors;
    for (const auto& piece : pieces) vectors.push_back({piece.data(), piece.size()});
    const int result =
        io_uring_register_buffers(&m_ring, vectors.data(), static_cast<unsigned>(vectors.size()));
    if (result == 0) m_registered = std::move(pieces);
    return result;
}

int UringRing::registeredIndex(const SwapTransfer& transfer) const {
    for (size_t i = 0; i < m_registered.size(); ++i) {
        const std::byte* begin = m_registered[i].data();
        if (transfer.data >= begin && transfer.data + transfer.bytes <= begin + m_registered[i].size())
            return static_cast<int>(i);
    }
    return -1;
}

int UringRing::submit(const SwapTransfer& transfer) {
    if (m_broken != 0) return m_broken;
    io_uring_sqe* entry = io_uring_get_sqe(&m_ring);
    if (entry == nullptr) return -EAGAIN;
    const auto bytes = static_cast<unsigned>(transfer.bytes);
    const auto offset = static_cast<uint64_t>(transfer.offset);
    const int index = registeredIndex(transfer);
    if (transfer.write && index >= 0)
        io_uring_prep_write_fixed(entry, m_file, transfer.data, bytes, offset, index);
    else if (transfer.write)
        io_uring_prep_write(entry, m_file, transfer.data, bytes, offset);
    else if (index >= 0)
        io_uring_prep_read_fixed(entry, m_file, transfer.data, bytes, offset, index);
    else
        io_uring_prep_read(entry, m_file, transfer.data, bytes, offset);
    io_uring_sqe_set_data64(entry, transfer.tag);
    m_waiting.push_back(transfer.tag);
    flush();
    return 0;
}

void UringRing::flush() {
    const int taken = io_uring_submit(&m_ring);
    if (taken > 0) m_waiting.erase(m_waiting.begin(), m_waiting.begin() + taken);
    m_flushFailures = taken > 0 ? 0 : m_flushFailures + 1;
    if (taken < 0 && !isTransient(taken)) m_broken = taken;
    if (m_flushFailures > kMaxFlushFailures) m_broken = taken < 0 ? taken : -EBUSY;
}

int UringRing::wait(std::span<SwapCompletion> completions) {
    while (true) {
        if (!m_waiting.empty() && m_broken == 0) flush();
        if (const int count = m_broken != 0 ? giveUp(completions) : 0; count > 0) return count;
        if (const int count = collect(completions); count > 0) return count;
        std::array<pollfd, 2> files{pollfd{m_ring.ring_fd, POLLIN, 0}, pollfd{m_wakeFile, POLLIN, 0}};
        // Where poll itself fails, looking again and again does what it would have done.
        if (::poll(files.data(), files.size(), m_waiting.empty() ? -1 : kRetryMs) < 0 && errno != EINTR)
            std::this_thread::sleep_for(std::chrono::milliseconds(kRetryMs));
        if (woken()) return 0;
    }
}

/// Completions for what the kernel never took.
int UringRing::giveUp(std::span<SwapCompletion> completions) {
    const size_t count = std::min(completions.size(), m_waiting.size());
    for (size_t i = 0; i < count; ++i) completions[i] = {m_waiting[i], m_broken};
    m_waiting.erase(m_waiting.begin(), m_waiting.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<int>(count);
}

int UringRing::collect(std::span<SwapCompletion> completions) {
    size_t count = 0;
    io_uring_cqe* entry = nullptr;
    while (count < completions.size() && io_uring_peek_cqe(&m_ring, &entry) == 0 && entry != nullptr) {
        completions[count++] = {io_uring_cqe_get_data64(entry), entry->res};
        io_uring_cqe_seen(&m_ring, entry);
    }
    return static_cast<int>(count);
}

bool UringRing::woken() const {
    uint64_t count = 0;
    return ::read(m_wakeFile, &count, sizeof count) > 0;
}

void UringRing::wake() noexcept {
    const uint64_t one = 1;
    const ssize_t ignored = ::write(m_wakeFile, &one, sizeof one); // full: it is awake already
    (void)ignored;
}

} // namespace homebooth::core
