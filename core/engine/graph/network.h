// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A schedule with its computing blocks: what the executor runs. Holds no parameters.
// Immutable after construction; shared by training and sampling.
#pragma once

#include "core/base/schedule/schedule.h"
#include "core/engine/graph/block.h"

#include <functional>
#include <memory>
#include <vector>

namespace homebooth::core {

/// Makes the computing block of a BlockSpec. Asserts on a kind that it does not know.
using BlockFactory = std::function<std::unique_ptr<Block>(const BlockSpec&)>;

class Network {
public:
    Network(Schedule schedule, const BlockFactory& factory)
        : m_schedule(std::move(schedule)) {
        for (const BlockSpec& spec : m_schedule.blocks()) m_blocks.push_back(factory(spec));
    }

    [[nodiscard]] const Schedule& schedule() const { return m_schedule; }
    [[nodiscard]] const Block& block(int index) const { return *m_blocks[index]; }

private:
    Schedule m_schedule;
    std::vector<std::unique_ptr<Block>> m_blocks;
};

} // namespace homebooth::core
