// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A flag that one thread (or a signal handler) raises and long work looks at between its pieces.
// Copies share the flag; safe from any thread; `request` is async-signal-safe.
#pragma once

#include <atomic>
#include <memory>

namespace homebooth::core {

class CancelToken {
public:
    CancelToken()
        : m_flag(std::make_shared<std::atomic<bool>>(false)) {}

    void request() const { m_flag->store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool requested() const { return m_flag->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_flag;
};

} // namespace homebooth::core
