// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rehearsal predicts of a training step against what the step allocates.
#include "core/base/model/model_open.h"
#include "core/engine/io/precision.h"
#include "core/engine/memory/tier_meter.h"
#include "core/engine/planning/gradient_room.h"
#include "core/engine/planning/rehearsal.h"
#include "core/engine/planning/trial_step.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

using namespace homebooth::core;

namespace {

constexpr double kTolerance = 0.03;     // of the measured peak
constexpr double kBatchBytes = 1 << 20; // of what a step is given, and made of it on the host
constexpr const char* kNoMiddle = "variants/unet_no_mid.json";

struct Case {
    const char* name;
    std::function<void(TrainConfig&)> change;
    Recompute recompute = Recompute::Always;
    bool streamed = false;
    const char* model = "tiny-sd1";
    const char* unet = nullptr; ///< a configuration among the fixtures, in place of the model's own
    bool valuesInRam = false;
    bool partlyResident = false; ///< every other block
    bool updatesOnDevice = false;
    bool sharesUpdates = false; ///< every third block is updated at home all the same
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
    return stream << c.name;
}

/// A small model at a size at which activations count.
TrainConfig configOf(const Case& c) {
    TrainConfig config;
    config.batchSize = 1;
    config.data.resolutionPixels = 256;
    config.optimizer.learningRate = 1e-6;
    c.change(config);
    return config;
}

ModelSource modelOf(const Case& c) {
    const std::string fixtures = HOMEBOOTH_FIXTURES_DIR "/";
    auto model = openModel(fixtures + c.model);
    if (!model) throw std::runtime_error(model.error().text());
    if (c.unet == nullptr) return std::move(*model);
    std::ifstream file(fixtures + c.unet);
    const auto unet = UNetConfig::fromJson(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!unet) throw std::runtime_error(unet.error().text());
    model->unet = *unet;
    return std::move(*model);
}

std::vector<bool> everyThird(size_t blocks) {
    std::vector<bool> chosen(blocks, false);
    for (size_t block = 0; block < blocks; block += 3) chosen[block] = true;
    return chosen;
}

/// All blocks of these parts as the case wants them.
StepPlacement placementOf(const Case& c, const std::vector<LearningPart>& parts) {
    StepPlacement placement;
    placement.valuesInRam = c.valuesInRam;
    if (c.streamed) placement.streaming.emplace().updatesOnDevice = c.updatesOnDevice;
    for (const LearningPart& part : parts) {
        const size_t blocks = part.component->schedule().blocks().size();
        placement.recompute.emplace_back(blocks, c.recompute);
        if (c.sharesUpdates) placement.updatedAtHome.push_back(everyThird(blocks));
        if (!c.partlyResident) continue;
        placement.resident.emplace_back(blocks, false);
        for (size_t block = 0; block < blocks; block += 2) placement.resident.back()[block] = true;
    }
    return placement;
}

/// What each turn of a real step took on the device, beyond what was there before.
struct RealTurn {
    int64_t heldBytes = 0;
    int64_t peakBytes = 0;
};

/// Notes the turns of each part's last micro-step, by part, in the executor's order.
class RealTurns {
public:
    RealTurns(const std::vector<LearningPart>& parts, int64_t beforeBytes)
        : m_beforeBytes(beforeBytes)
        , m_turns(parts.size()) {
        m_heldBytes = tierUse(Tier::Device).currentBytes;
        for (size_t part = 0; part < parts.size(); ++part)
            parts[part].component->executor().setObserver([this, part](int done, int count) {
                m_turns[part].resize(static_cast<size_t>(count));
                const TierUse use = tierUse(Tier::Device);
                m_turns[part][static_cast<size_t>(done - 1)] = {m_heldBytes - m_beforeBytes,
                                                                use.peakBytes - m_beforeBytes};
                m_peakBytes = std::max(m_peakBytes, use.peakBytes - m_beforeBytes);
                m_heldBytes = use.currentBytes;
                restartTierPeak(Tier::Device);
            });
    }
    [[nodiscard]] int64_t peakBytes() const {
        return std::max(m_peakBytes, tierUse(Tier::Device).peakBytes - m_beforeBytes);
    }
    [[nodiscard]] const std::vector<RealTurn>& of(size_t part) const { return m_turns[part]; }

private:
    int64_t m_beforeBytes;
    int64_t m_heldBytes = 0;
    int64_t m_peakBytes = 0;
    std::vector<std::vector<RealTurn>> m_turns;
};

/// Where the rehearsal and the step part company, turn by turn: for whoever has to find out why.
std::string comparison(const RealTurns& real, const Rehearsal& rehearsed) {
    std::ostringstream text;
    text << "part block turn: held and peak rehearsed, held and peak measured, bytes\n";
    std::map<size_t, size_t> nodes;
    for (const RehearsedBlock& block : rehearsed.blocks) ++nodes[block.part];
    std::map<size_t, size_t> next;
    for (const RehearsedBlock& block : rehearsed.blocks) {
        const size_t node = next[block.part]++;
        const auto line = [&](const char* name, const RehearsedTurn& turn, size_t index) {
            const RealTurn& taken = real.of(block.part).at(index);
            text << block.part << ' ' << block.block << ' ' << name << ": " << turn.heldBytes << ' '
                 << turn.peakBytes << ", " << taken.heldBytes << ' ' << taken.peakBytes << '\n';
        };
        line("forward", block.forward, node);
        line("backward", block.backward, 2 * nodes[block.part] - 1 - node);
    }
    return text.str();
}

/// Of blocks that never change and stay on the device from the first step on.
int64_t bytesThatComeOnce(const Rehearsal& rehearsed) {
    int64_t bytes = 0;
    for (const RehearsedStream& stream : rehearsed.streams)
        for (const Stay& stay : stream.residency.stays)
            if (stay.permanent) bytes += stream.fetchBytes[static_cast<size_t>(stay.block)];
    return bytes;
}

class RehearsedStep : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { meterHostMemory(); }
    /// LibTorch's attention takes scratch for each thread, which would outweigh the smallest models.
    void SetUp() override {
        static const int all = at::get_num_threads();
        at::set_num_threads(GetParam().unet != nullptr ? 1 : all);
    }
};

