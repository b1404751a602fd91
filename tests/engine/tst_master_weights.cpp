// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Training in 16 bits with fp32 masters: begins with the file's own numbers, goes the way of fp32, and hands
// on what the masters have learned.
#include "core/base/formats/safetensors_reader.h"
#include "core/engine/io/tensor_files.h"

#include "training_support.h"

namespace homebooth::core::testing {
namespace {

std::map<std::string, at::Tensor> tensorsOf(const std::string& path) {
    auto reader = SafetensorsReader::open(path);
    if (!reader) throw std::runtime_error(reader.error().text());
    std::map<std::string, at::Tensor> tensors;
    for (const TensorInfo& info : (*reader)->tensors()) {
        auto tensor = readWholeTensor(**reader, info.name);
        if (!tensor) throw std::runtime_error(tensor.error().text());
        tensors[info.name] = tensor->to(at::kDouble);
    }
    return tensors;
}

std::map<std::string, at::Tensor> startOf(const TrainConfig& config) {
    return tensorsOf(config.model + "/unet/diffusion_pytorch_model.safetensors");
}

/// The last checkpoint's weights of a run with these numbers.
std::map<std::string, at::Tensor> learned(TrainConfig config, Precision precision, MasterWeights master,
                                          const std::string& root) {
    config.precision = precision;
    config.optimizer.master = master;
    config = inFolder(config, root);
    JobWorld world;
    const OutcomeEvent outcome = runFresh(config, world);
    if (outcome.result != "done") throw std::runtime_error(outcome.message);
    return tensorsOf(checkpointOf(config, config.steps) + "/unet.safetensors");
}

/// The norm of all differences.
double distance(const std::map<std::string, at::Tensor>& a, const std::map<std::string, at::Tensor>& b) {
    double sum = 0.0;
    for (const auto& [name, tensor] : a) sum += (tensor - b.at(name)).square().sum().item<double>();
    return std::sqrt(sum);
}

TEST(MasterWeights, beginWithTheNumbersOfTheFile) {
    const std::string root = scratchFolder("master-start");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 1;
    config.optimizer.learningRate = 1e-12;
    const auto start = startOf(config);
    const double rounded =
        distance(learned(config, Precision::Bf16, MasterWeights::None, root + "/none"), start);
    const double exact =
        distance(learned(config, Precision::Bf16, MasterWeights::Fp32, root + "/fp32"), start);
    EXPECT_GT(rounded, 0.0);
    EXPECT_LT(exact, 1e-4 * rounded);
}

/// At the rates of fine-tuning a step is far below the last bit of a bf16 weight.
TEST(MasterWeights, goTheWayOfFp32) {
    const std::string root = scratchFolder("master-trajectory");
    TrainConfig config = tinyDreamBooth(root);
    config.steps = 20;
    config.output.checkpointEverySteps = 20;
    config.optimizer.learningRate = 1e-5;
    const auto start = startOf(config);
    const auto fp32 = learned(config, Precision::Fp32, MasterWeights::None, root + "/exact");
    const auto none = learned(config, Precision::Bf16, MasterWeights::None, root + "/none");
    const auto master = learned(config, Precision::Bf16, MasterWeights::Fp32, root + "/fp32");
    const double moved = distance(fp32, start);
    std::printf("off the way of fp32, as a part of it: with masters %.3f, rounded at random %.3f\n",
                distance(master, fp32) / moved, distance(none, fp32) / moved);
    EXPECT_LT(distance(master, fp32), 0.25 * moved); // gradients are those of bf16
    EXPECT_GT(distance(none, fp32), moved);          // noise of rounding, which has no direction
}

TEST(MasterWeights, resultIsOfTheMasters) {
    const std::string root = scratchFolder("master-result");
    TrainConfig config = tinyDreamBooth(root);
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto masters = tensorsOf(checkpointOf(config, 4) + "/unet.safetensors");
    const auto result =
        tensorsOf(config.output.runDir + "/result/model/unet/diffusion_pytorch_model.safetensors");
    for (const auto& [name, tensor] : masters)
        EXPECT_TRUE(at::equal(tensor.to(at::kHalf).to(at::kDouble), result.at(name))) << name;
}

TEST(MasterWeights, outliveTheirPrunedMoments) {
    const std::string root = scratchFolder("master-pruned");
    TrainConfig config = tinyDreamBooth(root);
    config.precision = Precision::Bf16;
    config.optimizer.master = MasterWeights::Fp32;
    config.output.keepOptimizerState = false;
    JobWorld world;
    ASSERT_EQ(runFresh(config, world).result, "done");
    const auto before = tensorsOf(checkpointOf(config, 4) + "/unet.safetensors");
    TrainConfig longer = config;
    longer.steps = 5;
    longer.optimizer.learningRate = 1e-12;
    JobWorld again;
    const OutcomeEvent outcome = runAgain(longer, again);
    ASSERT_EQ(outcome.result, "done") << outcome.message;
    const auto after = tensorsOf(checkpointOf(config, 5) + "/unet.safetensors");
    EXPECT_LT(distance(after, before), 1e-6);
}

} // namespace
} // namespace homebooth::core::testing
