// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/swap_pages.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// As SwappedMemory has them: of the pages in memory, those that may wait to be written, or be read ahead
/// of their hold, are one in so many.
constexpr size_t kShareToWrite = 4;
constexpr size_t kShareAhead = 2;

} // namespace

SwapPages::SwapPages(int64_t bytes, int64_t pageBytes, int64_t windowBytes)
    : m_pageBytes(pageBytes)
    , m_most(static_cast<size_t>(std::max<int64_t>(1, windowBytes / pageBytes)))
    , m_pages(static_cast<size_t>((bytes + pageBytes - 1) / pageBytes)) {}

/// The first page and the one behind the last.
std::pair<size_t, size_t> SwapPages::pagesOf(const SwapStretch& stretch) const {
    if (stretch.bytes <= 0) return {0, 0};
    const auto page = [this](int64_t byte) { return static_cast<size_t>(byte / m_pageBytes); };
    return {page(stretch.begin), std::min(page(stretch.begin + stretch.bytes - 1) + 1, m_pages.size())};
}

void SwapPages::want(const SwapStretch& stretch) {
    const auto [first, end] = pagesOf(stretch);
    for (size_t page = first; page < end; ++page) m_wanted.push_back(page);
    readAhead();
}

void SwapPages::forgetWanted() {
    m_wanted.clear();
    for (size_t page = 0; page < m_pages.size() && m_ahead > 0; ++page)
        if (m_pages[page].state == State::Ahead) {
            --m_ahead;
            rest(page, false);
        }
}

void SwapPages::hold(const SwapStretch& stretch) {
    const auto [first, end] = pagesOf(stretch);
    for (size_t page = first; page < end; ++page) { // first: none of them makes place for another
        Page& one = m_pages[page];
        if (++one.holds > 1) continue;
        if (one.state == State::Here) {
            m_idle.erase(one.place);
            if (one.changed) --m_idleChanged;
        }
        if (one.state == State::Ahead) {
            --m_ahead;
            one.state = State::Here;
        }
    }
    for (size_t page = first; page < end; ++page) {
        if (m_pages[page].state != State::OnDisk) continue;
        makePlace();
        m_pages[page].state = State::Here;
        ++m_inMemory;
        ++m_reads;
    }
}

void SwapPages::release(const SwapStretch& stretch, bool changed) {
    const auto [first, end] = pagesOf(stretch);
    for (size_t page = first; page < end; ++page) {
        m_pages[page].changed = m_pages[page].changed || changed;
        if (--m_pages[page].holds == 0) rest(page, false);
    }
    writeBehind(m_most / kShareToWrite);
    while (m_inMemory > m_most && dropOldest()) {
    }
    readAhead();
}

/// Nobody holds the page: it may go, before or behind all others.
void SwapPages::rest(size_t page, bool first) {
    Page& one = m_pages[page];
    one.state = State::Here;
    one.place = m_idle.insert(first ? m_idle.begin() : m_idle.end(), page);
    if (one.changed) ++m_idleChanged;
}

void SwapPages::makePlace() {
    while (m_inMemory >= m_most) {
        if (dropOldest()) continue;
        if (m_idleChanged == 0) return; // all of it is held: that goes beyond
        writeBehind(0);
    }
}

bool SwapPages::dropOldest() {
    const auto found =
        std::find_if(m_idle.begin(), m_idle.end(), [this](size_t page) { return !m_pages[page].changed; });
    if (found == m_idle.end()) return false;
    m_pages[*found].state = State::OnDisk;
    m_idle.erase(found);
    --m_inMemory;
    return true;
}

/// Writes changed pages that nobody holds, the oldest first, until `most` of them are left. They are the
/// first to go then.
void SwapPages::writeBehind(size_t most) {
    for (auto next = m_idle.begin(); next != m_idle.end() && m_idleChanged > most;) {
        const size_t page = *next;
        if (!m_pages[page].changed) {
            ++next;
            continue;
        }
        next = m_idle.erase(next);
        m_pages[page].changed = false;
        --m_idleChanged;
        ++m_writes;
        rest(page, true);
    }
}

void SwapPages::readAhead() {
    for (; !m_wanted.empty(); m_wanted.pop_front()) {
        const size_t page = m_wanted.front();
        Page& one = m_pages[page];
        if (one.state == State::Here && one.holds == 0) m_idle.splice(m_idle.end(), m_idle, one.place);
        if (one.state != State::OnDisk) continue;
        if (m_ahead >= std::max<size_t>(1, m_most / kShareAhead)) return;
        if (m_inMemory >= m_most && !dropOldest()) return;
        one.state = State::Ahead;
        ++m_inMemory;
        ++m_ahead;
        ++m_reads;
    }
}

} // namespace homebooth::core
