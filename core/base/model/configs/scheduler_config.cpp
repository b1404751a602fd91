// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/scheduler_config.h"

#include "core/base/util/shallow_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <sstream>
#include <utility>

namespace homebooth::core {

namespace {

using Json = nlohmann::ordered_json;

template <class Enum>
using Words = std::vector<std::pair<const char*, Enum>>;

const Words<BetaSchedule>& betaScheduleWords() {
    static const Words<BetaSchedule> words = {{"linear", BetaSchedule::Linear},
                                              {"scaled_linear", BetaSchedule::ScaledLinear},
                                              {"squaredcos_cap_v2", BetaSchedule::SquaredCosCapV2}};
    return words;
}

const Words<PredictionType>& predictionTypeWords() {
    static const Words<PredictionType> words = {{"epsilon", PredictionType::Epsilon},
                                                {"v_prediction", PredictionType::VPrediction},
                                                {"sample", PredictionType::Sample}};
    return words;
}

const Words<TimestepSpacing>& timestepSpacingWords() {
    static const Words<TimestepSpacing> words = {{"leading", TimestepSpacing::Leading},
                                                 {"trailing", TimestepSpacing::Trailing},
                                                 {"linspace", TimestepSpacing::Linspace}};
    return words;
}

template <class Enum>
const char* wordOf(const Words<Enum>& words, Enum value) {
    for (const auto& [word, candidate] : words)
        if (candidate == value) return word;
    return "";
}

template <class Enum>
Result<Enum> valueOf(const Words<Enum>& words, std::string_view text, const std::string& what) {
    std::string accepted;
    for (const auto& [word, value] : words) {
        if (text == word) return value;
        accepted += (accepted.empty() ? "" : ", ") + std::string(word);
    }
    return badInput(what + " must be one of " + accepted + "; found '" + std::string(text) + "'");
}

/// Calls `visit(key, member)` for every key that has a member of its own, in the order in which it is
/// written.
template <class Config, class Visitor>
void forEachKey(Config& config, Visitor&& visit) {
    visit("num_train_timesteps", config.trainTimesteps);
    visit("beta_start", config.betaStart);
    visit("beta_end", config.betaEnd);
    visit("beta_schedule", config.betaSchedule);
    visit("prediction_type", config.predictionType);
    visit("timestep_spacing", config.timestepSpacing);
    visit("steps_offset", config.stepsOffset);
    visit("rescale_betas_zero_snr", config.rescaleBetasZeroSnr);
    visit("clip_sample", config.clipSample);
    visit("clip_sample_range", config.clipSampleRange);
    visit("thresholding", config.thresholding);
    visit("dynamic_thresholding_ratio", config.dynamicThresholdingRatio);
    visit("sample_max_value", config.sampleMaxValue);
    visit("set_alpha_to_one", config.setAlphaToOne);
    visit("skip_prk_steps", config.skipPrkSteps);
    visit("variance_type", config.varianceType);
    visit("interpolation_type", config.interpolationType);
    visit("timestep_type", config.timestepType);
    visit("final_sigmas_type", config.finalSigmasType);
    visit("use_karras_sigmas", config.useKarrasSigmas);
    visit("use_exponential_sigmas", config.useExponentialSigmas);
    visit("use_beta_sigmas", config.useBetaSigmas);
    visit("use_lu_lambdas", config.useLuLambdas);
    visit("use_flow_sigmas", config.useFlowSigmas);
    visit("sigma_min", config.sigmaMin);
    visit("sigma_max", config.sigmaMax);
    visit("solver_order", config.solverOrder);
    visit("algorithm_type", config.algorithmType);
    visit("solver_type", config.solverType);
    visit("lower_order_final", config.lowerOrderFinal);
    visit("euler_at_final", config.eulerAtFinal);
    visit("lambda_min_clipped", config.lambdaMinClipped);
    visit("predict_x0", config.predictX0);
    visit("original_inference_steps", config.originalInferenceSteps);
    visit("timestep_scaling", config.timestepScaling);
}

/// Takes typed members out of a JSON object; keeps the first error.
class KeyReader {
public:
    explicit KeyReader(Json& object)
        : m_object(object) {}

