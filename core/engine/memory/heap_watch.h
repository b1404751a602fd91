// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the process about as large as what it holds: freed memory stays in the heap, because taking it from
// the system again costs time, but tensors of many sizes leave holes there that no later tensor fits into.
// Held by whoever runs a pass; one thread.
#pragma once

#include <cstdint>

namespace homebooth::core {

class HeapWatch {
public:
    /// @param bytes  that tensors take at most, by plan; below 1 GiB holes are worth less than the time, and
    ///               nothing is given back. As if it were 0 until it is said.
    void expect(int64_t bytes) { m_expectedBytes = bytes; }

    /// Between two blocks: gives the heap's holes back where the process is larger than what is expected and
    /// what lies outside of tensors (libraries, scratch memory), by more than one part in 128.
    /// @returns whether it gave something back
    bool betweenBlocks();

private:
    int64_t m_expectedBytes = 0;
    int64_t m_outsideBytes = -1;   // the least that was seen
    int64_t m_unexpectedBytes = 0; // what giving back did not help against
};

} // namespace homebooth::core
