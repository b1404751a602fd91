// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills a SchedulerConfig in for one scheduler: the documented defaults of diffusers' classes, written out.
#include "core/base/model/configs/scheduler_config.h"

#include <cmath>

namespace homebooth::core {

namespace {

using enum SamplerKind;

bool isDpm(SamplerKind kind) {
    return kind == DpmPlusPlus2M || kind == DpmPlusPlus2MSde;
}
bool usesSigmas(SamplerKind kind) {
    return kind == Euler || kind == EulerAncestral || isDpm(kind) || kind == UniPc;
}

/// Copies what is set and notes what is not.
class Filler {
public:
    explicit Filler(SchedulerSettings& settings)
        : m_settings(settings) {}

    /// @param used  whether this scheduler reads the key; others keep the default and are not noted
    template <class T, class Default>
    void fill(const char* key, const std::optional<T>& given, T& member, Default byDefault,
              bool used = true) {
        if (given && used) {
            member = *given;
            return;
        }
        member = byDefault;
        if (used) m_settings.defaulted.emplace_back(key);
    }

private:
    SchedulerSettings& m_settings;
};

void fillSchedule(SamplerKind kind, const SchedulerConfig& config, SchedulerSettings& settings) {
    Filler filler(settings);
    const bool lcm = kind == Lcm;
    filler.fill("num_train_timesteps", config.trainTimesteps, settings.trainTimesteps, 1000);
    filler.fill("beta_start", config.betaStart, settings.betaStart, lcm ? 0.00085 : 0.0001);
    filler.fill("beta_end", config.betaEnd, settings.betaEnd, lcm ? 0.012 : 0.02);
    filler.fill("beta_schedule", config.betaSchedule, settings.betaSchedule,
                lcm ? BetaSchedule::ScaledLinear : BetaSchedule::Linear);
    settings.trainedBetas = config.trainedBetas;
    filler.fill("prediction_type", config.predictionType, settings.predictionType, PredictionType::Epsilon);
    filler.fill("rescale_betas_zero_snr", config.rescaleBetasZeroSnr, settings.rescaleBetasZeroSnr, false,
                kind != Pndm);
}

void fillStepping(SamplerKind kind, const SchedulerConfig& config, SchedulerSettings& settings) {
    Filler filler(settings);
    filler.fill("timestep_spacing", config.timestepSpacing, settings.timestepSpacing,
                usesSigmas(kind) ? TimestepSpacing::Linspace : TimestepSpacing::Leading);
    filler.fill("steps_offset", config.stepsOffset, settings.stepsOffset, 0);
    const bool clips = kind == Ddpm || kind == Ddim || kind == Lcm;
    filler.fill("clip_sample", config.clipSample, settings.clipSample, clips && kind != Lcm, clips);
    filler.fill("clip_sample_range", config.clipSampleRange, settings.clipSampleRange, 1.0,
                clips && settings.clipSample);
    const bool thresholds = clips || isDpm(kind) || kind == UniPc;
    filler.fill("thresholding", config.thresholding, settings.thresholding, false, thresholds);
    filler.fill("dynamic_thresholding_ratio", config.dynamicThresholdingRatio,
                settings.dynamicThresholdingRatio, 0.995, settings.thresholding);
    filler.fill("sample_max_value", config.sampleMaxValue, settings.sampleMaxValue, 1.0,
                settings.thresholding);
    filler.fill("set_alpha_to_one", config.setAlphaToOne, settings.setAlphaToOne, kind != Pndm,
                kind == Ddim || kind == Pndm || kind == Lcm);
    filler.fill("skip_prk_steps", config.skipPrkSteps, settings.skipPrkSteps, false, kind == Pndm);
    filler.fill("variance_type", config.varianceType, settings.varianceType, "fixed_small", kind == Ddpm);
    filler.fill("original_inference_steps", config.originalInferenceSteps, settings.originalInferenceSteps,
                50, kind == Lcm);
    filler.fill("timestep_scaling", config.timestepScaling, settings.timestepScaling, 10.0, kind == Lcm);
}

void fillSolver(SamplerKind kind, const SchedulerConfig& config, SchedulerSettings& settings) {
    Filler filler(settings);
    const bool sigmas = usesSigmas(kind) && kind != EulerAncestral;
    filler.fill("use_karras_sigmas", config.useKarrasSigmas, settings.karrasSigmas, false, sigmas);
    filler.fill("use_exponential_sigmas", config.useExponentialSigmas, settings.exponentialSigmas, false,
                sigmas);
    filler.fill("final_sigmas_type", config.finalSigmasType, settings.finalSigmasType, "zero", sigmas);
    filler.fill("interpolation_type", config.interpolationType, settings.interpolationType, "linear",
                kind == Euler);
    settings.sigmaMin = sigmas ? config.sigmaMin.value_or(0.0) : 0.0;
    settings.sigmaMax = sigmas ? config.sigmaMax.value_or(0.0) : 0.0;
    const bool solver = isDpm(kind) || kind == UniPc;
    filler.fill("solver_order", config.solverOrder, settings.solverOrder, 2, solver);
    filler.fill("solver_type", config.solverType, settings.solverType, kind == UniPc ? "bh2" : "midpoint",
                solver);
    filler.fill("lower_order_final", config.lowerOrderFinal, settings.lowerOrderFinal, true, solver);
    filler.fill("euler_at_final", config.eulerAtFinal, settings.eulerAtFinal, false, isDpm(kind));
    filler.fill("predict_x0", config.predictX0, settings.predictX0, true, kind == UniPc);
    settings.lambdaMinClipped = isDpm(kind) ? config.lambdaMinClipped.value_or(-HUGE_VAL) : -HUGE_VAL;
    settings.disableCorrector = config.disableCorrector;
    settings.algorithmType = kind == DpmPlusPlus2MSde ? "sde-dpmsolver++" : "dpmsolver++";
}

std::string solverTypeError(SamplerKind kind, std::string& type) {
    if (isDpm(kind)) {
        if (type == "logrho" || type == "bh1" || type == "bh2")
            type = "midpoint"; // from another solver's file
        if (type != "midpoint" && type != "heun") return "solver_type must be midpoint or heun";
    }
    if (kind == UniPc) {
        if (type == "midpoint" || type == "heun" || type == "logrho") type = "bh2";
        if (type != "bh1" && type != "bh2") return "solver_type must be bh1 or bh2";
    }
    return {};
}

/// What this scheduler cannot do, in words; empty when it can do everything.
std::string unsupported(SamplerKind kind, const SchedulerConfig& config, SchedulerSettings& settings) {
    if (usesSigmas(kind)) {
        if (config.useFlowSigmas.value_or(false)) return "use_flow_sigmas must be false";
        if (config.useBetaSigmas.value_or(false) && kind != EulerAncestral)
            return "use_beta_sigmas is not supported; choose Karras or plain sigmas";
        if (config.useLuLambdas.value_or(false) && isDpm(kind))
            return "use_lu_lambdas is not supported; choose Karras or plain sigmas";
        if (settings.karrasSigmas && settings.exponentialSigmas)
            return "only one of use_karras_sigmas and use_exponential_sigmas may be true";
        if (settings.finalSigmasType != "zero" && settings.finalSigmasType != "sigma_min")
            return "final_sigmas_type must be zero or sigma_min";
        if (kind == UniPc && settings.finalSigmasType == "zero" && !settings.lowerOrderFinal)
            return "lower_order_final must be true where final_sigmas_type is zero";
    }
    if (kind == Euler && config.timestepType.value_or("discrete") != "discrete")
        return "timestep_type must be discrete";
    if (kind == Euler && settings.interpolationType != "linear" && settings.interpolationType != "log_linear")
        return "interpolation_type must be linear or log_linear";
    if (kind == Ddpm && settings.varianceType != "fixed_small" &&
        settings.varianceType != "fixed_small_log" && settings.varianceType != "fixed_large")
        return "variance_type must be fixed_small, fixed_small_log or fixed_large";
    if (isDpm(kind) && config.varianceType.value_or("").rfind("learned", 0) == 0)
        return "variance_type must be a fixed one, as the network predicts no variance";
    if ((kind == Pndm || kind == EulerAncestral) && settings.predictionType == PredictionType::Sample)
        return "prediction_type must be epsilon or v_prediction for this sampler; choose DDIM";
    if (kind == Pndm && config.rescaleBetasZeroSnr.value_or(false)) // it would step on another noise
        return "PNDM (PLMS) knows no rescale_betas_zero_snr (zero terminal SNR); choose DDIM";
    return solverTypeError(kind, settings.solverType);
}

} // namespace

Result<SchedulerSettings> resolveFor(SamplerKind kind, const SchedulerConfig& config) {
    SchedulerSettings settings;
    settings.kind = kind;
    fillSchedule(kind, config, settings);
    fillStepping(kind, config, settings);
    fillSolver(kind, config, settings);
    if (!settings.trainedBetas.empty())
        settings.trainTimesteps = static_cast<int64_t>(settings.trainedBetas.size());
    const std::string problem = unsupported(kind, config, settings);
    if (!problem.empty())
        return badInput("this sampler cannot follow the scheduler's configuration: " + problem);
    return settings;
}

Result<SchedulerSettings> resolveForTraining(const SchedulerConfig& config) {
    SchedulerConfig plain = config;
    plain.varianceType.reset(); // noise is added, never removed: its variance does not matter
    plain.thresholding.reset();
    return resolveFor(samplerOfClass(config.className) == Lcm ? Lcm : Ddpm, plain);
}

} // namespace homebooth::core
