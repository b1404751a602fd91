// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory/chunk_stream.h"

#include "core/base/memory/place.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>

namespace homebooth::core {
namespace {

/// Of one copy, at most: what another link has come over the same bus waits for no more than that.
constexpr int64_t kMostCopyBytes = int64_t{16} << 20;

/// A block in copies that are not too large, one behind the other.
std::vector<LinkCopy> copiesOf(uint8_t* target, const uint8_t* source, int64_t bytes) {
    std::vector<LinkCopy> copies;
    for (int64_t begin = 0; begin < bytes; begin += kMostCopyBytes)
        copies.push_back(
            {placeIn(target, begin), placeIn(source, begin), std::min(kMostCopyBytes, bytes - begin)});
    return copies;
}

const char* nameOf(ChunkState state) {
    switch (state) {
    case ChunkState::Free:
        return "FREE";
    case ChunkState::Fetching:
        return "FETCHING";
    case ChunkState::Hold:
        return "HOLD";
    case ChunkState::Compute:
        return "COMPUTE";
    }
    return "?";
}

std::vector<const uint8_t*> homesInOneRow(const std::vector<Chunk>& chunks, const uint8_t* home) {
    std::vector<const uint8_t*> homes;
    for (const Chunk& chunk : chunks) {
        homes.resize(std::max(homes.size(), static_cast<size_t>(chunk.block) + 1), nullptr);
        if (chunk.blockOffsetBytes == 0)
            homes[static_cast<size_t>(chunk.block)] = placeIn(home, chunk.homeOffsetBytes);
    }
    return homes;
}

} // namespace

ChunkStream::ChunkStream(std::vector<Chunk> chunks, const uint8_t* home, Link& link)
    : ChunkStream(chunks, homesInOneRow(chunks, home), link) {}

ChunkStream::ChunkStream(std::vector<Chunk> chunks, std::vector<const uint8_t*> homes, Link& link)
    : m_chunks(std::move(chunks))
    , m_homes(std::move(homes))
    , m_link(link) {
    for (size_t i = 0; i < m_chunks.size(); ++i) {
        const auto block = static_cast<size_t>(m_chunks[i].block);
        if (block >= m_blockChunks.size()) m_blockChunks.resize(block + 1, {static_cast<int>(i), 0});
        ++m_blockChunks[block].second;
    }
}

ChunkStream::~ChunkStream() {
    dropFetches();
    try {
        m_link.settle(); // a GPU's link only puts things in order until then
    } catch (...) {      // nobody is left to hear of it
    }
}

void ChunkStream::use(ResidencyPlan plan, uint8_t* device) {
    forgetNextPass();
    endPass();
    for (size_t stay = 0; stay < m_plan.stays.size(); ++stay) leave(stay);
    m_plan = std::move(plan);
    for (const Stay& stay : m_plan.stays) // blocks without parameters have no chunks
        m_blockChunks.resize(std::max(m_blockChunks.size(), static_cast<size_t>(stay.block) + 1));
    m_device = device;
    m_tickets.assign(m_plan.stays.size(), 0);
    m_present.assign(m_plan.stays.size(), false);
    m_isAhead.assign(m_plan.stays.size(), false);
    m_nextFetch = 0;
    m_nextAhead = 0;
    m_nextUse = static_cast<int>(m_plan.stayOfUse.size());
}

void ChunkStream::beginPass() {
    endPass();
    m_isAhead.assign(m_plan.stays.size(), false); // what is there is there for this pass
    m_nextFetch = 0;
    m_nextAhead = 0;
    m_nextUse = 0;
    issueUntil(-1);
}

uint8_t* ChunkStream::acquire(int block) {
    if (isPassOver())
        throw std::logic_error("block " + std::to_string(block) + " is used after the planned pass ended");
    const int stay = m_plan.stayOfUse[m_nextUse];
    if (m_plan.stays[stay].block != block)
        throw std::logic_error("use " + std::to_string(m_nextUse) + " was planned for block " +
                               std::to_string(m_plan.stays[stay].block) + ", not " + std::to_string(block));
    issueUntil(m_nextUse);
    issueForNextPass();
    arrive(stay);
    setState(block, ChunkState::Hold, ChunkState::Compute);
    return placeIn(m_device, m_plan.stays[stay].offsetBytes);
}

void ChunkStream::release(int block) {
    const int stay = m_plan.stayOfUse.at(m_nextUse);
    setState(block, ChunkState::Compute, ChunkState::Hold);
    if (m_plan.stays[stay].lastUse == m_nextUse && !m_plan.stays[stay].permanent) leave(stay);
    ++m_nextUse;
}

void ChunkStream::endPass() {
    std::exception_ptr failure;
    const bool keepsAhead = isPassOver();
    bool awaitsAny = false;
    for (size_t stay = 0; stay < m_plan.stays.size(); ++stay) {
        if (!m_present[stay]) continue;
        if (keepsAhead && m_isAhead[stay]) {
            awaitsAny = true;
            continue;
        }
        for (Chunk& chunk : m_chunks) // a use that an exception ended
            if (chunk.block == m_plan.stays[stay].block && chunk.state == ChunkState::Compute)
                chunk.state = ChunkState::Hold;
        if (m_plan.stays[stay].permanent) continue;
        try {
            leave(stay);
        } catch (...) {
            failure = std::current_exception(); // nothing is on its way any more
        }
    }
    m_nextUse = static_cast<int>(m_plan.stayOfUse.size());
    if (!awaitsAny) m_link.settle();
    if (failure) std::rethrow_exception(failure);
}

void ChunkStream::forgetNextPass() noexcept {
    bool any = false;
    for (size_t stay = 0; stay < m_plan.stays.size(); ++stay) {
        if (!m_isAhead[stay]) continue;
        any = true;
        m_isAhead[stay] = false;
        try {
            leave(stay);
        } catch (...) { // nobody wants it any more
        }
    }
    m_nextAhead = m_plan.stays.size(); // until a pass begins
    if (!any) return;
    try {
        m_link.settle();
    } catch (...) { // the next pass hears of a link that fails
    }
}

void ChunkStream::issueUntil(int use) {
    for (; m_nextFetch < m_plan.stays.size(); ++m_nextFetch) {
        if (m_plan.stays[m_nextFetch].fetchAt > use) return;
        if (!m_present[m_nextFetch]) fetch(m_nextFetch);
    }
}

/// What the plan has come for the next pass, in its order.
void ChunkStream::issueForNextPass() {
    if (!m_isFinal) return;
    for (; m_nextAhead < m_plan.stays.size(); ++m_nextAhead) {
        const Stay& stay = m_plan.stays[m_nextAhead];
        if (stay.permanent) continue;
        const std::optional<int> due = stay.fetchInPassBefore(static_cast<int>(m_plan.stayOfUse.size()));
        if (!due || *due > m_nextUse || !m_isFinal(stay.block)) return;
        fetch(m_nextAhead);
        m_isAhead[m_nextAhead] = true;
    }
}

void ChunkStream::fetch(size_t stay) {
    const Stay& what = m_plan.stays[stay];
    const auto [first, count] = m_blockChunks[what.block];
    // Chunks of a block are neighbours on both sides: full ones go in one transfer with those behind them.
    int64_t bytes = 0;
    for (int i = first; i < first + count; ++i) bytes = m_chunks[i].blockOffsetBytes + m_chunks[i].usedBytes;
    const std::vector<LinkCopy> copies =
        copiesOf(placeIn(m_device, what.offsetBytes), m_homes[static_cast<size_t>(what.block)], bytes);
    LinkTicket last = 0;
    try {
        if (bytes > 0) m_link.copyAllAfter(m_link.mark(), copies, last);
    } catch (...) { // leaves everything as it was: what is on its way of the block is waited for
        try {
            if (last != 0) m_link.wait(last);
        } catch (...) {
            dropFetches();
            throw;
        }
        throw;
    }
    m_tickets[stay] = last;
    setState(what.block, ChunkState::Free, ChunkState::Fetching);
    m_present[stay] = true;
}

void ChunkStream::arrive(size_t stay) {
    if (m_tickets[stay] == 0) return;
    try {
        m_link.wait(m_tickets[stay]);
    } catch (...) {
        dropFetches();
        throw;
    }
    m_tickets[stay] = 0;
    setState(m_plan.stays[stay].block, ChunkState::Fetching, ChunkState::Hold);
}

void ChunkStream::leave(size_t stay) {
    if (!m_present[stay]) return;
    arrive(stay);
    setState(m_plan.stays[stay].block, ChunkState::Hold, ChunkState::Free);
    m_present[stay] = false;
}

/// Waits for whatever is on its way, and forgets it.
void ChunkStream::dropFetches() noexcept {
    for (size_t stay = 0; stay < m_tickets.size(); ++stay) {
        if (m_tickets[stay] == 0) continue;
        try {
            m_link.wait(m_tickets[stay]);
        } catch (...) { // told already, or nobody is left to hear of it
        }
        m_tickets[stay] = 0;
        m_present[stay] = false;
        for (Chunk& chunk : m_chunks)
            if (chunk.block == m_plan.stays[stay].block && chunk.state == ChunkState::Fetching)
                chunk.state = ChunkState::Free;
    }
}

void ChunkStream::setState(int block, ChunkState from, ChunkState to) {
    const auto [first, count] = m_blockChunks.at(block);
    for (int i = first; i < first + count; ++i) {
        if (m_chunks[i].state != from)
            throw std::logic_error("chunk " + std::to_string(i) + " of block " + std::to_string(block) +
                                   " goes from " + nameOf(from) + " to " + nameOf(to) + ", but is in " +
                                   nameOf(m_chunks[i].state));
        m_chunks[i].state = to;
    }
}

} // namespace homebooth::core
