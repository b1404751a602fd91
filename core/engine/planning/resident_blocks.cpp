// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/resident_blocks.h"

#include <algorithm>

namespace homebooth::core {
namespace {

/// The part of `whole` that goes with `some` of `all`.
int64_t shareOf(int64_t whole, int64_t some, int64_t all) {
    return all > 0 ? static_cast<int64_t>(static_cast<double>(whole) * static_cast<double>(some) /
                                          static_cast<double>(all))
                   : 0;
}

bool contains(const std::vector<std::vector<bool>>& staying, size_t part, int block) {
    const auto index = static_cast<size_t>(block);
    return part < staying.size() && index < staying[part].size() && staying[part][index];
}

} // namespace

ResidentBlocks::ResidentBlocks(const Rehearsal& streamed, int prefetchDistance)
    : m_prefetchDistance(prefetchDistance) {
    for (const RehearsedStream& stream : streamed.streams)
        m_parts.push_back({stream.part, stream.order, stream.fetchBytes});
    const int64_t states = streamed.stateBytesInRam; // swapped ones stay where they are
    for (const RehearsedStream& stream : streamed.streams)
        for (const RehearsedBlock& block : streamed.blocks) {
            if (block.part != stream.part) continue;
            const int64_t beside =
                shareOf(states, block.trainedElements, streamed.trainedElements) +
                shareOf(streamed.gradientBytesInRam, block.trainedBytes, streamed.trainedBytes);
            m_blocks.push_back(
                {block.part, block.block, stream.fetchBytes[static_cast<size_t>(block.block)], beside});
        }
    std::stable_sort(m_blocks.begin(), m_blocks.end(),
                     [](const Block& a, const Block& b) { return a.parameterBytes > b.parameterBytes; });
    m_peakBytes = streamed.devicePeakBytes - arenaBytes({});
}

int64_t ResidentBlocks::arenaBytes(const std::vector<std::vector<bool>>& staying) const {
    int64_t bytes = 0;
    for (const Part& part : m_parts) {
        ResidencyRequest request;
        request.blockBytes = part.blockBytes;
        std::copy_if(part.order.begin(), part.order.end(), std::back_inserter(request.order),
                     [&](int block) { return !contains(staying, part.part, block); });
        bytes += leastArenaBytes(request, m_prefetchDistance);
    }
    return bytes;
}

size_t ResidentBlocks::mostWithin(int64_t deviceBytes) const {
    size_t most = 0;
    int64_t staying = 0;
    for (size_t count = 1; count <= m_blocks.size(); ++count) {
        staying += m_blocks[count - 1].parameterBytes + m_blocks[count - 1].besideBytes;
        if (m_peakBytes + staying > deviceBytes) break;
        if (m_peakBytes + staying + arenaBytes(largest(count)) <= deviceBytes) most = count;
    }
    return most;
}

std::vector<std::vector<bool>> ResidentBlocks::largest(size_t count) const {
    std::vector<std::vector<bool>> staying;
    for (size_t i = 0; i < count; ++i) {
        const Block& block = m_blocks[i];
        staying.resize(std::max(staying.size(), block.part + 1));
        std::vector<bool>& ofPart = staying[block.part];
        ofPart.resize(std::max(ofPart.size(), static_cast<size_t>(block.block) + 1), false);
        ofPart[static_cast<size_t>(block.block)] = true;
    }
    return staying;
}

std::vector<size_t> countsToTry(size_t most) {
    constexpr size_t kParts = 4;
    std::vector<size_t> counts;
    for (size_t part = 1; part <= kParts; ++part)
        if (const size_t count = most * part / kParts; count > (counts.empty() ? 0 : counts.back()))
            counts.push_back(count);
    return counts;
}

} // namespace homebooth::core
