// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs that wait for their turn and are no run yet: pictures to be made. Free functions on the library's
// thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct QueuedRequest {
    int64_t id = 0;
    std::string kind;    ///< "pictures"
    std::string title;   ///< the model's name for people
    std::string request; ///< JSON, as the engine takes it
    int64_t createdMs = 0;

    friend bool operator==(const QueuedRequest&, const QueuedRequest&) = default;
};

/// In their order.
[[nodiscard]] Result<std::vector<QueuedRequest>> loadQueue(const Library& library);

/// Writes the whole queue in one transaction; what is not in it is dropped.
[[nodiscard]] Result<void> saveQueue(Library& library, const std::vector<QueuedRequest>& queue);

} // namespace homebooth::core
