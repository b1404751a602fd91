// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/resumed_settings.h"

#include "core/base/config/config_fields.h"
#include "core/base/config/train_config_json.h"
#include "core/base/model/model_source.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/middle_of_run.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace homebooth::core {
namespace {

/// What saved steps are made of; with another alpha a LoRA's would count more or less than they did.
constexpr std::array<std::string_view, 10> kShapes = {"method",
                                                      "trainTextEncoder",
                                                      "precision",
                                                      "lora.rank",
                                                      "lora.alpha",
                                                      "lora.convolutions",
                                                      "scratch.component",
                                                      "optimizer.master",
                                                      "loss.predictionType",
                                                      "loss.zeroTerminalSnr"};
constexpr std::array<std::string_view, 2> kOptimizer = {"optimizer.kind", "optimizer.states"};
/// What is made of pictures and texts, and which of them are learned.
constexpr std::array<std::string_view, 7> kData = {
    "data.resolutionPixels", "data.framing",    "data.validationShare", "data.instancePrompt",
    "data.captionColumns",   "data.textColumn", "data.contextTokens"};

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

/// The settings that differ and count, each with both values.
/// @param counts  of a field's path, whose value was one and is another
template <class Counts>
std::string changedOf(TrainConfig before, TrainConfig after, const Counts& counts) {
    const std::vector<ConfigField> olds = configFields(before);
    const std::vector<ConfigField> news = configFields(after);
    std::string changed;
    for (size_t index = 0; index < olds.size(); ++index) {
        const ConfigField& field = olds[index];
        const std::string was = fieldText(field);
        const std::string is = fieldText(news[index]);
        if (was == is || !counts(field.path, was, is)) continue;
        const std::string& name = field.option.empty() ? field.path : field.option;
        const auto inWords = [](const std::string& text) { return text.empty() ? "nothing" : text; };
        changed += (changed.empty() ? "" : ", ") + name + " from " + inWords(was) + " to " + inWords(is);
    }
    return changed;
}

/// Says what a training predicts where it leaves that to its model. @param path  of the model
void tellPrediction(TrainConfig& config, const std::string& path) {
    if (!config.loss.predictionType.empty()) return;
    OpenOptions open;
    open.weightsOptional = true;
    if (const auto model = openPictureModel(path, open))
        config.loss.predictionType = toString(model->predictionType);
}

/// What has changed and does not fit what is saved. @param states  whether the optimizer's are in it
std::string misfitsOf(TrainConfig before, TrainConfig after, bool states) {
    if (before.loss.predictionType != after.loss.predictionType) {
        const bool scratch = after.mode == TrainMode::FromScratch;
        const std::string& model = scratch ? after.scratch.configDir : after.model;
        tellPrediction(before, model);
        tellPrediction(after, model);
    }
    return changedOf(std::move(before), std::move(after),
                     [states](const std::string& path, const std::string& was, const std::string& is) {
                         return contains(kShapes, path) || (states && contains(kOptimizer, path)) ||
                                (path == "mode" && (was == kFromScratch || is == kFromScratch));
                     });
}

/// Errors: Usage
Result<void> checkData(const RunFolder& run, const TrainConfig& before, const TrainConfig& after) {
    if (!inTheMiddle(run, after.steps)) return {};
    const std::string changed =
        changedOf(before, after, [](const std::string& path, const std::string&, const std::string&) {
            return contains(kData, path);
        });
    if (changed.empty()) return {};
    return Error{
        ErrorCode::Usage,
        "in the middle of a run other pictures or texts would make another result than the one that "
        "was begun: " +
            changed +
            "; leave that as it was, or end the run at its newest checkpoint (--steps) and then train "
            "it further so, or start a new run",
        run.path()};
}

template <class Paths>
std::string optionsOf(const Paths& paths) {
    TrainConfig config;
    std::string options;
    for (const ConfigField& field : configFields(config))
        if (contains(paths, field.path)) options.append(options.empty() ? "" : ", ").append(field.option);
    return options;
}

} // namespace

std::string fixedOptions() {
    return optionsOf(kShapes);
}

std::string optionsFixedWithinARun() {
    return optionsOf(kData);
}

std::string changedSettings(const TrainConfig& before, const TrainConfig& after) {
    return changedOf(before, after, [](const std::string& path, const std::string&, const std::string&) {
        return decidesSteps(path);
    });
}

Result<void> checkResumedSettings(const RunFolder& run, const TrainConfig& before, const TrainConfig& after) {
    HOMEBOOTH_CHECK(expectSavedThere(run));
    const std::vector<CheckpointEntry> checkpoints = listCheckpoints(run.checkpointsDir());
    if (checkpoints.empty()) return {};
    const std::string changed = misfitsOf(before, after, hasOptimizerStates(checkpoints));
    if (!changed.empty())
        return Error{
            ErrorCode::Usage,
            "the checkpoints of this run do not fit other settings: " + changed +
                "; leave that as it was, or start a new run (its result may be the new run's --model)",
            run.path()};
    HOMEBOOTH_CHECK(checkData(run, before, after));
    return checkSteps(run, after.steps);
}

} // namespace homebooth::core
