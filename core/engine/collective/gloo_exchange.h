// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rank sends and receives for each collective, piece by piece: while one piece is added up, the next
// is on its way. Owned and used by the thread of a GlooCollective. Scratch memory: two pieces of 1 MiB for
// each other rank, kept.
#pragma once

#include "core/engine/collective/gloo_peers.h"

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <vector>

namespace homebooth::core {

/// Tensors have been checked. Errors of all: throw RankLost when a rank was lost; then transfers may
/// still be on their way until this object and the peers are gone
class GlooExchange {
public:
    explicit GlooExchange(GlooPeers& peers)
        : m_peers(peers) {}

    /// @param ticket  which collective this is, the same number on all ranks
    void allGather(CollectiveTicket ticket, const at::Tensor& whole, const at::Tensor& shard);
    void reduceScatter(CollectiveTicket ticket, const at::Tensor& shard, const at::Tensor& whole);
    void allReduce(CollectiveTicket ticket, const at::Tensor& values);
    void broadcast(CollectiveTicket ticket, const at::Tensor& values, int root);

    [[nodiscard]] int64_t sentBytes() const { return m_sentBytes; }
    [[nodiscard]] int64_t receivedBytes() const { return m_receivedBytes; }

private:
    struct Lane {
        std::vector<std::byte> scratch;
        std::vector<Transfer> transfers; // go before what they write to
    };

    template <class Begin, class End>
    void inPieces(int64_t bytes, Begin begin, End end);
    [[nodiscard]] MessageTag begin(CollectiveTicket ticket, const char* what, int64_t bytes);
    void gather(MessageTag tag, std::byte* whole, const std::byte* shard, int64_t bytes);
    void send(Lane& lane, int peer, MessageTag tag, const std::byte* bytes, int64_t count);
    void receive(Lane& lane, int peer, MessageTag tag, std::byte* bytes, int64_t count);
    [[nodiscard]] int peerAt(int distance) const { return (m_peers.rank() + distance) % m_peers.ranks(); }

    GlooPeers& m_peers;
    std::vector<std::byte> m_gathered;
    std::array<Lane, 2> m_lanes; // go before what they write to
    int64_t m_sentBytes = 0;
    int64_t m_receivedBytes = 0;
};

} // namespace homebooth::core