    void operator()(const char* key, std::optional<bool>& member) {
        if (const auto value = take(key)) store(key, value->is_boolean(), "true or false", *value, member);
    }
    void operator()(const char* key, std::optional<int64_t>& member) {
        if (const auto value = take(key))
            store(key, value->is_number_integer(), "a whole number", *value, member);
    }
    void operator()(const char* key, std::optional<double>& member) {
        const auto value = take(key);
        if (!value) return;
        if (isMinusInfinity(*value))
            member = -HUGE_VAL; // written so by Python; no JSON number, but some writers quote it
        else
            store(key, value->is_number(), "a number", *value, member);
    }
    void operator()(const char* key, std::optional<std::string>& member) {
        if (const auto value = take(key)) store(key, value->is_string(), "a word", *value, member);
    }
    void operator()(const char* key, std::optional<BetaSchedule>& member) {
        word(key, betaScheduleWords(), member);
    }
    void operator()(const char* key, std::optional<PredictionType>& member) {
        word(key, predictionTypeWords(), member);
    }
    void operator()(const char* key, std::optional<TimestepSpacing>& member) {
        word(key, timestepSpacingWords(), member);
    }
    template <class Number>
    void list(const char* key, std::vector<Number>& member) {
        const auto value = take(key);
        if (!value) return;
        bool numbers = value->is_array();
        for (size_t index = 0; numbers && index < value->size(); ++index)
            numbers = std::is_integral_v<Number> ? (*value)[index].is_number_integer()
                                                 : (*value)[index].is_number();
        if (numbers)
            member = value->template get<std::vector<Number>>();
        else
            fail(key, "a list of numbers", *value);
    }

    [[nodiscard]] const std::string& error() const { return m_error; }

private:
    static bool isMinusInfinity(const Json& value) {
        return value.is_string() && (value == "-inf" || value == "-Infinity");
    }
    /// The value of `key`, removed from the object; nothing when absent or null.
    std::optional<Json> take(const char* key) {
        const auto found = m_object.find(key);
        if (found == m_object.end()) return std::nullopt;
        Json value = *found;
        m_object.erase(found);
        if (value.is_null()) return std::nullopt;
        return value;
    }
    void fail(const char* key, const std::string& expected, const Json& found) {
        if (m_error.empty()) m_error = std::string(key) + " must be " + expected + "; found " + found.dump();
    }
    template <class T>
    void store(const char* key, bool fits, const char* expected, const Json& value,
               std::optional<T>& member) {
        if (fits)
            member = value.get<T>();
        else
            fail(key, expected, value);
    }
    template <class Enum>
    void word(const char* key, const Words<Enum>& words, std::optional<Enum>& member) {
        const auto value = take(key);
        if (!value) return;
        if (!value->is_string()) return fail(key, "a word", *value);
        auto parsed = valueOf(words, value->get<std::string>(), key);
        if (parsed)
            member = *parsed;
        else if (m_error.empty())
            m_error = parsed.error().message;
    }

    Json& m_object;
    std::string m_error;
};

class KeyWriter {
public:
    explicit KeyWriter(Json& object)
        : m_object(object) {}
    template <class T>
    void operator()(const char* key, const std::optional<T>& member) {
        if (member) m_object[key] = plain(*member);
    }

private:
    template <class T>
    static Json plain(const T& value) {
        if constexpr (std::is_enum_v<T>)
            return toString(value);
        else
            return value;
    }
    static Json plain(double value) { return std::isinf(value) ? Json("-inf") : Json(value); }