TEST_P(RehearsedStep, needsWhatTheRealOneTakes) {
    const TrainConfig config = configOf(GetParam());
    const ModelSource model = modelOf(GetParam());
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    StepPlacement placement = placementOf(GetParam(), {});

    const TierUse deviceBefore = tierUse(Tier::Device);
    const TierUse ramBefore = tierUse(Tier::Ram);
    int64_t linkBytes = 0;
    std::optional<RealTurns> turns;
    {
        const auto trial = TrialStep::make(config, model, store, placement);
        ASSERT_TRUE(trial.ok()) << trial.error().text();
        placement = placementOf(GetParam(), (*trial)->parts());
        (*trial)->learner().place(placement);
        restartTierPeak(Tier::Device);
        restartTierPeak(Tier::Ram);
        turns.emplace((*trial)->parts(), deviceBefore.currentBytes);
        (*trial)->run(1);
        for (const LearningPart& part : (*trial)->parts())
            linkBytes += part.component->store().traffic().bytes;
    }
    const auto device = static_cast<double>(turns->peakBytes());
    const auto ram = static_cast<double>(tierUse(Tier::Ram).peakBytes - ramBefore.currentBytes);

    const auto rehearsed = rehearseStep(config, model, placement);
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    EXPECT_NEAR(static_cast<double>(rehearsed->devicePeakBytes), device, kTolerance * device)
        << comparison(*turns, *rehearsed);
    // Latents and captions are made in RAM and not rehearsed.
    EXPECT_NEAR(static_cast<double>(rehearsed->ramPeakBytes), ram, kTolerance * ram + kBatchBytes);
    EXPECT_EQ(rehearsed->linkBytesPerStep + bytesThatComeOnce(*rehearsed), linkBytes); // in a first step
    EXPECT_EQ(GetParam().streamed, linkBytes > 0);
    EXPECT_EQ(GetParam().valuesInRam, rehearsed->valueBytesPerStep > 0);
}

