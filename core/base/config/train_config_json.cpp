// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/train_config_json.h"

#include "core/base/config/colour.h"
#include "core/base/config/fields_json.h"
#include "core/base/files/sha256.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace homebooth::core {
namespace {

/// Decide nothing about what one step computes; everything else does.
constexpr std::array<std::string_view, 11> kFreeToChange{"model",         "steps",
                                                         "threads",       "data.instanceDir",
                                                         "data.classDir", "data.datasetDir",
                                                         "data.textPath", "data.skipBrokenImages",
                                                         "data.encode",   "scratch.configDir",
                                                         "mode"};

void require(std::vector<std::string>& problems, bool holds, const char* message) {
    if (!holds) problems.emplace_back(message);
}

/// Of a language model.
void checkLanguage(const TrainConfig& config, std::vector<std::string>& problems) {
    const DataConfig& data = config.data;
    require(problems, !config.model.empty(), "model (--model) is missing: the folder of a language model");
    require(problems, !data.textPath.empty(),
            "data.textPath (--text) is missing: the file or folder with the texts");
    require(problems, data.instanceDir.empty() && data.datasetDir.empty() && data.classPrompt.empty(),
            "--instance, --class-prompt and --dataset do not go with texts (--text)");
    require(problems, !config.trainTextEncoder,
            "trainTextEncoder (--train-text-encoder) is of models for pictures: all of a language model "
            "learns");
    require(problems, config.output.previewEverySteps == 0,
            "output.previewEverySteps (--preview-every) is of models for pictures; leave it out, and see "
            "what the result writes with `generate`");
}

void checkMode(const TrainConfig& config, std::vector<std::string>& problems) {
    const DataConfig& data = config.data;
    if (config.mode == TrainMode::Language) return checkLanguage(config, problems);
    require(problems, data.textPath.empty() && data.textColumn.empty() && data.contextTokens == 0,
            "data.textPath (--text), --text-column and --context are of language models");
    if (config.mode == TrainMode::FromScratch) {
        const std::string& component = config.scratch.component;
        require(
            problems, !config.scratch.configDir.empty(),
            "scratch.configDir (--scratch-config) is missing: the folder with the model's configurations");
        require(problems, component == "unet" || component == "vae",
                "scratch.component (--component) must be unet or vae");
        require(problems, config.method == TrainMethod::Full, "a LoRA cannot be trained from scratch");
        require(problems, component != "vae" || data.startSteps == 0,
                "data.startSteps (--start-steps) does not go with an autoencoder (component vae): it learns "
                "from crops");
    } else {
        require(problems, !config.model.empty(),
                "model (--model) is missing: the folder or file to start from");
    }
    if (config.mode == TrainMode::DreamBooth) {
        require(problems, !data.instanceDir.empty(),
                "data.instanceDir (--instance) is missing: the folder with the photos");
        require(problems, data.instancePrompt.find_first_not_of(" \t\r\n") != std::string::npos,
                "data.instancePrompt (--prompt) is missing, e.g. \"a photo of sks dog\"");
        require(problems, data.datasetDir.empty(),
                "data.datasetDir (--dataset) and photos of one subject (--instance) exclude each other");
    } else {
        require(problems, !data.datasetDir.empty(),
                "data.datasetDir (--dataset) is missing: the folder with the captioned pictures");
        require(problems, data.instanceDir.empty() && data.classPrompt.empty(),
                "--instance and --class-prompt do not go with a dataset");
    }
}

void checkTogether(const TrainConfig& config, std::vector<std::string>& problems) {
    require(problems, config.memory.swapBytes == 0 || !config.memory.swapDir.empty(),
            "memory.swapBytes (--swap-size) needs a folder: memory.swapDir (--swap)");
    require(problems, config.optimizer.warmupSteps <= config.steps,
            "optimizer.warmupSteps (--lr-warmup) must not be more than steps (--steps)");
    require(
        problems, (config.data.startSteps > 0) == (config.data.startResolutionPixels > 0),
        "data.startResolutionPixels (--start-resolution) and data.startSteps (--start-steps) go together");
    require(problems, config.data.captionColumns.empty() || config.mode != TrainMode::DreamBooth,
            "data.captionColumns (--caption-columns) is for a dataset: photos of one subject have none");
    require(problems, config.data.encode != EncodeTime::Ahead || config.mode != TrainMode::DreamBooth,
            "data.encode (--encode) ahead is for a dataset: a few photos are encoded first");
    require(problems, config.data.validationShare == 0.0 || config.mode != TrainMode::DreamBooth,
            "data.validationShare (--validation-share) is for a dataset: a few photos are all needed");
    require(problems, config.data.startResolutionPixels <= config.data.resolutionPixels,
            "data.startResolutionPixels (--start-resolution) must not be more than data.resolutionPixels");
    require(problems, !config.output.runDir.empty(),
            "output.runDir (--output) is missing: the folder of the run");
    require(problems,
            config.optimizer.states == StateType::Fp32 || config.optimizer.kind == OptimizerKind::AdamW,
            "optimizer.states (--optimizer-states) bf16 exists for adamw (--optimizer) only");
    const bool master = config.optimizer.master == MasterWeights::Fp32;
    require(
        problems, !master || config.precision != Precision::Fp32,
        "optimizer.master (--master) fp32 goes with precision bf16 or fp16: weights in fp32 need no copy");
    require(problems, config.quantization == Quantization::None || config.method == TrainMethod::Lora,
            "quantization (--quantize) int8 goes with method lora: weights that learn need all their bits");
    require(problems, !master || config.method != TrainMethod::Lora,
            "optimizer.master (--master) fp32 goes with method full: a LoRA's matrices are in fp32 already");
}

} // namespace

