// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What previews between the steps of real runs take, beside what plans say of them, and what becomes of them
// where that is too much. Host memory stands for the device.
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/engine/memory/tier_meter.h"

#include "training_support.h"

#include <map>

namespace homebooth::core::testing {
namespace {

/// Measures each preview.
class MeteredPreviews : public EventList {
public:
    void emit(const Event& event) override {
        EventList::emit(event);
        const auto* state = std::get_if<StateEvent>(&event);
        if (state != nullptr && state->state == "sampling") {
            restartTierPeak(Tier::Device);
            restartTierPeak(Tier::Ram);
            m_ramBefore = tierUse(Tier::Ram).currentBytes;
        }
        if (!std::holds_alternative<PreviewEvent>(event)) return;
        deviceBytes = std::max(deviceBytes, tierUse(Tier::Device).peakBytes);
        ramBytes = std::max(ramBytes, tierUse(Tier::Ram).peakBytes - m_ramBefore);
    }
    int64_t deviceBytes = 0; ///< at the peak of previews
    int64_t ramBytes = 0;    ///< the same beyond what steps have there

private:
    int64_t m_ramBefore = 0;
};

/// What the run's plan said of previews as it began.
PlanDecision toldOf(const EventList& events) {
    const auto plans = events.of<PlanEvent>();
    if (plans.empty()) return {};
    for (const PlanDecision& one : plans.front().decisions)
        if (one.code.starts_with(kPreviews)) return one;
    return {};
}

OutcomeEvent runWith(const TrainConfig& config, EventSink& events) {
    JobWorld world;
    const RunFolder run = makeRun(config);
    return runTrainJob(config, run, events, world.control, world.pictures, world.writer, world.options);
}

TrainConfig previewed(const std::string& name, int64_t resolution) {
    TrainConfig config = tinyDreamBooth(scratchFolder(name));
    config.data.resolutionPixels = resolution;
    config.steps = 3;
    config.output.previewEverySteps = 1;
    return config;
}

struct Case {
    const char* name;
    int64_t resolution = 64;
    void (*settings)(TrainConfig&) = [](TrainConfig&) {};
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
    return stream << one.name;
}

class Previews : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    void TearDown() override { limitDeviceTier(0); }
};

TEST_P(Previews, takeWhatThePlanSays) {
    TrainConfig config = previewed(std::string("previews-") + GetParam().name, GetParam().resolution);
    config.memory.deviceBytes = int64_t{1} << 30; // so that padding of chunks counts, as on a GPU
    GetParam().settings(config);
    MeteredPreviews events;
    const OutcomeEvent outcome = runWith(config, events);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    ASSERT_EQ(events.of<PreviewEvent>().size(), 3U);
    const PlanDecision told = toldOf(events);
    ASSERT_FALSE(told.code.empty());
    const double device = told.facts.at("previewBytes");
    const double ram = told.facts.at("besideBytes");
    EXPECT_LE(static_cast<double>(events.deviceBytes), device);
    EXPECT_GE(static_cast<double>(events.deviceBytes), 0.8 * device);
    EXPECT_LE(static_cast<double>(events.ramBytes), ram + 1e5); // pictures that are gathered
}

INSTANTIATE_TEST_SUITE_P(
    trainings, Previews,
    ::testing::Values(
        Case{"full"}, Case{"large", 256},
        Case{"bf16", 128, [](TrainConfig& config) { config.precision = Precision::Bf16; }},
        Case{"averages", 64, [](TrainConfig& config) { config.optimizer.emaDecay = 0.9; }},
        Case{"integers", 128,
             [](TrainConfig& config) {
                 config.method = TrainMethod::Lora;
                 config.quantization = Quantization::Int8;
             }},
        Case{"clipping", 64, [](TrainConfig& config) { config.optimizer.maxGradientNorm = 1.0; }},
        Case{"streamed", 128, [](TrainConfig& config) { config.memory.policy = PlacementPolicy::Cpu; }},
        Case{"streamedAverages", 64,
             [](TrainConfig& config) {
                 config.memory.policy = PlacementPolicy::Cpu;
                 config.optimizer.emaDecay = 0.9;
             }},
        Case{"text", 64, [](TrainConfig& config) { config.trainTextEncoder = true; }},
        Case{"xl", 64, [](TrainConfig& config) { config.model = fixture("tiny-sdxl"); }}),
    [](const auto& one) { return std::string(one.param.name); });

/// Trainings whose previews need more than their steps.
class ShortMemory : public ::testing::Test {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    void TearDown() override { limitDeviceTier(0); }

