// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a rehearsal foretells of a GPU's memory, against peaks that were measured on one
// (tests/results/gpu/h200.json). Needs no GPU.
#include "core/base/model/model_source.h"
#include "core/engine/planning/step_planner.h"
#include "tests/engine/model_check.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace homebooth::core::testing {
namespace {

constexpr double kTolerance = 0.03; // of the peak
/// With parameters from RAM batch 4 took more, as results/gpu/h200.md says; why is open. Once it is within
/// the tolerance as the others this goes.
constexpr double kKnownMiss = 0.055;
constexpr const char* kOfKnownMiss = " --policy cpu --batch 4 ";

/// The value behind an option of a command.
std::string optionOf(const std::string& command, const std::string& name, const std::string& otherwise) {
    std::istringstream words(command);
    for (std::string word; words >> word;)
        if (word == name && words >> word) return word;
    return otherwise;
}

KeptForBackward keptBy(const std::string& name) {
    if (name == "everything") return KeptForBackward::Everything;
    return name == "products" ? KeptForBackward::Products : KeptForBackward::Inputs;
}

TrainConfig configOf(const std::string& command) {
    TrainConfig config;
    config.precision = Precision::Bf16;
    config.batchSize = std::stoll(optionOf(command, "--batch", "1"));
    config.data.resolutionPixels = std::stoll(optionOf(command, "--resolution", "512"));
    config.optimizer.kind = optionOf(command, "--optimizer", "adamw") == "adamw" ? OptimizerKind::AdamW
                                                                                 : OptimizerKind::AdamW8bit;
    if (optionOf(command, "--optimizer-states", "fp32") == "bf16") config.optimizer.states = StateType::Bf16;
    config.memory.device = ComputeDevice::Gpu; // whatever this machine has
    return config;
}

StepPlacement homesOf(const std::string& command) {
    StepPlacement homes;
    if (optionOf(command, "--policy", "gpu") != "cpu") return homes;
    homes.streaming = StreamingOptions{};
    homes.streaming->prefetchDistance = std::stoi(optionOf(command, "--ahead", "2"));
    homes.streaming->asSoonAsPossible = true;
    return homes;
}

TEST(GpuPeaks, areForetoldAsAGpuTookThem) {
    const std::string source = HOMEBOOTH_SOURCE_DIR;
    OpenOptions open;
    open.weightsOptional = true;
    const auto model = openModel(source + "/tests/configs/sd15", open);
    ASSERT_TRUE(model) << model.error().text();
    const auto measured = nlohmann::json::parse(readText(source + "/tests/results/gpu/h200.json"));
    const MachineSpeed any = MachineSpeed::uniform(1e12, 1e11, 1e-5, 1e9);
    int compared = 0;
    int known = 0;
    for (const auto& run : measured["runs"]) {
        const auto command = run["command"].get<std::string>();
        const std::string kept = optionOf(command, "--keep", "products");
        if (kept == "searched" || command.find(" train ") == std::string::npos) continue;
        const StepPlacement homes = homesOf(command);
        const auto plan = planAlike(configOf(command), *model, any, keptBy(kept), homes);
        ASSERT_TRUE(plan) << command << ": " << plan.error().text();
        const auto peak = run["figures"]["devicePeakBytes"].get<double>();
        const double offBy = static_cast<double>(plan->need.devicePeakBytes) / peak - 1.0;
        const bool misses = command.find(kOfKnownMiss) != std::string::npos;
        EXPECT_NEAR(offBy, 0.0, misses ? kKnownMiss : kTolerance) << command;
        EXPECT_EQ(offBy < -kTolerance, misses) << command;
        ++compared;
        known += misses ? 1 : 0;
    }
    EXPECT_GE(compared, 8);
    EXPECT_EQ(known, 1);
}

} // namespace
} // namespace homebooth::core::testing
