// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Ends passes of networks between two blocks once a user asks for it, and tells there that they go on. One
// thread; the token may be used from any.
#pragma once

#include "core/base/util/cancel.h"
#include "core/engine/memory/executor.h"

#include <functional>
#include <utility>
#include <vector>

namespace homebooth::core {

/// Thrown out of a pass that is watched when its token is requested. Whoever watches catches it.
struct Cancelled {};

/// While it lives it has the observers of these executors, and leaves them empty.
class CancelWatch {
public:
    /// @param executors  borrowed
    /// @param alive      called after each block; may be empty
    CancelWatch(std::vector<Executor*> executors, const CancelToken& cancel,
                const std::function<void()>& alive = {})
        : m_executors(std::move(executors)) {
        for (Executor* executor : m_executors)
            executor->setObserver([cancel, alive](int, int) {
                if (cancel.requested()) throw Cancelled{};
                if (alive) alive();
            });
    }
    ~CancelWatch() {
        for (Executor* executor : m_executors) executor->setObserver({});
    }
    CancelWatch(const CancelWatch&) = delete;
    CancelWatch& operator=(const CancelWatch&) = delete;

private:
    std::vector<Executor*> m_executors;
};

} // namespace homebooth::core
