// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/gradient_room.h"

#include <algorithm>

namespace homebooth::core {

std::vector<std::vector<int64_t>> gradientRoomWithin(const Rehearsal& alone, int64_t limitBytes) {
    std::vector<std::vector<int64_t>> room;
    for (const RehearsedBlock& block : alone.blocks) {
        room.resize(std::max(room.size(), block.part + 1));
        std::vector<int64_t>& ofPart = room[block.part];
        ofPart.resize(std::max(ofPart.size(), static_cast<size_t>(block.block) + 1), 0);
        ofPart[static_cast<size_t>(block.block)] =
            std::max<int64_t>(0, limitBytes - block.backward.peakBytes);
    }
    return room;
}

} // namespace homebooth::core
