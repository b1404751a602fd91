// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the process about as large as what it holds: freed memory stays in the heap, because taking it from
// the system again costs time, but tensors of many sizes leave holes there that no later tensor fits into.
// Where memory is short they are given back whenever the process has outgrown its plan; else only where the
// process is at its largest (TrimRule).
// Held by whoever runs a pass; one thread.
#pragma once

#include "core/base/memory/trim_rule.h"

#include <cstddef>
#include <cstdint>

namespace homebooth::core {

class HeapWatch {
public:
    /// Another plan is learned anew.
    /// @param bytes  that tensors take at most, by plan; below 1 GiB holes are worth less than the time, and
    ///               nothing is given back. As if it were 0 until it is said.
    /// @param limitBytes  that the process may take as the user set it; 0: no such limit
    void expect(int64_t bytes, int64_t limitBytes = 0);

    /// A pass begins, of so many points at which the heap is looked at, each once and in their order.
    void passBegins(size_t points);
    /// Gives the heap's holes back where that is worth it now. @returns  whether it did
    bool before(size_t point);
    void passEnds();

    /// How often holes were given back, up to now.
    [[nodiscard]] int64_t trims() const { return m_trims; }

private:
    [[nodiscard]] int64_t outsideBytes();
    [[nodiscard]] bool isShort();
    bool keepToPlan();
    void giveBack();

    int64_t m_expectedBytes = 0;
    int64_t m_limitBytes = 0;
    bool m_short = false; // in the running pass
    TrimRule m_rule;
    int64_t m_leastOutsideBytes = -1; // that was seen
    int64_t m_unexpectedBytes = 0;    // what giving back did not help against
    int64_t m_trims = 0;
};

} // namespace homebooth::core
