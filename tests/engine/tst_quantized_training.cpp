// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// LoRAs on weights that are kept as integers: the gradients of the weights that these stand for, losses near
// those of the whole model, nothing whole between forward and backward, files with what learns alone.
#include "core/base/arch/clip_layout.h"
#include "core/base/arch/unet_layout.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_open.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/weight_format.h"
#include "core/base/schedule/quantized_weights.h"
#include "core/engine/models/model_components.h"
#include "core/engine/nn/stored_weight.h"
#include "core/engine/parallel/packed_homes.h"
#include "core/engine/planning/plan_report.h"
#include "core/engine/planning/rehearsal.h"

#include "training_support.h"

#include <cmath>
#include <numeric>

namespace homebooth::core::testing {
namespace {

TrainConfig loraConfig(Quantization quantization) {
    TrainConfig config;
    config.method = TrainMethod::Lora;
    config.lora.rank = 3;
    config.lora.convolutions = true;
    config.quantization = quantization;
    return config;
}

Schedule learning(Schedule schedule, Quantization quantization) {
    const auto prepared = prepareLearning(schedule, loraConfig(quantization), /*learns=*/true);
    if (!prepared) throw std::runtime_error(prepared.error().text());
    return schedule;
}

/// At random, the upper matrices too, which start at zero otherwise.
void randomise(ParameterStore& store) {
    initialiseParameters(store, 11);
    at::manual_seed(5);
    for (const BlockSpec& block : store.schedule().blocks())
        for (const AdapterSpec& adapter : block.adapters)
            store.parameter(store.find(block.parameters[adapter.up].name)).normal_(0.0, 0.2);
}

/// Gives `plain` the numbers that `quantized` computes with. @returns  how many weights were integers
int makeWhole(const ParameterStore& quantized, ParameterStore& plain) {
    int integers = 0;
    for (const BlockSpec& block : plain.schedule().blocks())
        for (const ParameterSpec& spec : block.parameters) {
            const at::Tensor target = plain.parameter(plain.find(spec.name));
            const ParameterId scales = quantized.find(scaleName(spec.name));
            const at::Tensor values = quantized.parameter(quantized.find(spec.name));
            if (scales.block < 0) {
                target.copy_(values);
                continue;
            }
            EXPECT_EQ(values.scalar_type(), at::kChar) << spec.name;
            target.copy_(StoredWeight(values, quantized.parameter(scales)).whole(target.scalar_type()));
            ++integers;
        }
    return integers;
}

/// Compares gradients of a network on integers with those on the weights that they stand for.
void expectGradientsOfTheSameWeights(Component& quantized, Component& plain,
                                     const std::vector<at::Tensor>& inputs) {
    randomise(quantized.store());
    EXPECT_GT(makeWhole(quantized.store(), plain.store()), 10);
    std::vector<at::Tensor> given;
    for (const at::Tensor& input : inputs) given.push_back(plain.prepared(input));
    const at::Tensor output = plain.executor().run(given).front();
    const at::Tensor target = at::randn_like(output);
    const ModelGradients expected = differentiateModel(plain, given, target, Recompute::Always);
    EXPECT_GT(expected.parameters.size(), 20U);
    for (const auto& [name, gradient] : expected.parameters) {
        EXPECT_NE(name.find(".lora_"), std::string::npos) << name;
        EXPECT_GT(gradient.abs().max().item<double>(), 0.0) << name;
    }
    for (const Recompute recompute : {Recompute::Always, Recompute::CheapParts, Recompute::Never})
        expectEqualBytes(differentiateModel(quantized, given, target, recompute), expected);
}

class QuantizedGradients : public ::testing::TestWithParam<std::tuple<const char*, at::ScalarType>> {};

TEST_P(QuantizedGradients, areThoseOfTheWeightsThatTheyStandFor) {
    const auto [name, type] = GetParam();
    const auto model = openModel(fixture(name));
    ASSERT_TRUE(model) << model.error().text();
    const UNetConfig& config = model->unet;
    const auto make = [&](Quantization quantization) {
        ParameterStore::Options options;
        options.type = type;
        return std::make_unique<UNetModel>(config, learning(unetSchedule(config), quantization), options);
    };
    const auto quantized = make(Quantization::Int8);
    const auto plain = make(Quantization::None);
    at::manual_seed(3);
    // Pixels enough for every way to convolve.
    std::vector<at::Tensor> inputs{at::randn({2, config.inChannels, 32, 32}), at::full({2}, 400, at::kLong),
                                   at::randn({2, 5, config.crossAttentionDim})};
    if (config.textTimeEmbedding) {
        inputs.push_back(at::randn({2, config.pooledTextChannels()}));
        inputs.push_back(at::full({2, UNetConfig::kTimeIds}, 64.0));
    }
    expectGradientsOfTheSameWeights(quantized->component(), plain->component(), inputs);
}

INSTANTIATE_TEST_SUITE_P(unets, QuantizedGradients,
                         ::testing::Combine(::testing::Values("tiny-sd1", "tiny-sd2", "tiny-sdxl"),
                                            ::testing::Values(at::kFloat, at::kBFloat16)),
                         [](const auto& one) {
                             return std::string(std::get<0>(one.param)).substr(5) +
                                    c10::toString(std::get<1>(one.param));
                         });

TEST(QuantizedTextEncoder, hasTheGradientsOfTheWeightsThatItStandsFor) {
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model) << model.error().text();
    const ClipConfig& config = model->text.config;
    TextEncoder quantized(config, learning(clipSchedule(config), Quantization::Int8), {});
    TextEncoder plain(config, learning(clipSchedule(config), Quantization::None), {});
    expectGradientsOfTheSameWeights(quantized.component(), plain.component(),
                                    {at::arange(20, at::kLong).view({2, 10})});
}

TEST(QuantizedSchedule, leavesNetworksThatDoNotLearnAsTheyAre) {
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model) << model.error().text();
    Schedule schedule = clipSchedule(model->text.config);
    ASSERT_TRUE(prepareLearning(schedule, loraConfig(Quantization::Int8), /*learns=*/false));
    EXPECT_EQ(largestWholeWeightBytes(schedule, 4), 0);
    EXPECT_EQ(schedule.trainableCount(), 0);
}