void two(TrainConfig& config) {
    config.batchSize = 2;
}

void bf16(TrainConfig& config) {
    config.precision = Precision::Bf16;
    config.optimizer.states = StateType::Bf16;
}

/// Everything kept: queries, keys, values and results of attention then count with all blocks.
void twoInFp16(TrainConfig& config) {
    two(config);
    config.precision = Precision::Fp16;
}

void spreadOverThree(TrainConfig& config) {
    config.parallel = {3, 3};
    config.batchSize = 3;
}

void spreadClippedWithText(TrainConfig& config) {
    bf16(config);
    config.parallel = {2, 3};
    config.batchSize = 2;
    config.optimizer.maxGradientNorm = 1.0;
    config.trainTextEncoder = true;
}

void int8(TrainConfig& config) {
    bf16(config);
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.quantization = Quantization::Int8;
}

void int8OfAll(TrainConfig& config) {
    int8(config);
    config.lora.convolutions = true;
    config.trainTextEncoder = true;
}

TEST(RehearsedSdxl, saysThatItsTextEncodersCannotLearn) {
    TrainConfig config;
    config.trainTextEncoder = true;
    const ModelSource model = modelOf({.name = "", .change = {}, .model = "tiny-sdxl"});
    const auto rehearsal = rehearseStep(config, model, {});
    ASSERT_FALSE(rehearsal.ok());
    EXPECT_NE(rehearsal.error().text().find("--train-text-encoder"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    steps, RehearsedStep,
    ::testing::Values(
        Case{"fp32", [](TrainConfig&) {}}, Case{"fp32Kept", [](TrainConfig&) {}, Recompute::Never},
        Case{"fp32Products", [](TrainConfig&) {}, Recompute::CheapParts},
        Case{"fp32Streamed", [](TrainConfig&) {}, Recompute::Always, true}, Case{"bf16", bf16},
        Case{"bf16Kept", bf16, Recompute::Never}, Case{"bf16Products", bf16, Recompute::CheapParts},
        Case{"bf16Streamed", bf16, Recompute::CheapParts, true},
        Case{"partlyResident", bf16, Recompute::CheapParts, true, "tiny-sd1", nullptr, false, true},
        Case{"visiting", bf16, Recompute::Always, true, "tiny-sd1", nullptr, false, false, true},
        Case{"visitingPartly", bf16, Recompute::CheapParts, true, "tiny-sd1", nullptr, false, true, true},
        Case{"visitingShared", bf16, Recompute::Always, true, "tiny-sd1", nullptr, false, false, true, true},
        Case{"visitingSharedPartly",
             [](TrainConfig& config) {
                 bf16(config);
                 config.trainTextEncoder = true;
             },
             Recompute::CheapParts, true, "tiny-sd1", nullptr, false, true, true, true},
        Case{"visitingWithMasters",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.master = MasterWeights::Fp32;
             },
             Recompute::Always, true, "tiny-sd1", nullptr, false, false, true},
        Case{"partlyResidentClipped",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.maxGradientNorm = 1.0;
                 config.optimizer.emaDecay = 0.99;
                 config.trainTextEncoder = true;
             },
             Recompute::Always, true, "tiny-sd1", nullptr, false, true},
        Case{"valuesInRam", bf16, Recompute::Always, true, "tiny-sd1", nullptr, true},
        Case{"valuesInRamAccumulated",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.accumulationSteps = 2;
                 config.trainTextEncoder = true;
             },
             Recompute::CheapParts, true, "tiny-sd1", nullptr, true},
        Case{"sd2", two, Recompute::Always, false, "tiny-sd2"},
        Case{"sd2Kept", two, Recompute::Never, false, "tiny-sd2"},
        Case{"fp16Streamed", twoInFp16, Recompute::Always, true},
        Case{"sd2UpcastInFp16", twoInFp16, Recompute::Never, false, "tiny-sd2"},
        Case{"bf16FarPadding", bf16, Recompute::Always, false, "tiny-sd1", "variants/unet_far_padding.json"},
        Case{"sdxl", [](TrainConfig&) {}, Recompute::Always, false, "tiny-sdxl"},
        Case{"sdxlStreamed", [](TrainConfig&) {}, Recompute::Always, true, "tiny-sdxl"},
        Case{"sdxlBf16", bf16, Recompute::Always, false, "tiny-sdxl"},
        Case{"sdxlBf16Streamed", bf16, Recompute::Always, true, "tiny-sdxl"},
        Case{"sdxlBf16StreamedProducts", bf16, Recompute::CheapParts, true, "tiny-sdxl"},
        Case{"sdxlBf16Products", bf16, Recompute::CheapParts, false, "tiny-sdxl"},
        Case{"sdxlBf16Kept", bf16, Recompute::Never, false, "tiny-sdxl"},
        Case{"fp32NoMiddle", [](TrainConfig&) {}, Recompute::CheapParts, false, "tiny-sd1", kNoMiddle},
        Case{"textEncoder", [](TrainConfig& config) { config.trainTextEncoder = true; }},
        Case{"clippedWithAverages",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.maxGradientNorm = 1.0;
                 config.optimizer.emaDecay = 0.99;
             }},
        Case{"clippedStreamed",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.maxGradientNorm = 1.0;
             },
             Recompute::Always, true},
        Case{"accumulated",
             [](TrainConfig& config) {
                 bf16(config);
                 config.optimizer.accumulationSteps = 2;
                 config.optimizer.kind = OptimizerKind::AdamW8bit;
             }},
        Case{"adafactor", [](TrainConfig& config) { config.optimizer.kind = OptimizerKind::Adafactor; }},
        Case{"spread", spreadOverThree},
        Case{"spreadProductsClippedWithText", spreadClippedWithText, Recompute::CheapParts},
        Case{"spreadStreamed", spreadOverThree, Recompute::Always, true},
        Case{"spreadStreamedClippedWithText", spreadClippedWithText, Recompute::CheapParts, true},
        Case{"spreadPartlyResident", spreadClippedWithText, Recompute::Always, true, "tiny-sd1", nullptr,
             false, true},
        Case{"spreadValuesInRam", spreadOverThree, Recompute::Always, true, "tiny-sd1", nullptr, true},
        Case{"spreadLora",
             [](TrainConfig& config) {
                 config.parallel = {2, 3};
                 config.batchSize = 2;
                 config.method = TrainMethod::Lora;
             }},
        Case{"int8", int8}, Case{"int8OfAllKept", int8OfAll, Recompute::Never},
        Case{"int8OfAllProducts", int8OfAll, Recompute::CheapParts},
        Case{"int8Streamed", int8, Recompute::CheapParts, true},
        Case{"int8PartlyResident", int8OfAll, Recompute::Always, true, "tiny-sd1", nullptr, false, true},
        Case{"int8Sdxl", int8, Recompute::Never, false, "tiny-sdxl"},
        Case{"int8InFp32",
             [](TrainConfig& config) {
                 int8(config);
                 config.precision = Precision::Fp32;
             },
             Recompute::CheapParts},
        Case{"int8Spread",
             [](TrainConfig& config) {
                 int8(config);
                 config.parallel = {2, 3};
                 config.batchSize = 2;
             }},
        Case{"priorPreservation", [](TrainConfig& config) { config.data.classPrompt = "a photo of a dog"; }},
        Case{"lora",
             [](TrainConfig& config) {
                 bf16(config);
                 config.method = TrainMethod::Lora;
                 config.lora.rank = 4;
                 config.lora.convolutions = true;
                 config.lora.dropout = 0.1;
             }}),
    [](const auto& one) { return std::string(one.param.name); });

