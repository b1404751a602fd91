// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/streamed_network.h"

#include "core/base/memory/chunk_bytes.h"
#include "core/base/memory/residency_plan.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/train_sizes.h"

#include <numeric>

namespace homebooth::core {
namespace {

int64_t bytesOf(const BlockSpec& block, int64_t elementBytes) {
    int64_t bytes = 0;
    for (const ParameterSpec& parameter : block.parameters) bytes += parameter.byteCount(elementBytes);
    return bytes;
}

} // namespace

int64_t sumOf(const std::vector<int64_t>& values) {
    return std::accumulate(values.begin(), values.end(), int64_t{0});
}

PlannedNetwork::PlannedNetwork(const Schedule& schedule, int64_t elementBytes, bool padded) {
    for (const BlockSpec& block : schedule.blocks()) blockBytes.push_back(bytesOf(block, elementBytes));
    paddedBytes = blockBytes;
    const int64_t chunkBytes = chunkBytesFor(blockBytes);
    if (padded)
        for (int64_t& bytes : paddedBytes) bytes = paddedTo(bytes, chunkBytes);
}

int64_t deviceBytesOf(const PlannedNetwork& network, const std::vector<bool>& resident) {
    ResidencyRequest streamed;
    streamed.blockBytes = network.paddedBytes;
    int64_t bytes = 0;
    for (size_t block = 0; block < network.paddedBytes.size(); ++block) {
        if (block < resident.size() && resident[block])
            bytes += network.paddedBytes[block];
        else
            streamed.order.push_back(static_cast<int>(block));
    }
    return bytes + (streamed.order.empty() ? 0 : leastArenaBytes(streamed, kSampleTurnsAhead));
}

int64_t streamedBytesOf(const std::vector<int64_t>& sizes, const std::vector<bool>& resident) {
    int64_t bytes = 0;
    for (size_t block = 0; block < sizes.size(); ++block)
        if (block >= resident.size() || !resident[block]) bytes += sizes[block];
    return bytes;
}

std::vector<bool> spreadOver(const PlannedNetwork& network, int64_t share) {
    std::vector<bool> resident;
    int64_t all = 0;
    int64_t staying = 0;
    for (const int64_t bytes : network.paddedBytes) {
        all += bytes;
        resident.push_back((staying + bytes) * kResidentShares <= share * all);
        if (resident.back()) staying += bytes;
    }
    return resident;
}

int64_t runningBytes(const Schedule& schedule, const InputShape& shape, int64_t elementBytes) {
    return (peakLiveElements(schedule, shape) + peakBlockElements(schedule, shape, false)) * elementBytes;
}

} // namespace homebooth::core