TrainConfig tinyLora(const std::string& root, Quantization quantization = Quantization::Int8) {
    TrainConfig config = tinyDreamBooth(root);
    config.method = TrainMethod::Lora;
    config.lora.rank = 4;
    config.quantization = quantization;
    config.trainTextEncoder = true;
    return config;
}

std::vector<double> lossesOf(const JobWorld& world) {
    std::vector<double> losses;
    for (const StepEvent& step : world.events.of<StepEvent>()) losses.push_back(step.loss);
    return losses;
}

TEST(QuantizedTraining, losesNearlyWhatTheWholeModelLoses) {
    for (const Precision precision : {Precision::Fp32, Precision::Bf16}) {
        const std::string root = scratchFolder("quantized-losses");
        std::vector<std::vector<double>> curves;
        for (const Quantization quantization : {Quantization::None, Quantization::Int8}) {
            TrainConfig config = tinyLora(root, quantization);
            config.steps = 20;
            config.precision = precision;
            config.optimizer.learningRate = 5e-3;
            JobWorld world;
            const OutcomeEvent outcome =
                runFresh(inFolder(config, root + "/" + std::to_string(curves.size())), world);
            ASSERT_EQ(outcome.result, "done") << outcome.message;
            curves.push_back(lossesOf(world));
        }
        ASSERT_EQ(curves[0].size(), 20U);
        ASSERT_EQ(curves[1].size(), 20U);
        const double atFirst = std::abs(curves[1][0] / curves[0][0] - 1.0);
        EXPECT_LT(atFirst, 0.005);
        EXPECT_GT(atFirst, 0.0);
        for (size_t step = 0; step < curves[0].size(); ++step)
            EXPECT_NEAR(curves[1][step] / curves[0][step], 1.0, 0.05) << "step " << step + 1;
        const auto sum = [](const std::vector<double>& losses) {
            return std::accumulate(losses.begin(), losses.end(), 0.0);
        };
        EXPECT_NEAR(sum(curves[1]) / sum(curves[0]), 1.0, 0.01);
    }
}

