// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/cuda_link.h"

#include "core/engine/memory/device_wait.h"

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <vector>

namespace homebooth::core {
namespace {

std::unique_ptr<kernels::CopyStream> streamBeside(at::Device device) {
    const c10::impl::VirtualGuardImpl guard(device.type());
    const at::Device which(device.type(), device.has_index() ? device.index() : guard.getDevice().index());
    std::unique_ptr<kernels::CopyStream> made;
    checkGpu(
        kernels::CopyStream::create(which.index(), guard.getStreamNativeHandle(guard.getStream(which)), made),
        "make a stream for copies");
    return made;
}

} // namespace

CudaLink::CudaLink(at::Device device, LinkDirection direction)
    : m_direction(direction)
    , m_stream(streamBeside(device)) {}

LinkTicket CudaLink::copy(void* target, const void* source, int64_t bytes) {
    return copyAfter(mark(), target, source, bytes);
}

LinkTicket CudaLink::copyAfter(LinkMark mark, void* target, const void* source, int64_t bytes) {
    const LinkCopy one{target, source, bytes};
    LinkTicket ticket = 0;
    copyAllAfter(mark, {&one, 1}, ticket);
    return ticket;
}

void CudaLink::copyAllAfter(LinkMark mark, std::span<const LinkCopy> copies, LinkTicket& last) {
    if (copies.empty()) return;
    std::vector<kernels::CopyStream::Copy> all;
    int64_t bytes = 0;
    for (const LinkCopy& one : copies) {
        all.push_back({one.target, one.source, one.bytes});
        bytes += one.bytes;
    }
    checkGpu(m_stream->copy(all, mark, last), "copy between RAM and GPU");
    m_bytes += bytes;
    m_copies += static_cast<int64_t>(copies.size());
    LinkTicket before = m_last; // two threads may copy
    while (before < last && !m_last.compare_exchange_weak(before, last)) {
    }
}

LinkMark CudaLink::mark() {
    LinkMark mark = 0;
    checkGpu(m_stream->mark(mark), "mark what is computed");
    return mark;
}

void CudaLink::wait(LinkTicket ticket) {
    if (m_direction == LinkDirection::ToDevice)
        checkGpu(m_stream->order(ticket), "wait for a copy to the GPU");
    else
        waitOnHost(ticket);
}

void CudaLink::settle() {
    waitOnHost(m_last);
}

void CudaLink::waitOnHost(LinkTicket ticket) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    checkGpu(m_stream->wait(ticket), "wait for a copy");
    m_waitedSeconds += std::chrono::duration<double>(Clock::now() - start).count();
}

LinkTraffic CudaLink::traffic() const {
    // To the GPU it is the stream that computes which waits: the host settles while that has work.
    const bool toDevice = m_direction == LinkDirection::ToDevice;
    return {m_bytes, m_copies, m_stream->busySeconds(),
            toDevice ? m_stream->stalledSeconds() : m_waitedSeconds.load()};
}

} // namespace homebooth::core
