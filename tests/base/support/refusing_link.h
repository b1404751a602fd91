// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A link that has no memory for one of its copies. The test owns it; one thread, like every link.
#pragma once

#include "core/base/memory/link.h"

#include <new>

namespace homebooth::core {

class RefusingLink final : public Link {
public:
    /// @param refused  number of the copy that throws std::bad_alloc, counted from 0
    explicit RefusingLink(int refused)
        : m_untilRefusal(refused) {}
    [[nodiscard]] LinkTicket copy(void* target, const void* source, int64_t bytes) override {
        if (m_untilRefusal-- == 0) throw std::bad_alloc();
        return m_link.copy(target, source, bytes);
    }
    void wait(LinkTicket ticket) override { m_link.wait(ticket); }
    [[nodiscard]] LinkTraffic traffic() const override { return m_link.traffic(); }

private:
    int m_untilRefusal;
    HostLink m_link;
};

} // namespace homebooth::core