/// Names of tensors in a .safetensors file, and that all are fp32 or fp16.
std::vector<std::string> namesIn(const std::string& path) {
    std::vector<std::string> names;
    const auto file = openTensors(path);
    for (const TensorInfo& info : file->tensors()) {
        EXPECT_TRUE(isFloatingPoint(info.type)) << path << ": " << info.name;
        names.push_back(info.name);
    }
    return names;
}

TEST(QuantizedTraining, savesWhatLearnsAlone) {
    TrainConfig config = tinyLora(scratchFolder("quantized-files"));
    config.output.previewEverySteps = 2;
    config.data.classPrompt = "a photo of a dog";
    config.data.classImageCount = 2;
    JobWorld world;
    world.options.cacheDir = scratchFolder("quantized-files-cache");
    const OutcomeEvent outcome = runFresh(config, world);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_FALSE(world.events.of<PreviewEvent>().empty());
    for (const char* part : {"unet", "text_encoder"})
        for (const std::string& name :
             namesIn(checkpointOf(config, config.steps) + "/" + part + ".safetensors"))
            EXPECT_NE(name.find(".lora_"), std::string::npos) << name;
    const auto model = openModel(config.model);
    const auto lora = openLora(outcome.resultPaths.front(), *model);
    ASSERT_TRUE(lora) << lora.error().text();
    EXPECT_TRUE(checkLoraFits(*lora, *model));
    for (const std::string& name : namesIn(outcome.resultPaths.front()))
        EXPECT_EQ(name.find("weight_scale"), std::string::npos) << name;
}

TEST(QuantizedTraining, hasTheSameBytesStreamedOrResumed) {
    const std::string root = scratchFolder("quantized-bytes");
    const TrainConfig config = tinyLora(root);
    JobWorld straight;
    ASSERT_EQ(runFresh(inFolder(config, root + "/straight"), straight).result, "done");
    const std::string expected = root + "/straight/run";
    const auto expectSame = [&](const TrainConfig& other) {
        expectEqualFolders(checkpointOf(other, 4), expected + "/checkpoints/step-000004");
        expectEqualFolders(other.output.runDir + "/result", expected + "/result");
    };
    TrainConfig streamed = inFolder(config, root + "/streamed");
    streamed.memory.policy = PlacementPolicy::Cpu;
    JobWorld second;
    ASSERT_EQ(runFresh(streamed, second).result, "done");
    expectEqualFolders(checkpointOf(streamed, 2), expected + "/checkpoints/step-000002");
    expectEqualFolders(streamed.output.runDir + "/result", expected + "/result");

    TrainConfig part = inFolder(config, root + "/resumed");
    part.steps = 2;
    JobWorld third;
    ASSERT_EQ(runFresh(part, third).result, "done");
    part.steps = config.steps;
    JobWorld fourth;
    ASSERT_EQ(runAgain(part, fourth).result, "done");
    EXPECT_EQ(fourth.events.of<ResumedEvent>().front().fromStep, 2);
    EXPECT_FALSE(warnsOf(fourth.events, "was made with other settings"));
    expectSame(part);
}

/// What a LoRA is put beside may be kept otherwise when a run goes on: it fits all the same, and is told.
TEST(QuantizedTraining, mayBeginInTheMiddleOfARun) {
    TrainConfig config = tinyLora(scratchFolder("quantized-later"), Quantization::None);
    config.steps = 2;
    JobWorld first;
    ASSERT_EQ(runFresh(config, first).result, "done");
    config.quantization = Quantization::Int8;
    config.steps = 4;
    JobWorld second;
    const OutcomeEvent outcome = runAgain(config, second);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    EXPECT_TRUE(warnsOf(second.events, "was made with other settings"));
}

