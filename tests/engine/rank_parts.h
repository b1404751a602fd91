// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What tests of a rank's part of parameters share: the default model's UNet as the first of four ranks has
// it. The others are pretended.
#pragma once

#include "core/base/arch/unet_layout.h"
#include "core/base/model/model_open.h"
#include "core/engine/io/weights.h"
#include "core/engine/optim/memory_order.h"
#include "core/engine/parallel/ranks.h"
#include "core/engine/parallel/shard_layout.h"
#include "training_support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace homebooth::core::testing {

constexpr int kRanks = 4;

/// The default model's folder; $HOMEBOOTH_RESOURCES names the one that it lies in for tests that were built
/// elsewhere.
inline std::string defaultModel() {
    const char* moved = std::getenv("HOMEBOOTH_RESOURCES");
    std::string full = moved != nullptr ? moved : HOMEBOOTH_SOURCE_DIR "/resources";
    full += "/models/sketch";
    return full;
}

class RankParts {
protected:
    /// In SetUp.
    void open() {
        auto model = openModel(defaultModel());
        ASSERT_TRUE(model.ok()) << model.error().text();
        m_model = std::move(*model);
        m_schedule = std::make_unique<Schedule>(unetSchedule(m_model.unet));
        m_ranks = Ranks::pretended(kRanks);
        m_layout = std::make_unique<ShardLayout>(*m_schedule, kRanks); // all of it learns
    }

    [[nodiscard]] std::unique_ptr<ParameterStore> loaded(const ParameterStore::Options& options) const {
        auto store = std::make_unique<ParameterStore>(*m_schedule, options);
        const auto report = loadParameters(*store, *m_model.unetTensors);
        EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().text());
        return store;
    }

    [[nodiscard]] std::vector<ParameterId> parametersOf(int block) const {
        std::vector<ParameterId> ids;
        const auto count = m_schedule->blocks()[static_cast<size_t>(block)].parameters.size();
        for (size_t index = 0; index < count; ++index) ids.push_back({block, static_cast<int>(index)});
        return ids;
    }

    [[nodiscard]] int blockCount() const { return static_cast<int>(m_schedule->blocks().size()); }

    /// This rank's elements of a parameter.
    [[nodiscard]] at::Tensor own(const at::Tensor& parameter, ParameterId id) const {
        const ElementRange range = m_layout->range(0, id);
        return stretchOf(parameter, range.begin, range.count);
    }

    ModelSource m_model;
    std::unique_ptr<Schedule> m_schedule;
    std::unique_ptr<Ranks> m_ranks;
    std::unique_ptr<ShardLayout> m_layout;
};

} // namespace homebooth::core::testing
