// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures, shards and captions that could not be used, until it is decided whether to go on without them.
// A value; one thread.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

struct JobContext;

class BrokenPictures {
public:
    /// @param mayLeaveOut  whether what lacks a caption that is understood is left out, too, instead of an
    /// error
    explicit BrokenPictures(bool mayLeaveOut = false)
        : m_mayLeaveOut(mayLeaveOut) {}

    void add(const std::string& path, const std::string& reason) { m_found.push_back({path, reason}); }
    [[nodiscard]] bool empty() const { return m_found.empty(); }
    [[nodiscard]] bool mayLeaveOut() const { return m_mayLeaveOut; }

    /// With `skip` a warning for each, which also counts them, and the list is forgotten; else an error that
    /// counts them and names the first.
    /// Errors: BadInput
    [[nodiscard]] Result<void> settle(bool skip, EventSink& events);
    /// The same before the first step, as the job's settings have it. Where a run goes on in its middle, to
    /// go on without them is no way: what it learns from must stay. Errors: BadInput
    [[nodiscard]] Result<void> settleAtStart(const JobContext& job);

private:
    struct Broken {
        std::string path;
        std::string reason;
    };
    [[nodiscard]] Error unusable(const char* advice) const;

    std::vector<Broken> m_found;
    bool m_mayLeaveOut;
};

} // namespace homebooth::core
