// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker whose supervisor died is told to save and stop, like one whose user wants a rest. What it says of
// its end must tell the two apart. ParentWatch is a value of its program; any thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <cstdint>

namespace homebooth::core {

class ParentWatch {
public:
    /// The program that started this one is remembered.
    ParentWatch();
    /// Whether it ended since.
    [[nodiscard]] bool gone() const;

private:
    int64_t m_parent = 0;
};

/// The end of a job that stopped, as it is told where nobody asked for it: a failure
/// (FailureCause::EngineEnded) that keeps what was saved. Other ends stay as they are.
[[nodiscard]] OutcomeEvent orphanedOutcome(OutcomeEvent outcome);

} // namespace homebooth::core
