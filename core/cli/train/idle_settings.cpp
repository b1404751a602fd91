// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/idle_settings.h"

#include "core/base/config/step_spacing.h"
#include "core/base/plan/training/learning_schedule.h"

#include <array>

namespace homebooth::core {
namespace {

bool isOfSubject(const TrainConfig& config) {
    return config.mode == TrainMode::DreamBooth;
}
bool isOfDataset(const TrainConfig& config) {
    return config.mode == TrainMode::Dataset || config.mode == TrainMode::FromScratch;
}
bool isOfAutoencoder(const TrainConfig& config) {
    return config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
}
/// Whether prompts are learned, and previews made of them.
bool learnsPrompts(const TrainConfig& config) {
    return config.mode != TrainMode::Language && !isOfAutoencoder(config);
}
bool makesPreviews(const TrainConfig& config) {
    return config.output.previewEverySteps > 0;
}

using TrainRule = IdleRule<TrainConfig>;

constexpr std::string_view kClassOptions = "--class-dir --class-images --class-guidance --prior-weight";
constexpr std::string_view kLoraOptions = "--lora-rank --lora-alpha --lora-dropout --lora-convolutions";

constexpr std::array kTrainRules{
    TrainRule{kClassOptions, [](const auto& c) { return isOfSubject(c) && !c.usesClassPictures(); },
              "without a prompt of the class there are no class pictures",
              "add --class-prompt \"a photo of a dog\"", true},
    TrainRule{kClassOptions, isOfDataset, "a data set has no class pictures", "", true},
    TrainRule{kLoraOptions,
              [](const auto& c) { return c.method == TrainMethod::Full && c.mode != TrainMode::FromScratch; },
              "all weights learn (--method full)", "add --method lora", true},
    TrainRule{kLoraOptions, [](const auto& c) { return c.mode == TrainMode::FromScratch; },
              "what is trained from scratch is no LoRA", "", true},
    TrainRule{"--scratch-config --component", [](const auto& c) { return c.mode != TrainMode::FromScratch; },
              "nothing is trained from scratch", "add --from-scratch", true},
    TrainRule{"--prompt --train-text-encoder --text-encoder-lr --caption-dropout --shuffle-tags --keep-tags "
              "--encode --min-snr --noise-offset --zero-terminal-snr --prediction-type --preview-count "
              "--preview-prompt --guidance",
              isOfAutoencoder, "an autoencoder learns the pictures alone (--component vae)", ""},
    TrainRule{"--keep-tags", [](const auto& c) { return learnsPrompts(c) && !c.data.shuffleTags; },
              "tags keep their order", "add --shuffle-tags"},
    TrainRule{"--text-encoder-lr", [](const auto& c) { return !learnsText(c); },
              "the text encoder does not learn", "add --train-text-encoder"},
    TrainRule{"--validate-every", isOfSubject, "all photos of a subject are learned, none is held out", ""},
    TrainRule{"--validate-every",
              [](const auto& c) { return !isOfSubject(c) && c.data.validationShare == 0.0; },
              "nothing is held out of the training", "add --validation-share 0.1"},
    TrainRule{"--preview-count --preview-prompt --guidance",
              [](const auto& c) { return learnsPrompts(c) && !makesPreviews(c); },
              "no previews are made but those that are asked for while it trains", "add --preview-every 50"},
    TrainRule{"--beta1 --beta2 --adam-epsilon",
              [](const auto& c) { return c.optimizer.kind == OptimizerKind::Adafactor; },
              "adafactor goes without", "take --optimizer adamw or adamw8bit"},
    TrainRule{"--gpus", [](const auto& c) { return c.memory.device == ComputeDevice::Cpu; },
              "the processor computes (--device cpu)", "take --device auto"},
    TrainRule{"--pictures", [](const auto& c) { return c.mode == TrainMode::Language || isOfAutoencoder(c); },
              "this plan counts no pictures", ""},
};

using SampleRule = IdleRule<SampleConfig>;

constexpr std::array kSampleRules{
    SampleRule{"--strength", [](const auto& c) { return c.initImage.empty(); }, "no picture is started from",
               "add --init PICTURE"},
    SampleRule{"--negative", [](const auto& c) { return c.guidanceScale <= 1.0; },
               "without guidance (--guidance 1 or less) nothing leads away from it", "take more --guidance"},
    SampleRule{"--spacing", [](const auto& c) { return c.sampler == SamplerKind::Lcm; },
               "lcm has timesteps of its own", "take another --sampler"},
    SampleRule{"--spacing",
               [](const auto& c) {
                   return c.sampler != SamplerKind::Lcm && !takesSpacing(c.sampler, c.karrasSigmas);
               },
               "with --karras this sampler begins at the noisiest timestep in any case",
               "leave --karras out"},
};

using GenerateRule = IdleRule<GenerateConfig>;

constexpr std::array kGenerateRules{
    GenerateRule{"--top-k --top-p --seed", [](const auto& c) { return c.temperature == 0.0; },
                 "the likeliest token is always taken (--temperature 0)", "take another --temperature"},
};

/// Of rules that refuse nothing.
template <class Rules, class Settings>
std::vector<std::string> told(const Rules& rules, const Settings& settings, const NamedOptions& named) {
    return idleOptions<Settings>(rules, settings, named).value();
}

} // namespace

Result<std::vector<std::string>> idleSettings(const TrainConfig& config, const NamedOptions& named) {
    return idleOptions<TrainConfig>(kTrainRules, config, named);
}

std::vector<std::string> idleSettings(const SampleConfig& config, const NamedOptions& named) {
    return told(kSampleRules, config, named);
}

std::vector<std::string> idleSettings(const GenerateConfig& config, const NamedOptions& named) {
    return told(kGenerateRules, config, named);
}

} // namespace homebooth::core
