// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Before which points of a pass the heap's holes are given back. Taking pages from the system again costs
// time, and holes only matter where the process is at its largest; a pass does the same each time, so the
// first one says where that is.
//
//   learning --(a whole pass, the holes given back before every point)--> following
//
// 1. While it learns, a point begins with a clean heap: how large the process is behind it is what the point
//    needs. The largest need is the floor; no giving back gets below it.
// 2. Then holes are given back before points that come near the floor, where the holes that are there would,
//    if nothing fitted into them, bring the process above the floor and what is tolerated.
// 3. Whatever happens, they are given back once the process is larger than that; the point that made it so is
//    one of 2. from then on.
// 4. What giving back does not help against (memory that another part of the program has taken) is added to
//    the needs, so that it is not looked for again.
// Fed with readings; asks nobody. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

class TrimRule {
public:
    explicit TrimRule(int64_t toleratedBytes = 0)
        : m_toleratedBytes(toleratedBytes) {}

    /// A pass begins; what one that was broken off would have taught is left out. Another number of points is
    /// another pass, to be learned anew.
    void passBegins(size_t points);
    /// Whether to give holes back before `point`. Points come in their order, each once.
    /// @param residentBytes  of the process
    [[nodiscard]] bool trims(size_t point, int64_t residentBytes);
    /// Holes were given back before the point that was asked about last. @param residentBytes  that are left
    void trimmed(int64_t residentBytes);
    void passEnds(int64_t residentBytes);

    [[nodiscard]] bool learns() const { return m_learns; }

private:
    struct Point {
        int64_t cleanBytes = 0; // of the process as the point begins without holes
        int64_t needBytes = 0;  // of it, at most, when it began so
        bool high = false;      // holes matter before it
    };

    void look(int64_t residentBytes);
    void learned();
    [[nodiscard]] int64_t limitBytes() const { return m_floorBytes + m_toleratedBytes; }

    int64_t m_toleratedBytes;
    std::vector<Point> m_points;
    bool m_learns = true;
    int64_t m_floorBytes = 0;
    std::optional<size_t> m_running; // the point that was asked about last
    bool m_beganClean = false;       // that point
};

} // namespace homebooth::core