    Json& m_object;
};

/// The first value that is out of range, in words; empty when all are fine.
std::string rangeError(const SchedulerConfig& config) {
    constexpr int64_t kMostSteps = 1'000'000;
    std::string problem;
    const auto check = [&problem](const char* key, const auto& value, auto low, auto high) {
        if (!problem.empty() || !value || (*value >= low && *value <= high)) return;
        std::ostringstream text;
        text << key << " must be " << low << " to " << high << ", found " << *value;
        problem = text.str();
    };
    check("num_train_timesteps", config.trainTimesteps, 1, kMostSteps);
    check("beta_start", config.betaStart, 0.0, 1.0);
    check("beta_end", config.betaEnd, 0.0, 1.0);
    check("steps_offset", config.stepsOffset, 0, kMostSteps);
    check("solver_order", config.solverOrder, 1, 3);
    check("clip_sample_range", config.clipSampleRange, 1e-6, 1e6);
    check("dynamic_thresholding_ratio", config.dynamicThresholdingRatio, 0.0, 1.0);
    check("sample_max_value", config.sampleMaxValue, 1.0, 1e6);
    check("sigma_min", config.sigmaMin, 1e-6, 1e6);
    check("sigma_max", config.sigmaMax, 1e-6, 1e6);
    check("original_inference_steps", config.originalInferenceSteps, 1, kMostSteps);
    check("timestep_scaling", config.timestepScaling, 1e-6, 1e6);
    return problem;
}

/// Quotes the bare -Infinity that Python writes for lambda_min_clipped and that JSON does not know.
std::string quotedInfinity(std::string_view text) {
    std::string result(text);
    const std::string bare = ": -Infinity";
    for (size_t at = result.find(bare); at != std::string::npos; at = result.find(bare, at + bare.size()))
        result.replace(at, bare.size(), ": \"-inf\"");
    return result;
}

} // namespace

const char* toString(BetaSchedule value) {
    return wordOf(betaScheduleWords(), value);
}
const char* toString(PredictionType value) {
    return wordOf(predictionTypeWords(), value);
}
const char* toString(TimestepSpacing value) {
    return wordOf(timestepSpacingWords(), value);
}

Result<PredictionType> predictionTypeFromString(std::string_view text) {
    return valueOf(predictionTypeWords(), text, "the prediction type");
}

Result<SchedulerConfig> parseSchedulerConfig(std::string_view text, const std::string& context) {
    const std::string advice = "; restore the file from the model's source";
    Json object = parseShallow(quotedInfinity(text));
    if (!object.is_object())
        return badInput("the scheduler's configuration must be a JSON object" + advice, context);
    SchedulerConfig config;
    const auto name = object.find("_class_name");
    if (name == object.end() || !name->is_string())
        return badInput("the scheduler's configuration lacks _class_name" + advice, context);
    config.className = name->get<std::string>();
    object.erase(name);
    KeyReader reader(object);
    forEachKey(config, reader);
    reader.list("trained_betas", config.trainedBetas);
    reader.list("disable_corrector", config.disableCorrector);
    std::string problem = reader.error();
    if (problem.empty()) problem = rangeError(config);
    if (!problem.empty()) return badInput("in the scheduler's configuration " + problem + advice, context);
    config.unknownKeys = object.dump();
    return config;
}

std::string toJson(const SchedulerConfig& config) {
    Json object;
    object["_class_name"] = config.className;
    forEachKey(config, KeyWriter(object));
    if (!config.trainedBetas.empty()) object["trained_betas"] = config.trainedBetas;
    if (!config.disableCorrector.empty()) object["disable_corrector"] = config.disableCorrector;
    const Json unknown = parseShallow(config.unknownKeys);
    if (unknown.is_object()) object.update(unknown);
    return object.dump(2) + "\n";
}

void setZeroTerminalSnr(SchedulerConfig& config) {
    config.rescaleBetasZeroSnr = true;
    config.timestepSpacing = TimestepSpacing::Trailing; // sampling begins at the last timestep then
    if (config.className == "PNDMScheduler") config.className = "DDIMScheduler"; // PNDM knows none
}

std::optional<SamplerKind> samplerOfClass(std::string_view className) {
    static const std::array<std::pair<std::string_view, SamplerKind>, 8> classes = {{
        {"DDPMScheduler", SamplerKind::Ddpm},
        {"DDIMScheduler", SamplerKind::Ddim},
        {"PNDMScheduler", SamplerKind::Pndm},
        {"EulerDiscreteScheduler", SamplerKind::Euler},
        {"EulerAncestralDiscreteScheduler", SamplerKind::EulerAncestral},
        {"DPMSolverMultistepScheduler", SamplerKind::DpmPlusPlus2M},
        {"UniPCMultistepScheduler", SamplerKind::UniPc},
        {"LCMScheduler", SamplerKind::Lcm},
    }};
    for (const auto& [name, kind] : classes)
        if (name == className) return kind;
    return std::nullopt;
}

SchedulerConfig stableDiffusionSchedulerConfig(PredictionType predictionType) {
    SchedulerConfig config;
    config.className = "DDIMScheduler";
    config.trainTimesteps = 1000;
    config.betaStart = 0.00085;
    config.betaEnd = 0.012;
    config.betaSchedule = BetaSchedule::ScaledLinear;
    config.predictionType = predictionType;
    config.timestepSpacing = TimestepSpacing::Leading;
    config.stepsOffset = 1;
    config.rescaleBetasZeroSnr = false;
    config.clipSample = false;
    config.setAlphaToOne = false;
    config.skipPrkSteps = true;
    return config;
}

} // namespace homebooth::core