ModelSource publishedModel(const std::string& name) {
    OpenOptions open;
    open.weightsOptional = true;
    auto model = openModel(HOMEBOOTH_SOURCE_DIR "/tests/configs/" + name, open);
    if (!model) throw std::runtime_error(model.error().text());
    return std::move(*model);
}

class QuantizedMemory : public ::testing::TestWithParam<Recompute> {};

/// Where every block keeps its graph, one whole weight a layer would stay until backward.
TEST_P(QuantizedMemory, holdsNoWholeWeightLongerThanItsProduct) {
    const ModelSource model = publishedModel("sd15");
    TrainConfig config = loraConfig(Quantization::None);
    config.precision = Precision::Bf16;
    config.data.resolutionPixels = 64; // weights count more than activations
    StepPlacement placement;
    placement.recompute.emplace_back(unetSchedule(model.unet).blocks().size(), GetParam());
    const auto whole = rehearseStep(config, model, placement);
    config.quantization = Quantization::Int8;
    const auto quantized = rehearseStep(config, model, placement);
    ASSERT_TRUE(whole && quantized);
    WeightBytes bytes;
    Schedule schedule = unetSchedule(model.unet);
    ASSERT_TRUE(prepareLearning(schedule, config, true));
    addWeights(schedule, config.precision, bytes);
    const int64_t spared = bytes.whole - bytes.quantized;
    EXPECT_GT(spared, 800'000'000);
    const int64_t sparedAtHome = whole->parameterBytes - quantized->parameterBytes; // whole pages
    EXPECT_GT(sparedAtHome, spared * 95 / 100);
    EXPECT_GE(whole->devicePeakBytes - quantized->devicePeakBytes,
              sparedAtHome - 2 * largestWholeWeightBytes(schedule, 2));
}

INSTANTIATE_TEST_SUITE_P(kept, QuantizedMemory,
                         ::testing::Values(Recompute::Always, Recompute::CheapParts, Recompute::Never),
                         [](const auto& one) { return "way" + std::to_string(static_cast<int>(one.param)); });

/// Of each integer a byte is read and two are written, forward, again for the gradient of what the layer took
/// in, and, where blocks are computed again, once more.
TEST(QuantizedTime, countsEachWeightThatIsMadeWhole) {
    const ModelSource model = publishedModel("sd15");
    TrainConfig config = loraConfig(Quantization::None);
    config.precision = Precision::Bf16;
    config.data.resolutionPixels = 64;
    const auto rehearsed = [&](Recompute kept) {
        StepPlacement placement;
        placement.recompute.emplace_back(unetSchedule(model.unet).blocks().size(), kept);
        auto found = rehearseStep(config, model, placement);
        if (!found) throw std::runtime_error(found.error().text());
        RehearsedWork work; // of the blocks' turns
        for (const RehearsedBlock& block : found->blocks)
            for (const RehearsedTurn* turn : {&block.forward, &block.backward}) {
                work.allocatedBytes += turn->work.allocatedBytes;
                work.unpackedBytes += turn->work.unpackedBytes;
            }
        return work;
    };
    const RehearsedWork whole = rehearsed(Recompute::Never);
    EXPECT_EQ(whole.unpackedBytes, 0);
    config.quantization = Quantization::Int8;
    Schedule schedule = unetSchedule(model.unet);
    ASSERT_TRUE(prepareLearning(schedule, config, true));
    int64_t integers = 0;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& parameter : block.parameters)
            if (parameter.storage == StorageType::Int8) integers += parameter.elementCount();
    const auto turns = [&](const RehearsedWork& work) {
        return static_cast<double>(work.unpackedBytes) / static_cast<double>(3 * integers);
    };
    const RehearsedWork quantized = rehearsed(Recompute::Never);
    EXPECT_NEAR(turns(quantized), 1.95,
                0.05); // nobody asks for the gradient of what the first layers take in
    EXPECT_NEAR(turns(rehearsed(Recompute::Always)), 2.6, 0.1); // nor for a block's last result once more
    EXPECT_EQ(quantized.allocatedBytes, whole.allocatedBytes);  // counted once
    MachineSpeed speed = MachineSpeed::uniform(1e11, 1e9, 1e-6, 1e9);
    speed.unpackedBytesPerSecond = 1e10;
    EXPECT_NEAR(speed.seconds(quantized) - speed.seconds(whole),
                static_cast<double>(quantized.unpackedBytes) / 1e10, 1e-6);
}

