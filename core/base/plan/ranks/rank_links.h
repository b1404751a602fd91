// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What lies between the cards of a training in several processes, and what a collective over it takes.
// Nothing of this was ever compared with such machines: peak figures are published ones, the part of them
// that is reached is assumed. Pure data and free functions; any thread.
#pragma once

#include "core/base/plan/card_facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

inline constexpr int64_t kRanksPerMachine = 8;

/// One way of a link.
struct RankLink {
    double bytesPerSecond = 0.0; ///< not above 0: bytes take no time
    double latencySeconds = 0.0; ///< of each step of a ring
};

struct RankNetwork {
    RankLink inside;  ///< of a card to its neighbour in the machine
    RankLink between; ///< of a machine to the next one, shared by its cards
};

/// Where ranks are: as many in each machine.
struct RankPlaces {
    int64_t machines = 1;
    int64_t perMachine = 1;
    [[nodiscard]] int64_t count() const { return machines * perMachine; }
};

/// @param ranks  at least 1; where the machines cannot have equally many, all count as the fullest
[[nodiscard]] RankPlaces placesOf(int64_t ranks, int64_t perMachine = kRanksPerMachine);

/// Of a reduce-scatter or an all-gather; an all-reduce is one of each.
struct CollectiveCost {
    double insideSeconds = 0.0;
    double betweenSeconds = 0.0;
    int64_t sentBytes = 0; ///< by each rank
};

/// Rings: (n - 1) steps of an n-th of the bytes each. With several machines one of the cards in each, and
/// with what each of them then has another one between the machines.
/// @param bytes  of the whole, not of a rank's part
/// Source:   P. Patarasuk, X. Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations,
/// 2009
[[nodiscard]] CollectiveCost collectiveCost(int64_t bytes, const RankPlaces& places,
                                            const RankNetwork& network);

/// What one collective took that all ranks made together.
struct CollectiveTiming {
    int64_t bytes = 0; ///< of the whole
    double seconds = 0.0;
};

/// The link of a ring of so many ranks that takes as long as was measured of a small whole and a large one.
/// @param ranks  at least 2
[[nodiscard]] RankLink linkFrom(const CollectiveTiming& small, const CollectiveTiming& large, int64_t ranks);

/// What NCCL takes of a card for itself beside the training: a buffer for what comes from each card of its
/// machine, and from other machines, on each channel. 0 of one rank. Never checked on such machines.
/// Source:   NCCL's user guide, NCCL_BUFFSIZE: 4 MiB unless it is set; the number of channels is assumed
[[nodiscard]] int64_t exchangeBytes(const RankPlaces& places);

struct NamedLink {
    std::string name; ///< what it is, or how it was measured
    RankLink link;
};

/// A slot through which a card reaches its neighbours.
[[nodiscard]] NamedLink linkOf(const PcieLink& pcie);
/// NVLink where the card has it, else its slot.
[[nodiscard]] NamedLink linkOf(const CardInMachine& machine);
/// What cards of one machine are joined by: PCIe 3.0 to 5.0 x16, NVLink.
[[nodiscard]] const std::vector<NamedLink>& machineLinks();
/// What machines are joined by: 100, 200, 400 Gb/s.
[[nodiscard]] const std::vector<NamedLink>& networkLinks();

} // namespace homebooth::core
