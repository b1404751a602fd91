// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures, and shards, that could not be used, until it is decided whether to go on without them.
// A value; one thread.
#pragma once

#include "core/base/run/event.h"
#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

class BrokenPictures {
public:
    void add(const std::string& path, const std::string& reason) { m_found.push_back({path, reason}); }
    [[nodiscard]] bool empty() const { return m_found.empty(); }

    /// With `skip` a warning for each and the list is forgotten; else an error that names them all.
    /// Errors: BadInput
    [[nodiscard]] Result<void> settle(bool skip, EventSink& events);

private:
    struct Broken {
        std::string path;
        std::string reason;
    };
    std::vector<Broken> m_found;
};

} // namespace homebooth::core
