// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What training runs put into a step: micro-steps, buckets, 16-bit numbers.
#include "core/base/model/model_source.h"
#include "core/engine/io/tensor_files.h"

#include "training_support.h"

#include <cmath>
#include <map>

namespace homebooth::core::testing {
namespace {

TEST(TrainBatches, drawsAndClipsOverMicroSteps) {
    const std::string root = scratchFolder("accumulate");
    TrainConfig config = tinyDreamBooth(root);
    config.optimizer.accumulationSteps = 3;
    config.optimizer.maxGradientNorm = 1.0;
    config.steps = 2;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    EXPECT_TRUE(world.events.of<StepEvent>().front().gradientNorm.has_value());
    EXPECT_EQ(world.events.of<StepEvent>().back().epoch, 2); // three photos, six draws
}

/// AdamW's first moments after one step: a tenth of the gradients.
std::map<std::string, at::Tensor> firstMoments(const TrainConfig& config, const char* part) {
    const auto reader =
        SafetensorsReader::open(checkpointOf(config, 1) + "/optimizer-" + part + ".safetensors");
    if (!reader) throw std::runtime_error(reader.error().text());
    std::map<std::string, at::Tensor> found;
    for (const TensorInfo& info : (*reader)->tensors())
        if (info.name.ends_with(".exp_avg")) found[info.name] = *readWholeTensor(**reader, info.name);
    return found;
}

void expectEqualMoments(const TrainConfig& actual, const TrainConfig& expected, const char* part) {
    const auto found = firstMoments(actual, part);
    const auto wanted = firstMoments(expected, part);
    ASSERT_FALSE(wanted.empty());
    double total = 0.0;
    for (const auto& [name, tensor] : wanted) total += tensor.square().sum().item<double>();
    const double floor = 1e-6 * std::sqrt(total); // key biases' gradients are mathematically zero
    for (const auto& [name, tensor] : wanted) {
        const double difference = (found.at(name) - tensor).norm().item<double>();
        EXPECT_LE(difference, std::max(1e-4 * tensor.norm().item<double>(), floor)) << name;
    }
}

TEST(TrainBatches, seesInMicroStepsWhatALargerBatchSees) {
    const std::string root = scratchFolder("micro-steps");
    TrainConfig config = tinyDreamBooth(root);
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(4, 160, 80));
    config.trainTextEncoder = true;
    config.data.framing = FramingMode::Buckets;
    config.data.flip = true;
    config.data.captionDropout = 0.3;
    config.data.classPrompt = "a dog";
    config.data.classDir = root + "/class";
    config.data.classImageCount = 2;
    config.loss.noiseOffset = 0.1;
    config.output.checkpointEverySteps = 1;
    config.output.keepCheckpoints = 9;
    config.steps = 3;
    TrainConfig batch = inFolder(config, root + "/batch");
    batch.batchSize = 2;
    TrainConfig micro = inFolder(config, root + "/micro");
    micro.optimizer.accumulationSteps = 2;
    JobWorld first;
    JobWorld second;
    ASSERT_EQ(runFresh(batch, first).result, "done");
    ASSERT_EQ(runFresh(micro, second).result, "done");
    const auto expected = first.events.of<StepEvent>();
    const auto actual = second.events.of<StepEvent>();
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(actual[i].loss, expected[i].loss, 1e-4 * expected[i].loss) << "step " << i + 1;
    expectEqualMoments(micro, batch, "unet");
    expectEqualMoments(micro, batch, "text_encoder");
}

TEST(TrainBatches, trainsInSixteenBits) {
    for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
        const std::string root = scratchFolder(precision == Precision::Bf16 ? "bf16" : "fp16");
        TrainConfig config = tinyDreamBooth(root);
        config.precision = precision;
        config.trainTextEncoder = true;
        JobWorld world;
        const OutcomeEvent outcome = runFresh(config, world);
        ASSERT_EQ(outcome.result, "done") << outcome.message;
        EXPECT_EQ(world.events.of<StepEvent>().front().lossScale.has_value(), precision == Precision::Fp16);
        EXPECT_TRUE(openModel(outcome.resultPaths.front()));
    }
}

TEST(TrainBatches, keepsShapesInBuckets) {
    const std::string root = scratchFolder("buckets");
    TrainConfig config = tinyDreamBooth(root);
    writePpm(config.data.instanceDir + "/wide.ppm", patternPicture(4, 160, 80));
    config.data.framing = FramingMode::Buckets;
    config.data.resolutionPixels = 64;
    config.data.flip = true;
    config.data.classPrompt = "a dog";
    config.data.classImageCount = 1;
    config.data.classDir = root + "/class";
    config.steps = 8;
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    EXPECT_EQ(outcome.result, "done") << outcome.message;
}

} // namespace
} // namespace homebooth::core::testing
