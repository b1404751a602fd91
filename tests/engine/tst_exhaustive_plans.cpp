// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the planner lets blocks of small rehearsed models keep, against all choices that there are.
#include "step_plan_support.h"

#include "core/engine/planning/kept_nodes.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <unordered_map>

using namespace homebooth::core;
using namespace homebooth::core::testing;

namespace {

constexpr double kTolerance = 1.02;  // times the least step time
constexpr int64_t kHeldBack = 50;    // of a budget: what a plan leaves for what a rehearsal may miss
constexpr size_t kMostRehearsed = 7; // blocks of a model whose every choice is rehearsed
constexpr size_t kMostBlocks = 12;
constexpr int kDraws = 100;
constexpr int64_t kSumsAreExactTo = 1000; // one part in so many of the room
constexpr int64_t kSumsMissBy = 20; // one part in so many of the room: how far above it by sums may still fit

struct SmallModel {
    const char* name;
    UNetStage stage;               ///< of all its levels
    std::vector<int64_t> channels; ///< from about a hundred on products are worth keeping
    size_t blocks;
    int64_t batchSize = 1;
    int64_t layers = 1; ///< of each level
};

std::ostream& operator<<(std::ostream& stream, const SmallModel& model) {
    return stream << model.name;
}

struct Choice {
    size_t number = 0;    ///< its options as digits, the first block's last
    int64_t sumBytes = 0; ///< its peak
    double seconds = 0.0;
};

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
        unet->layersPerBlock.assign(levels, GetParam().layers);
        for (auto* perLevel : {&unet->attentionHeads, &unet->transformerLayers, &unet->upTransformerLayers})
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
        m_nodes = keptNodesOf(m_alike, m_costs);
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

    /// All choices, by the sums that rehearsals gave.
    [[nodiscard]] std::vector<Choice> allChoices() const {
        std::vector<Choice> all;
        size_t count = 1;
        for (size_t block = 0; block < m_nodes.size(); ++block) count *= kWays.size();
        for (size_t number = 0; number < count; ++number) {
            const KeptChoice choice = evaluateKept(m_nodes, optionsOf(number));
            all.push_back({number, choice.peakBytes, choice.seconds});
        }
        return all;
    }

    [[nodiscard]] std::vector<size_t> optionsOf(size_t number) const {
        std::vector<size_t> options(m_nodes.size());
        for (size_t& option : options) {
            option = number % kWays.size();
            number /= kWays.size();
        }
        return options;
    }

    /// What it really takes; each is rehearsed once.
    int64_t peakOf(const Choice& choice) {
        const auto [entry, isNew] = m_peaks.try_emplace(choice.number, 0);
        if (isNew) entry->second = rehearsed(optionsOf(choice.number)).devicePeakBytes;
        return entry->second;
    }

    /// Of blocks alone: what comes beside them is the same for every choice.
    [[nodiscard]] double secondsOf(const StepPlan& plan) const {
        std::vector<size_t> option;
        for (const KeptForBackward kept : keptOf(plan))
            option.push_back(
                static_cast<size_t>(std::find(kWays.begin(), kWays.end(), kept) - kWays.begin()));
        return evaluateKept(m_nodes, option).seconds;
    }

    /// Those that may fit: of small models all, of others those that sums do not put far above the budget.
    /// What needs least by sums comes first.
    [[nodiscard]] std::vector<Choice> clearlyFaster(const std::vector<Choice>& all, double seconds,
                                                    int64_t usableBytes) const {
        const bool everyOne = m_nodes.size() <= kMostRehearsed;
        const int64_t room = m_alike.back().need.devicePeakBytes - m_alike.front().need.devicePeakBytes;
        std::vector<Choice> faster;
        for (const Choice& choice : all)
            if (choice.seconds < seconds && (everyOne || choice.sumBytes <= usableBytes + room / kSumsMissBy))
                faster.push_back(choice);
        std::sort(faster.begin(), faster.end(),
                  [](const Choice& a, const Choice& b) { return a.sumBytes < b.sumBytes; });
        return faster;
    }

    std::optional<Choice> anyThatFits(const std::vector<Choice>& choices, int64_t usableBytes) {
        for (const Choice& choice : choices)
            if (peakOf(choice) <= usableBytes) return choice;
        return std::nullopt;
    }

    const std::vector<KeptForBackward> kWays = {KeptForBackward::Inputs, KeptForBackward::Products,
                                                KeptForBackward::Everything};
    std::vector<AlikeStep> m_alike;
    StepCosts m_costs{m_speed, nullptr, 1};
    std::vector<KeptNode> m_nodes;
    std::unordered_map<size_t, int64_t> m_peaks; // rehearsed, by choice
};

TEST_P(ExhaustivePlans, areWithinTwoPercentOfTheBest) {
    ASSERT_LE(GetParam().blocks, kMostBlocks);
    const std::vector<Choice> all = allChoices();
    const int64_t lean = m_alike.front().need.devicePeakBytes;
    const int64_t whole = m_alike.back().need.devicePeakBytes;
    ASSERT_LT(lean, whole);
    std::vector<double> found;
    for (int tenth = 0; tenth <= 10; ++tenth) {
        const int64_t usable = lean + (whole - lean) * tenth / 10;
        const int64_t budget = usable * kHeldBack / (kHeldBack - 1) + kHeldBack;
        const auto planned = plan({budget});
        ASSERT_TRUE(planned.ok()) << planned.error().text();
        EXPECT_LE(planned->need.devicePeakBytes, budget);
        const double seconds = secondsOf(*planned);
        const auto better = anyThatFits(clearlyFaster(all, seconds / kTolerance, usable), usable);
        EXPECT_FALSE(better) << "with " << tenth << " tenths of the room: " << better->seconds
                             << " s against " << seconds << " s";
        if (found.empty() || seconds < found.back()) found.push_back(seconds);
    }
    EXPECT_GE(found.size(), 4); // the budgets differ in what they allow
}

/// So that the best by sums is the best there is, wherever not every choice can be rehearsed.
TEST_P(ExhaustivePlans, comeFromSumsThatAreWhatRehearsalsTake) {
    const int64_t room = m_alike.back().need.devicePeakBytes - m_alike.front().need.devicePeakBytes;
    std::mt19937 generator(1);
    for (int draw = 0; draw < kDraws; ++draw) {
        std::vector<size_t> option(m_nodes.size());
        for (size_t& one : option) one = generator() % kWays.size();
        const int64_t peak = rehearsed(option).devicePeakBytes;
        EXPECT_NEAR(evaluateKept(m_nodes, option).peakBytes, peak, room / kSumsAreExactTo);
    }
}

INSTANTIATE_TEST_SUITE_P(models, ExhaustivePlans,
                         ::testing::Values(SmallModel{"sixBlocks", UNetStage::Plain, {8}, 6},
                                           SmallModel{"sixBlocksOfTwoPictures", UNetStage::Plain, {16}, 6, 2},
                                           SmallModel{"sixWideBlocks", UNetStage::Plain, {128}, 6},
                                           SmallModel{"nineBlocks", UNetStage::CrossAttention, {128}, 9},
                                           SmallModel{"elevenBlocks", UNetStage::Plain, {128, 256}, 11},
                                           SmallModel{"twelveBlocks", UNetStage::Plain, {128}, 12, 1, 4}),
                         [](const auto& one) { return std::string(one.param.name); });

} // namespace