TEST(RehearsedParameters, thatAreSpreadTakeAShareAndABlock) {
    constexpr int64_t kRanks = 4;
    OpenOptions open;
    open.weightsOptional = true;
    const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", open);
    ASSERT_TRUE(model.ok()) << model.error().text();
    TrainConfig config;
    config.data.resolutionPixels = 64; // parameters count more than activations
    config.batchSize = kRanks;
    config.parallel = {kRanks, 2};
    const auto whole = rehearseStep(config, *model, {});
    config.parallel.zero = 3;
    const auto spread = rehearseStep(config, *model, {});
    ASSERT_TRUE(whole.ok() && spread.ok());
    const auto all = static_cast<double>(whole->parameterBytes);
    EXPECT_NEAR(static_cast<double>(spread->parameterBytes), all / kRanks, 0.01 * all);
    int64_t largest = 0;
    for (const RehearsedBlock& block : spread->blocks) largest = std::max(largest, block.parameterBytes);
    // Beside its share a rank has a block, and the slices of this one or the next on their way.
    const int64_t most = whole->devicePeakBytes - whole->parameterBytes * (kRanks - 1) / kRanks + 2 * largest;
    EXPECT_LE(spread->devicePeakBytes, most * 101 / 100);
    EXPECT_LT(spread->devicePeakBytes, whole->devicePeakBytes);
}

