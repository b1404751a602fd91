// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/ranks/rank_links.h"

namespace homebooth::core {
namespace {

/// Of a published peak, as for copies between a card and RAM.
constexpr double kShareOfLink = 0.8;
/// Source: NCCL, src/graph/tuning.cc, hwLat, rings: a step of a ring with the protocol for long messages.
constexpr double kPcieLatency = 5.7e-6;
constexpr double kNvlinkLatency = 3.4e-6;
constexpr double kNetworkLatency = 14.0e-6;
/// Source: NVIDIA A100 Tensor Core GPU Architecture (2020): third NVLink, twelve links of 25 GB/s each way.
constexpr NvLink kThirdNvlink{3, 300e9};

double ringSeconds(double bytes, int64_t members, const RankLink& link) {
    if (members <= 1) return 0.0;
    const double part = bytes / static_cast<double>(members);
    const double moved = link.bytesPerSecond > 0.0 ? part / link.bytesPerSecond : 0.0;
    return static_cast<double>(members - 1) * (link.latencySeconds + moved);
}

NamedLink linkOf(const NvLink& nvlink) {
    return {"NVLink " + std::to_string(nvlink.generation),
            {kShareOfLink * nvlink.bytesPerSecond, kNvlinkLatency}};
}

NamedLink networkOf(double gigabits) {
    constexpr double kBytesPerGigabit = 1e9 / 8.0;
    return {std::to_string(static_cast<int>(gigabits)) + " Gb/s",
            {kShareOfLink * gigabits * kBytesPerGigabit, kNetworkLatency}};
}

} // namespace

RankPlaces placesOf(int64_t ranks, int64_t perMachine) {
    RankPlaces places;
    places.machines = (ranks + perMachine - 1) / perMachine;
    places.perMachine = (ranks + places.machines - 1) / places.machines;
    return places;
}

CollectiveCost collectiveCost(int64_t bytes, const RankPlaces& places, const RankNetwork& network) {
    CollectiveCost cost;
    const int64_t ranks = places.count();
    if (bytes <= 0 || ranks <= 1) return cost;
    const auto whole = static_cast<double>(bytes);
    cost.insideSeconds = ringSeconds(whole, places.perMachine, network.inside);
    // Each card carries its part alone, but all of a machine share its link: together they move the whole.
    cost.betweenSeconds = ringSeconds(whole, places.machines, network.between);
    cost.sentBytes = bytes / ranks * (ranks - 1) + bytes % ranks * (ranks - 1) / ranks;
    return cost;
}

RankLink linkFrom(const CollectiveTiming& small, const CollectiveTiming& large, int64_t ranks) {
    const auto steps = static_cast<double>(ranks - 1); // each of a part of the bytes
    const auto partOf = [ranks](const CollectiveTiming& one) {
        return static_cast<double>(one.bytes) / static_cast<double>(ranks);
    };
    const double more = (large.seconds - small.seconds) / steps;
    const double rate = more > 0.0 ? (partOf(large) - partOf(small)) / more : 0.0;
    const double latency = rate > 0.0 ? small.seconds / steps - partOf(small) / rate : -1.0;
    if (latency >= 0.0) return {rate, latency};
    // Noise: the large one alone says more than the difference of both.
    return {large.seconds > 0.0 ? partOf(large) * steps / large.seconds : 0.0, 0.0};
}

int64_t exchangeBytes(const RankPlaces& places) {
    constexpr int64_t kBufferBytes = int64_t{4} << 20;
    constexpr int64_t kChannels = 2;
    if (places.count() <= 1) return 0;
    const int64_t sources = places.perMachine + (places.machines > 1 ? 1 : 0); // a rank sends to itself, too
    return sources * kChannels * kBufferBytes;
}

NamedLink linkOf(const PcieLink& pcie) {
    return {"PCIe " + std::to_string(pcie.generation) + ".0 x" + std::to_string(pcie.lanes),
            {kShareOfLink * pcie.bytesPerSecond(), kPcieLatency}};
}

NamedLink linkOf(const CardInMachine& machine) {
    const NvLink& nvlink = machine.card.nvlink;
    return nvlink.generation > 0 ? linkOf(nvlink) : linkOf(machine.pcie);
}

const std::vector<NamedLink>& machineLinks() {
    static const std::vector<NamedLink> links = {linkOf(PcieLink{3, 16}), linkOf(PcieLink{4, 16}),
                                                 linkOf(PcieLink{5, 16}), linkOf(kThirdNvlink)};
    return links;
}

const std::vector<NamedLink>& networkLinks() {
    static const std::vector<NamedLink> links = {networkOf(100.0), networkOf(200.0), networkOf(400.0)};
    return links;
}

} // namespace homebooth::core