std::string toJson(const TrainConfig& config) {
    TrainConfig copy = config;
    return dumpJson(fieldsToJson(configFields(copy)), 2);
}

Result<void> readJson(std::string_view text, TrainConfig& config, GivenFields* given) {
    HOMEBOOTH_ASSIGN(const auto object, parseConfigObject(text));
    TrainConfig read = config;
    GivenFields named;
    std::vector<std::string> problems;
    std::vector<ConfigField> fields = configFields(read);
    readFields(object, fields, named, problems);
    if (object.wholeRun) { // says where that run lies, which is no wish for another one
        read.output.runDir = config.output.runDir;
        named.erase("output.runDir");
    }
    checkFields(fields, problems);
    HOMEBOOTH_CHECK(problemsResult("use this configuration", problems));
    config = std::move(read);
    if (given != nullptr) given->merge(named);
    return {};
}

Result<void> validate(const TrainConfig& config) {
    TrainConfig copy = config;
    std::vector<std::string> problems;
    checkFields(configFields(copy), problems);
    checkMode(config, problems);
    checkTogether(config, problems);
    return problemsResult("train with these settings", problems);
}

bool decidesSteps(std::string_view path) {
    return !path.starts_with("output.") && !path.starts_with("memory.") && !path.starts_with("parallel.") &&
           std::find(kFreeToChange.begin(), kFreeToChange.end(), path) == kFreeToChange.end();
}

std::string trainConfigHash(const TrainConfig& config) {
    TrainConfig copy = config;
    std::string text;
    // Checkpoints of before there were these settings would count as those of others.
    const bool white = parseColour(config.data.background) == kWhite;
    const bool whole = config.quantization == Quantization::None;
    const auto isUnset = [&](const ConfigField& field) {
        const bool ofTexts = field.path == "data.textColumn" || field.path == "data.contextTokens";
        return (white && field.colour) || (whole && field.path == "quantization") ||
               (ofTexts && config.mode != TrainMode::Language);
    };
    for (const ConfigField& field : configFields(copy))
        if (decidesSteps(field.path) && !isUnset(field))
            text += field.path + "=" + dumpJson(fieldToJson(field), -1) + "\n";
    return sha256Text(text);
}

} // namespace homebooth::core
