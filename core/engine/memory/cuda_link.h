// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The link between RAM and a GPU: a stream of copies beside LibTorch's current stream of that GPU.
// To the GPU, `wait` makes what is computed from then on come after the copy, and the host goes on; from it,
// the host waits; that is what counts as waiting. One owner thread; `copyAfter` and `wait` of a link from the
// GPU also from another one.
#pragma once

#include "core/base/memory/link.h"

#include "kernels/transfer/copy_stream.h"

#include <c10/core/Device.h>

#include <atomic>
#include <memory>

namespace homebooth::core {

enum class LinkDirection { ToDevice, ToHost };

class CudaLink final : public Link {
public:
    /// Errors: throws c10::Error where the GPU refuses a stream
    CudaLink(at::Device device, LinkDirection direction);

    /// Errors: this and the others throw c10::Error when the GPU fails
    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override;
    [[nodiscard]] LinkTicket copyAfter(LinkMark mark, void* target, const void* source,
                                       int64_t bytes) override;
    void copyAllAfter(LinkMark mark, std::span<const LinkCopy> copies, LinkTicket& last) override;
    [[nodiscard]] LinkMark mark() override;
    void wait(LinkTicket ticket) override;
    void settle() override;
    [[nodiscard]] LinkTraffic traffic() const override;

private:
    void waitOnHost(LinkTicket ticket);

    LinkDirection m_direction;
    std::unique_ptr<kernels::CopyStream> m_stream;
    std::atomic<LinkTicket> m_last{0};
    std::atomic<int64_t> m_bytes{0};
    std::atomic<int64_t> m_copies{0};
    std::atomic<double> m_waitedSeconds{0.0};
};

} // namespace homebooth::core
