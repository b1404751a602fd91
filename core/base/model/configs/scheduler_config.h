// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a model's scheduler_config.json says. Plain values; any thread.
//
// Invariants:
//   1. A key that the file lacks stays empty here. It takes its default only when the configuration is
//      resolved for one scheduler class, because the classes disagree; what was filled in that way is listed.
//   2. Keys that this program does not know are kept and written back.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

enum class BetaSchedule { Linear, ScaledLinear, SquaredCosCapV2 };
/// What the denoising network predicts.
enum class PredictionType { Epsilon, VPrediction, Sample };
enum class TimestepSpacing { Leading, Trailing, Linspace };

[[nodiscard]] const char* toString(BetaSchedule value);
[[nodiscard]] const char* toString(PredictionType value);
[[nodiscard]] const char* toString(TimestepSpacing value);
/// Errors: BadInput naming the accepted words.
[[nodiscard]] Result<PredictionType> predictionTypeFromString(std::string_view text);

/// scheduler_config.json as read: only what is there.
struct SchedulerConfig {
    std::string className = "DDIMScheduler"; ///< `_class_name`
    std::optional<int64_t> trainTimesteps;
    std::optional<double> betaStart;
    std::optional<double> betaEnd;
    std::optional<BetaSchedule> betaSchedule;
    std::vector<double> trainedBetas; ///< empty: none
    std::optional<PredictionType> predictionType;
    std::optional<TimestepSpacing> timestepSpacing;
    std::optional<int64_t> stepsOffset;
    std::optional<bool> rescaleBetasZeroSnr;
    std::optional<bool> clipSample;
    std::optional<double> clipSampleRange;
    std::optional<bool> thresholding;
    std::optional<double> dynamicThresholdingRatio;
    std::optional<double> sampleMaxValue;
    std::optional<bool> setAlphaToOne;
    std::optional<bool> skipPrkSteps;
    std::optional<std::string> varianceType;
    std::optional<std::string> interpolationType;
    std::optional<std::string> timestepType;
    std::optional<std::string> finalSigmasType;
    std::optional<bool> useKarrasSigmas;
    std::optional<bool> useExponentialSigmas;
    std::optional<bool> useBetaSigmas;
    std::optional<bool> useLuLambdas;
    std::optional<bool> useFlowSigmas;
    std::optional<double> sigmaMin;
    std::optional<double> sigmaMax;
    std::optional<int64_t> solverOrder;
    std::optional<std::string> algorithmType;
    std::optional<std::string> solverType;
    std::optional<bool> lowerOrderFinal;
    std::optional<bool> eulerAtFinal;
    std::optional<double> lambdaMinClipped;
    std::optional<bool> predictX0;
    std::vector<int64_t> disableCorrector;
    std::optional<int64_t> originalInferenceSteps;
    std::optional<double> timestepScaling;
    std::string unknownKeys = "{}"; ///< JSON object of everything else
};

/// A configuration with every value filled in for one scheduler class.
struct SchedulerSettings {
    SamplerKind kind = SamplerKind::Ddim;
    int64_t trainTimesteps = 1000;
    double betaStart = 0.0001;
    double betaEnd = 0.02;
    BetaSchedule betaSchedule = BetaSchedule::Linear;
    std::vector<double> trainedBetas;
    PredictionType predictionType = PredictionType::Epsilon;
    TimestepSpacing timestepSpacing = TimestepSpacing::Leading;
    int64_t stepsOffset = 0;
    bool rescaleBetasZeroSnr = false;
    bool clipSample = false;
    double clipSampleRange = 1.0;
    bool thresholding = false;
    double dynamicThresholdingRatio = 0.995;
    double sampleMaxValue = 1.0;
    bool setAlphaToOne = false;
    bool skipPrkSteps = false;
    std::string varianceType = "fixed_small";
    std::string interpolationType = "linear";
    std::string finalSigmasType = "zero";
    bool karrasSigmas = false;
    bool exponentialSigmas = false;
    double sigmaMin = 0.0; ///< of Karras sigmas; 0: the schedule's own
    double sigmaMax = 0.0; ///< of Karras sigmas; 0: the schedule's own
    int64_t solverOrder = 2;
    std::string algorithmType = "dpmsolver++";
    std::string solverType = "midpoint";
    bool lowerOrderFinal = true;
    bool eulerAtFinal = false;
    double lambdaMinClipped = 0.0; ///< lowest half log-SNR that is stepped on; 0 here means no limit
    bool predictX0 = true;
    std::vector<int64_t> disableCorrector;
    int64_t originalInferenceSteps = 50;
    double timestepScaling = 10.0;
    double eta = 0.0; ///< DDIM: share of DDPM's noise that is added; asked for, never in a file
    /// Keys that the file lacks and this scheduler uses, e.g. "beta_start".
    std::vector<std::string> defaulted;
};

/// Reads the text of a scheduler_config.json.
/// @param context  the file's name, for messages
/// Errors: BadInput for text that is no JSON object, wrong types, unknown words and values out of range.
[[nodiscard]] Result<SchedulerConfig> parseSchedulerConfig(std::string_view text, const std::string& context);

/// The text of a scheduler_config.json: what is set, and the unknown keys as they were.
[[nodiscard]] std::string toJson(const SchedulerConfig& config);

/// The values that a scheduler of this kind uses with `config`: as diffusers' `from_config`, so keys that the
/// file lacks take the documented default of the scheduler's class, not of the class that the file names.
/// Errors: BadInput for what this scheduler does not support (flow or beta sigmas, learned variance).
[[nodiscard]] Result<SchedulerSettings> resolveFor(SamplerKind kind, const SchedulerConfig& config);

/// Resolved for training and for the schedule itself: DDPM, whatever class the file names.
[[nodiscard]] Result<SchedulerSettings> resolveForTraining(const SchedulerConfig& config);

/// Has the last timestep leave nothing of a picture, and sampling begin there, with a scheduler that can.
/// Source: Lin et al., "Common Diffusion Noise Schedules and Sample Steps are Flawed", 2024
void setZeroTerminalSnr(SchedulerConfig& config);

/// The scheduler that the file names; empty for classes that are not among ours.
[[nodiscard]] std::optional<SamplerKind> samplerOfClass(std::string_view className);

/// What Stable Diffusion models have: for single files, which carry no scheduler, and training from scratch.
[[nodiscard]] SchedulerConfig stableDiffusionSchedulerConfig(PredictionType predictionType);

} // namespace homebooth::core
