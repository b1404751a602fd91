// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/collective/gloo_exchange.h"

#include "core/engine/collective/rank_sum.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr int64_t kPieceBytes = int64_t{1} << 20; // a multiple of every element's size

std::byte* bytesOf(const at::Tensor& tensor) {
    return static_cast<std::byte*>(tensor.data_ptr());
}

/// Ranks that do not mean the same collective must not meet: gloo would end the process over a message that
/// is longer than its place.
MessageTag tagOf(CollectiveTicket ticket, std::string_view what, int64_t bytes) {
    const size_t mixed = std::hash<std::string>()(std::string(what) + ' ' + std::to_string(ticket) + ' ' +
                                                  std::to_string(bytes));
    return static_cast<MessageTag>(mixed & std::numeric_limits<MessageTag>::max());
}

} // namespace

template <class Begin, class End>
void GlooExchange::inPieces(int64_t bytes, Begin begin, End end) {
    const auto lengthAt = [&](int64_t offset) { return std::min(kPieceBytes, bytes - offset); };
    size_t lane = 0;
    for (int64_t offset = 0; offset < bytes; offset += kPieceBytes, lane ^= 1) {
        begin(m_lanes[lane], offset, lengthAt(offset));
        if (offset > 0) end(m_lanes[lane ^ 1], offset - kPieceBytes, kPieceBytes);
    }
    if (bytes == 0) return;
    const int64_t last = (bytes - 1) / kPieceBytes * kPieceBytes;
    end(m_lanes[lane ^ 1], last, lengthAt(last));
}

MessageTag GlooExchange::begin(CollectiveTicket ticket, const char* what, int64_t bytes) {
    m_peers.name(std::string(what) + " number " + std::to_string(ticket) + " (" + std::to_string(bytes) +
                 " bytes)");
    return tagOf(ticket, what, bytes);
}

void GlooExchange::send(Lane& lane, int peer, MessageTag tag, const std::byte* bytes, int64_t count) {
    m_peers.send(lane.transfers, peer, tag, bytes, count);
    m_sentBytes += count;
}

void GlooExchange::receive(Lane& lane, int peer, MessageTag tag, std::byte* bytes, int64_t count) {
    m_peers.receive(lane.transfers, peer, tag, bytes, count);
    m_receivedBytes += count;
}

void GlooExchange::gather(MessageTag tag, std::byte* whole, const std::byte* shard, int64_t bytes) {
    std::byte* own = whole + m_peers.rank() * bytes;
    if (own != shard && bytes > 0) std::memcpy(own, shard, static_cast<size_t>(bytes));
    const auto begin = [&](Lane& lane, int64_t offset, int64_t length) {
        for (int distance = 1; distance < m_peers.ranks(); ++distance) {
            const int peer = peerAt(distance);
            receive(lane, peer, tag, whole + peer * bytes + offset, length);
            send(lane, peer, tag, shard + offset, length);
        }
    };
    inPieces(bytes, begin, [&](Lane& lane, int64_t, int64_t) { m_peers.finish(lane.transfers); });
}

void GlooExchange::allGather(CollectiveTicket ticket, const at::Tensor& whole, const at::Tensor& shard) {
    const auto bytes = static_cast<int64_t>(shard.nbytes());
    gather(begin(ticket, "allGather", bytes), bytesOf(whole), bytesOf(shard), bytes);
}

void GlooExchange::reduceScatter(CollectiveTicket ticket, const at::Tensor& shard, const at::Tensor& whole) {
    const int64_t bytes = shard.numel() * whole.element_size(); // of a part of the whole
    const MessageTag tag = begin(ticket, "reduceScatter", bytes);
    const std::byte* parts = bytesOf(whole);
    for (Lane& lane : m_lanes)
        lane.scratch.resize(static_cast<size_t>(m_peers.ranks() * std::min(bytes, kPieceBytes)));
    const auto begin = [&](Lane& lane, int64_t offset, int64_t length) {
        for (int distance = 1; distance < m_peers.ranks(); ++distance) {
            const int peer = peerAt(distance);
            receive(lane, peer, tag, lane.scratch.data() + peer * length, length);
            send(lane, peer, tag, parts + peer * bytes + offset, length);
        }
    };
    const auto end = [&](Lane& lane, int64_t offset, int64_t length) {
        m_peers.finish(lane.transfers);
        std::vector<const void*> pieces;
        for (int rank = 0; rank < m_peers.ranks(); ++rank)
            pieces.push_back(rank == m_peers.rank() ? parts + rank * bytes + offset
                                                    : lane.scratch.data() + rank * length);
        const int64_t first = offset / whole.element_size();
        sumInRankOrder(bytesOf(shard) + first * shard.element_size(), shard.scalar_type(), pieces,
                       whole.scalar_type(), length / whole.element_size());
    };
    inPieces(bytes, begin, end);
}

void GlooExchange::allReduce(CollectiveTicket ticket, const at::Tensor& values) {
    const auto bytes = static_cast<int64_t>(values.nbytes());
    m_gathered.resize(static_cast<size_t>(m_peers.ranks() * bytes));
    gather(begin(ticket, "allReduce", bytes), m_gathered.data(), bytesOf(values), bytes);
    std::vector<const void*> parts;
    for (int rank = 0; rank < m_peers.ranks(); ++rank) parts.push_back(m_gathered.data() + rank * bytes);
    sumInRankOrder(bytesOf(values), values.scalar_type(), parts, values.scalar_type(), values.numel());
}

void GlooExchange::broadcast(CollectiveTicket ticket, const at::Tensor& values, int root) {
    const auto bytes = static_cast<int64_t>(values.nbytes());
    const MessageTag tag = begin(ticket, "broadcast", bytes);
    const auto begin = [&](Lane& lane, int64_t offset, int64_t length) {
        if (m_peers.rank() != root) return receive(lane, root, tag, bytesOf(values) + offset, length);
        for (int distance = 1; distance < m_peers.ranks(); ++distance)
            send(lane, peerAt(distance), tag, bytesOf(values) + offset, length);
    };
    inPieces(bytes, begin, [&](Lane& lane, int64_t, int64_t) { m_peers.finish(lane.transfers); });
}

} // namespace homebooth::core