    /// What the plan says that a preview takes where there is enough.
    int64_t wholeBytes(TrainConfig config, const std::string& name) {
        MeteredPreviews events;
        config = inFolder(std::move(config), scratchFolder(name));
        EXPECT_EQ(runWith(config, events).result, "done");
        m_lastPreview = fileBytes(config.output.runDir + kLastPreview);
        const PlanDecision told = toldOf(events);
        EXPECT_EQ(told.code, kPreviews);
        return static_cast<int64_t>(told.facts.at("previewBytes"));
    }

    static int64_t stepBytes(TrainConfig config, const std::string& name) {
        config.output.previewEverySteps = 0;
        EventList events;
        return runWith(inFolder(std::move(config), scratchFolder(name)), events).measured.deviceBytes;
    }

    static constexpr const char* kLastPreview = "/samples/step-000003-00.png";
    std::string m_lastPreview; ///< of the run with enough memory
};

TEST_F(ShortMemory, hasPreviewsInTiles) {
    TrainConfig config = previewed("short-tiles", 256); // of tiles of 64 pixels
    config.memory.deviceBytes = int64_t{1} << 30;
    const int64_t whole = wholeBytes(config, "short-tiles-whole");
    const std::string expected = m_lastPreview;
    config.memory.deviceBytes = whole * 2 / 3;
    MeteredPreviews events;
    const OutcomeEvent outcome = runWith(config, events);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const PlanDecision told = toldOf(events);
    EXPECT_EQ(told.code, kPreviewsInTiles);
    EXPECT_EQ(events.of<PreviewEvent>().size(), 3U);
    EXPECT_TRUE(events.of<WarningEvent>().empty());
    EXPECT_LE(static_cast<double>(events.deviceBytes), told.facts.at("previewBytes"));
    const std::string tiled = fileBytes(config.output.runDir + kLastPreview);
    EXPECT_EQ(tiled.size(), expected.size());
    EXPECT_NE(tiled, expected);
}

TEST_F(ShortMemory, goesOnWithoutPreviewsAsItWasTold) {
    TrainConfig config = previewed("short-none", 64); // a tile
    config.memory.deviceBytes = int64_t{1} << 30;
    const int64_t whole = wholeBytes(config, "short-none-whole");
    const int64_t steps = stepBytes(config, "short-none-steps");
    ASSERT_LT(steps, whole * 4 / 5);
    config.memory.deviceBytes = (steps + whole) / 2;
    MeteredPreviews events;
    const OutcomeEvent outcome = runWith(config, events);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_EQ(toldOf(events).code, kPreviewsLackMemory);
    EXPECT_TRUE(events.of<PreviewEvent>().empty());
    const auto warnings = events.of<WarningEvent>();
    ASSERT_EQ(warnings.size(), 3U);
    for (const WarningEvent& warning : warnings) EXPECT_EQ(warning.code, "preview-failed");
    EXPECT_EQ(events.of<StepEvent>().size(), 3U);
}

TEST(SlowPreviews, showLife) {
    TrainConfig config = previewed("previews-life", 64);
    config.steps = 1;
    config.output.previewCount = 2;
    JobWorld world;
    world.options.signEverySeconds = 0.0;
    ASSERT_EQ(runFresh(config, world).result, "done");
    ASSERT_EQ(world.events.of<PreviewEvent>().size(), 2U);
    std::map<int64_t, int> signs; // by how many there are
    for (const StateEvent& state : world.events.of<StateEvent>())
        if (state.state == "sampling" && state.total == 2) ++signs[state.done];
    EXPECT_EQ(signs.size(), 2U);
    EXPECT_GT(signs[0], 50); // after each block, not after each of its steps alone
    EXPECT_GT(signs[1], 50);
}

} // namespace
} // namespace homebooth::core::testing