TEST(QuantizedMemory, sdxlStreamsLessOnEightGigabytes) {
    const ModelSource model = publishedModel("sdxl-base");
    TrainConfig config = loraConfig(Quantization::None);
    config.lora.convolutions = false;
    config.precision = Precision::Bf16;
    config.data.resolutionPixels = 1024;
    config.memory.device = ComputeDevice::Gpu;
    StepBudget budget;
    budget.deviceBytes = (int64_t{8} << 30) * 9 / 10;
    budget.ramBytes = int64_t{16} << 30;
    MachineSpeed speed = MachineSpeed::uniform(1e13, 2e11, 1e-5, 1e9);
    speed.linkBytesPerSecond = 1e10;
    const auto codes = [&](const StepPlan& steps) {
        const auto plan = planTraining(config, model, {true, budget.deviceBytes, *budget.ramBytes},
                                       stepNeedOf(config, steps, kThisMachine));
        EXPECT_TRUE(plan) << (plan ? "" : plan.error().text());
        std::string found;
        for (const PlanDecision& one : plan->event.decisions) found += one.code + "\n";
        return found;
    };
    const auto whole = planStep(config, model, budget, speed);
    ASSERT_TRUE(whole) << whole.error().text();
    ASSERT_TRUE(whole->placement.streaming.has_value());
    EXPECT_NE(codes(*whole).find(kWeightsInt8Proposed), std::string::npos);
    config.quantization = Quantization::Int8;
    const auto quantized = planStep(config, model, budget, speed);
    ASSERT_TRUE(quantized) << quantized.error().text();
    EXPECT_LT(quantized->need.linkBytesPerStep, whole->need.linkBytesPerStep / 4);
    EXPECT_LT(quantized->stepSeconds, whole->stepSeconds);
    EXPECT_NE(codes(*quantized).find(std::string(kWeightsInt8) + "\n"), std::string::npos);
}

/// Of several ranks each has its part of the integers and of the scales, and none of them is rounded on its
/// way: the first of two has what it loaded, and zeros of the other one, which is pretended.
TEST(QuantizedRanks, putIntegersAndScalesTogetherAsTheyAre) {
    const auto model = openModel(fixture("tiny-sd1"));
    ASSERT_TRUE(model) << model.error().text();
    Schedule schedule = unetSchedule(model->unet);
    ASSERT_TRUE(prepareLearning(schedule, loraConfig(Quantization::Int8), true));
    const auto ranks = Ranks::pretended(2);
    ParameterStore::Options options;
    options.type = at::kBFloat16;
    ParameterStore whole(schedule, options);
    options.spread = spreadFor(*ranks, schedule, at::kCPU);
    ParameterStore spread(schedule, options);
    for (ParameterStore* store : {&whole, &spread}) initialiseParameters(*store, 11);
    int64_t own = 0;
    int64_t all = 0;
    std::vector<int> order(schedule.blocks().size());
    std::iota(order.begin(), order.end(), 0);
    spread.beginPass(order);
    for (const int block : order) {
        const std::vector<at::Tensor>& found = spread.acquire(block);
        for (size_t index = 0; index < found.size(); ++index) {
            const ParameterId id{block, static_cast<int>(index)};
            const std::string& name = whole.spec(id).name;
            const at::Tensor isOwn = found[index] == whole.parameter(id);
            EXPECT_TRUE(isOwn.logical_or(found[index] == 0).all().item<bool>()) << name;
            if (weightOfScale(name).empty()) continue;
            own += isOwn.sum().item<int64_t>();
            all += isOwn.numel();
        }
        spread.release(block);
    }
    spread.endPass();
    EXPECT_GT(own, all / 4);
    EXPECT_LT(own, all * 3 / 4);
}

} // namespace
} // namespace homebooth::core::testing