/// The device's peak of a streamed step over a link of this speed.
int64_t measuredPeak(const TrainConfig& config, const ModelSource& model, const StepPlacement& placement,
                     LinkSpeed link) {
    meterHostMemory();
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    store.link = link;
    const int64_t before = tierUse(Tier::Device).currentBytes;
    const auto trial = TrialStep::make(config, model, store, placement);
    if (!trial) throw std::runtime_error(trial.error().text());
    restartTierPeak(Tier::Device);
    (*trial)->run(1);
    return tierUse(Tier::Device).peakBytes - before;
}

/// What waits to leave the device is waited for where its room is needed, so that nothing but the plan
/// decides on the peak: neither a link that is faster than planned nor a slow optimizer.
TEST(RehearsedGradients, takeTheSameRoomWhateverTheLink) {
    const Case small{.name = "", .change = [](TrainConfig& config) { config.data.resolutionPixels = 64; }};
    const TrainConfig config = configOf(small); // gradients count more than activations
    ModelSource model = modelOf(small);
    model.unet.blockOutChannels = {32, 64, 64};
    StepPlacement placement{.streaming = StreamingOptions{}};
    const auto alone = rehearseStep(config, model, placement);
    ASSERT_TRUE(alone.ok()) << alone.error().text();
    placement.gradientRoom = {{std::numeric_limits<int64_t>::max()}};
    placement.gradientRoom.front().resize(alone->blocks.size(), std::numeric_limits<int64_t>::max());
    const auto unlimited = rehearseStep(config, model, placement);
    ASSERT_TRUE(unlimited.ok());
    ASSERT_GT(unlimited->devicePeakBytes,
              alone->devicePeakBytes * 105 / 100); // there is something to wait for
    placement.gradientRoom = gradientRoomWithin(*alone, alone->devicePeakBytes);
    const auto granted = rehearseStep(config, model, placement);
    ASSERT_TRUE(granted.ok());
    EXPECT_EQ(granted->devicePeakBytes, alone->devicePeakBytes); // it costs nothing
    const auto expected = static_cast<double>(granted->devicePeakBytes);
    for (const double bytesPerSecond : {0.0, 5e7})
        EXPECT_NEAR(static_cast<double>(measuredPeak(config, model, placement, {bytesPerSecond})), expected,
                    kTolerance * expected)
            << "over a link of " << bytesPerSecond << " bytes a second";
}

