// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the planner lets blocks of small rehearsed models keep, against all choices that there are.
#include "step_plan_support.h"

#include "core/engine/training/kept_nodes.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr double kTolerance = 1.02;  // times the least step time
constexpr int64_t kHeldBack = 50;    // of a budget: what a plan leaves for what a rehearsal may miss
constexpr size_t kMostRehearsed = 7; // blocks of a model whose every choice is rehearsed
constexpr size_t kMostBlocks = 12;

struct SmallModel {
    const char* name;
    UNetStage stage; ///< of all its levels
    std::vector<int64_t> channels;
    size_t blocks;
    int64_t batchSize = 1;
};

std::ostream& operator<<(std::ostream& stream, const SmallModel& model) {
    return stream << model.name;
}

class ExhaustivePlans : public StepPlanTest, public ::testing::WithParamInterface<SmallModel> {
protected:
    void SetUp() override {
        StepPlanTest::SetUp();
        std::ifstream file(HOMEBOOTH_FIXTURES_DIR "/variants/unet_no_mid.json");
        auto unet = UNetConfig::fromJson(std::string(std::istreambuf_iterator<char>(file), {}));
        ASSERT_TRUE(unet.ok()) << unet.error().text();
        const size_t levels = GetParam().channels.size();
        unet->downStages.assign(levels, GetParam().stage);
        unet->upStages.assign(levels, GetParam().stage);
        unet->blockOutChannels = GetParam().channels;
        for (auto* perLevel : {&unet->layersPerBlock, &unet->attentionHeads, &unet->transformerLayers,
                               &unet->upTransformerLayers})
            perLevel->assign(levels, 1);
        m_model.unet = *unet;
        m_config.batchSize = GetParam().batchSize;
        m_config.data.resolutionPixels = 512;
        for (const KeptForBackward kept : kWays) {
            auto plan = planAlike(m_config, m_model, m_speed, kept, {});
            ASSERT_TRUE(plan.ok()) << plan.error().text();
            m_alike.push_back({kept, std::move(plan->need)});
            m_costs.learn(kept, m_alike.back().need);
        }
        ASSERT_EQ(m_alike.front().need.blocks.size(), GetParam().blocks);
    }

    /// A step whose blocks keep what `option` names.
    [[nodiscard]] Rehearsal rehearsed(const std::vector<size_t>& option) const {
        StepPlacement placement;
        placement.recompute.resize(1);
        for (size_t index = 0; index < option.size(); ++index) {
            const auto block = static_cast<size_t>(m_alike.front().need.blocks[index].block);
            std::vector<Recompute>& ways = placement.recompute.front();
            ways.resize(std::max(ways.size(), block + 1), Recompute::Always);
            ways[block] = recomputeFor(kWays[option[index]]);
        }
        auto need = rehearseStep(m_config, m_model, placement);
        if (!need) throw std::runtime_error(need.error().text());
        return std::move(*need);
    }

    [[nodiscard]] KeptChoice taken(const std::vector<KeptNode>& nodes,
                                   const std::vector<size_t>& option) const {
        KeptChoice choice = evaluateKept(nodes, option);
        if (nodes.size() <= kMostRehearsed) choice.peakBytes = rehearsed(option).devicePeakBytes;
        return choice;
    }

    /// All choices; of small models rehearsed, of others by the sums that rehearsals gave.
    [[nodiscard]] std::vector<KeptChoice> allChoices() const {
        const std::vector<KeptNode> nodes = keptNodesOf(m_alike, m_costs);
        std::vector<KeptChoice> all;
        std::vector<size_t> option(nodes.size(), 0);
        for (;;) {
            KeptChoice choice = taken(nodes, option);
            choice.option.clear(); // there are many
            all.push_back(std::move(choice));
            size_t node = 0;
            while (node < nodes.size() && ++option[node] == kWays.size()) option[node++] = 0;
            if (node == nodes.size()) return all;
        }
    }

    const std::vector<KeptForBackward> kWays = {KeptForBackward::Inputs, KeptForBackward::Products,
                                                KeptForBackward::Everything};
    std::vector<AlikeStep> m_alike;
    StepCosts m_costs{m_speed, nullptr, 1};
};

TEST_P(ExhaustivePlans, areWithinTwoPercentOfTheBest) {
    ASSERT_LE(GetParam().blocks, kMostBlocks);
    const std::vector<KeptChoice> all = allChoices();
    const int64_t lean = m_alike.front().need.devicePeakBytes;
    const int64_t whole = m_alike.back().need.devicePeakBytes;
    ASSERT_LT(lean, whole);
    std::vector<double> found;
    for (int tenth = 0; tenth <= 10; ++tenth) {
        const int64_t usable = lean + (whole - lean) * tenth / 10;
        const int64_t budget = usable * kHeldBack / (kHeldBack - 1) + kHeldBack;
        double best = std::numeric_limits<double>::max();
        for (const KeptChoice& choice : all)
            if (choice.peakBytes <= usable) best = std::min(best, choice.seconds);
        const auto planned = plan({budget, 0, 0});
        ASSERT_TRUE(planned.ok()) << planned.error().text();
        EXPECT_LE(planned->need.devicePeakBytes, budget);
        // Blocks alone: what comes beside them is the same for every choice.
        std::vector<size_t> option;
        for (const KeptForBackward kept : keptOf(*planned))
            option.push_back(
                static_cast<size_t>(std::find(kWays.begin(), kWays.end(), kept) - kWays.begin()));
        const double seconds = evaluateKept(keptNodesOf(m_alike, m_costs), option).seconds;
        EXPECT_LE(seconds, kTolerance * best) << "with " << tenth << " tenths of the room";
        if (found.empty() || seconds < found.back()) found.push_back(seconds);
    }
    EXPECT_GE(found.size(), 4); // the budgets differ in what they allow
}

INSTANTIATE_TEST_SUITE_P(models, ExhaustivePlans,
                         ::testing::Values(SmallModel{"sixBlocks", UNetStage::Plain, {8}, 6},
                                           SmallModel{"sixBlocksOfTwoPictures", UNetStage::Plain, {16}, 6, 2},
                                           SmallModel{"nineBlocks", UNetStage::CrossAttention, {8}, 9}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
