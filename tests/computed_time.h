// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the test's program computes, on all its threads: a bound on it holds however busy the machine is,
// since waits for a processor are left out, and so are those for disks and locks. Any thread.
#pragma once

#include "tests/patience.h"

#include <cstdint>
#include <ctime>

namespace homebooth::testing {

/// Counts from its making on.
class ComputedTime {
public:
    /// Milliseconds so far.
    [[nodiscard]] int64_t ms() const { return nowMs() - m_begin; }
    /// Whether it is less than so many so far, or than sanitizers make of them.
    [[nodiscard]] bool isBelow(int64_t limitMs) const { return ms() < limitMs * HOMEBOOTH_TEST_SLOWNESS; }

private:
    static int64_t nowMs() {
        timespec now{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
        return int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
    }
    int64_t m_begin = nowMs();
};

} // namespace homebooth::testing