/// Also where gradients leave by two ways, of which now the one and now the other is the faster.
TEST(RehearsedGradients, countTogetherWhicheverWayTheyGo) {
    const Case small{.name = "", .change = [](TrainConfig& config) { config.data.resolutionPixels = 64; }};
    const TrainConfig config = configOf(small);
    ModelSource model = modelOf(small);
    model.unet.blockOutChannels = {32, 64, 64};
    StepPlacement placement{.streaming = StreamingOptions{.updatesOnDevice = true}};
    placement.updatedAtHome = {everyThird(64)};
    const auto alone = rehearseStep(config, model, placement);
    ASSERT_TRUE(alone.ok()) << alone.error().text();
    placement.gradientRoom = gradientRoomWithin(*alone, alone->devicePeakBytes);
    const auto granted = rehearseStep(config, model, placement);
    ASSERT_TRUE(granted.ok()) << granted.error().text();
    EXPECT_LE(granted->devicePeakBytes, alone->devicePeakBytes + 1024); // what stands for them is rounded
    const auto expected = static_cast<double>(granted->devicePeakBytes);
    for (const double bytesPerSecond : {0.0, 5e7})
        EXPECT_NEAR(static_cast<double>(measuredPeak(config, model, placement, {bytesPerSecond})), expected,
                    kTolerance * expected)
            << "over a link of " << bytesPerSecond << " bytes a second";
}

/// Blocks without adapters stay on the device from pass to pass where there is room.
TEST(RehearsedTraffic, whatComesOnceAndStaysIsNotOfEveryStep) {
    const Case lora{.name = "", .change = [](TrainConfig& config) {
                        config.method = TrainMethod::Lora;
                        config.data.resolutionPixels = 64;
                    }};
    const TrainConfig config = configOf(lora);
    const ModelSource model = modelOf(lora);
    const StepPlacement placement{.streaming = StreamingOptions{.deviceBytes = int64_t{1} << 30}};
    const auto rehearsed = rehearseStep(config, model, placement);
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    const std::vector<Stay>& stays = rehearsed->streams.front().residency.stays;
    ASSERT_TRUE(std::any_of(stays.begin(), stays.end(), [](const Stay& stay) { return stay.permanent; }));
    ParameterStore::Options store;
    store.type = scalarTypeOf(config.precision);
    const auto trial = TrialStep::make(config, model, store, placement);
    ASSERT_TRUE(trial.ok()) << trial.error().text();
    const ParameterStore& unet = (*trial)->parts().front().component->store();
    (*trial)->run(1);
    const int64_t first = unet.traffic().bytes;
    (*trial)->run(2);
    const int64_t second = unet.traffic().bytes - first;
    EXPECT_LT(second, first);
    EXPECT_EQ(rehearsed->linkBytesPerStep, second);
}

/// Fetched for forward, fetched for backward, and the gradient on its way home.
TEST(RehearsedTraffic, aStreamedStepMovesAtMostSixBytesAParameter) {
    TrainConfig config;
    bf16(config);
    OpenOptions open;
    open.weightsOptional = true;
    const auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/sd15", open);
    ASSERT_TRUE(model.ok()) << model.error().text();
    const auto rehearsed = rehearseStep(config, *model, {.streaming = StreamingOptions{}});
    ASSERT_TRUE(rehearsed.ok()) << rehearsed.error().text();
    const int64_t parameters = rehearsed->trainedBytes / 2;
    EXPECT_GT(parameters, 850'000'000);
    EXPECT_LE(rehearsed->linkBytesPerStep, 6 * parameters);
    EXPECT_GT(rehearsed->linkBytesPerStep, 5 * parameters); // gradients are in it
}

} // namespace
