// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/resumed_settings.h"

#include "core/base/config/config_fields.h"
#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoints_elsewhere.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace homebooth::core {
namespace {

constexpr std::array<std::string_view, 7> kShapes = {
    "method",          "trainTextEncoder", "precision", "lora.rank", "lora.convolutions", "scratch.component",
    "optimizer.master"};
constexpr std::array<std::string_view, 2> kOptimizer = {"optimizer.kind", "optimizer.states"};

constexpr std::string_view kFromScratch = "from-scratch"; // trains the text encoder, whatever else is said

template <class Paths>
bool contains(const Paths& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// Whether any checkpoint holds what the optimizer remembers.
bool hasOptimizerStates(const std::vector<CheckpointEntry>& checkpoints) {
    return std::any_of(checkpoints.begin(), checkpoints.end(), [](const CheckpointEntry& entry) {
        const auto manifest = readManifest(entry.path);
        return manifest && manifest->hasOptimizer();
    });
}

/// The checkpoint to go on from is looked for as the worker does, but without reading its tensors; where
/// there is none the worker says so.
Result<void> checkSteps(const RunFolder& run, int64_t asked) {
    const auto newest = newestValidCheckpoint(run.checkpointsDir(), VerifyDepth::Sizes);
    return newest ? checkStepsCover(newest->manifest.step, asked) : Result<void>{};
}

} // namespace

Result<void> checkResumedSettings(const RunFolder& run, const TrainConfig& before, const TrainConfig& after) {
    HOMEBOOTH_CHECK(expectCheckpointsThere(run));
    const std::vector<CheckpointEntry> checkpoints = listCheckpoints(run.checkpointsDir());
    if (checkpoints.empty()) return {};
    const bool states = hasOptimizerStates(checkpoints);
    TrainConfig first = before;
    TrainConfig second = after;
    const std::vector<ConfigField> olds = configFields(first);
    const std::vector<ConfigField> news = configFields(second);
    std::string changed;
    for (size_t index = 0; index < olds.size(); ++index) {
        const ConfigField& field = olds[index];
        const std::string was = fieldText(field);
        const std::string is = fieldText(news[index]);
        const bool counts = contains(kShapes, field.path) || (states && contains(kOptimizer, field.path)) ||
                            (field.path == "mode" && (was == kFromScratch || is == kFromScratch));
        const std::string& name = field.option.empty() ? field.path : field.option;
        if (counts && was != is)
            changed += (changed.empty() ? "" : ", ") + name + " from " + was + " to " + is;
    }
    if (changed.empty()) return checkSteps(run, after.steps);
    return Error{ErrorCode::Usage,
                 "the checkpoints of this run do not fit other settings: " + changed +
                     "; leave that as it was, or start a new run (its result may be the new run's --model)",
                 run.path()};
}

} // namespace homebooth::core
