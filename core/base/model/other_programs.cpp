// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/other_programs.h"

#include "core/base/formats/convert_type.h"
#include "core/base/model/model_source.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

using nlohmann::ordered_json;

/// By its deviation ComfyUI tells an SD 2.x that predicts v.
constexpr const char* kToldByComfyUi = "up_blocks.3.attentions.2.transformer_blocks.0.norm1.bias";
constexpr double kDeviationOfV = 0.09;

constexpr int64_t kMostBytesBeside = int64_t{64} << 10; ///< published ones have 2 to 6 KiB

constexpr std::string_view kFirstLine =
    "# By this A1111 and Forge know that the model beside it predicts v.\n";

/// Whether it predicts v and has the shapes of a published family whose files have no key for that.
bool needsTelling(const ModelSource& model) {
    return model.predictionType == PredictionType::VPrediction &&
           (model.family == ModelFamily::StableDiffusion1 || model.family == ModelFamily::StableDiffusion2);
}

SchedulerConfig schedulerOf(const ModelSource& model) {
    auto parsed = parseSchedulerConfig(model.schedulerJson, model.path);
    return parsed ? std::move(parsed).value() : originalScheduler(model.family, model.predictionType);
}

/// Of all values, around their mean; 0 where there are none to be read.
double deviationOf(const TensorSource& source, const char* name) {
    const TensorInfo* info = source.find(name);
    if (info == nullptr || !isFloatingPoint(info->type) || info->elementCount() == 0) return 0.0;
    std::vector<std::byte> bytes(static_cast<size_t>(info->byteCount));
    if (!source.read(name, bytes)) return 0.0;
    std::vector<float> values(static_cast<size_t>(info->elementCount()));
    convertElements(bytes, info->type, std::as_writable_bytes(std::span(values)), DataType::F32);
    double sum = 0.0;
    for (const float value : values) sum += static_cast<double>(value);
    const double mean = sum / static_cast<double>(values.size());
    double squares = 0.0;
    for (const float value : values) squares += std::pow(static_cast<double>(value) - mean, 2.0);
    return std::sqrt(squares / static_cast<double>(values.size()));
}

bool comfyUiTakesItForV(const ModelSource& model) {
    return model.family == ModelFamily::StableDiffusion2 && model.unetTensors != nullptr &&
           deviationOf(*model.unetTensors, kToldByComfyUi) > kDeviationOfV;
}

/// Side of the latents that it was made for.
int64_t latentSide(const UNetConfig& unet) {
    constexpr int64_t kUsual = 64;
    return unet.sampleSize > 0 ? unet.sampleSize : kUsual;
}

ordered_json part(const char* target, ordered_json parameters) {
    ordered_json made;
    made["target"] = target;
    if (!parameters.empty()) made["params"] = std::move(parameters);
    return made;
}

/// How wide each stage is, as multiples of the first.
std::vector<int64_t> multiples(const std::vector<int64_t>& channels) {
    std::vector<int64_t> made;
    for (const int64_t one : channels) made.push_back(one / channels.front());
    return made;
}

ordered_json unetPart(const UNetConfig& unet) {
    std::vector<int64_t> attention;
    for (size_t i = 0; i < unet.downStages.size(); ++i)
        if (unet.downStages[i] == UNetStage::CrossAttention) attention.push_back(int64_t{1} << i);
    const auto& heads = unet.attentionHeads;
    const bool even = std::all_of(heads.begin(), heads.end(), [&](int64_t one) { return one == heads[0]; });
    ordered_json made;
    made["image_size"] = latentSide(unet);
    made["in_channels"] = unet.inChannels;
    made["out_channels"] = unet.outChannels;
    made["model_channels"] = unet.blockOutChannels.front();
    made["channel_mult"] = multiples(unet.blockOutChannels);
    made["num_res_blocks"] = unet.layersPerBlock.front();
    made["attention_resolutions"] = attention;
    if (even)
        made["num_heads"] = heads.front();
    else
        made["num_head_channels"] = unet.blockOutChannels.front() / heads.front();
    made["use_spatial_transformer"] = true;
    made["use_linear_in_transformer"] = unet.useLinearProjection;
    made["transformer_depth"] = unet.transformerLayers.front();
    made["context_dim"] = unet.crossAttentionDim;
    made["legacy"] = false;
    return part("ldm.modules.diffusionmodules.openaimodel.UNetModel", std::move(made));
}

ordered_json vaePart(const VaeConfig& vae) {
    ordered_json sizes;
    sizes["double_z"] = true;
    sizes["z_channels"] = vae.latentChannels;
    sizes["resolution"] = vae.sampleSize;
    sizes["in_channels"] = vae.inChannels;
    sizes["out_ch"] = vae.outChannels;
    sizes["ch"] = vae.blockOutChannels.front();
    sizes["ch_mult"] = multiples(vae.blockOutChannels);
    sizes["num_res_blocks"] = vae.layersPerBlock;
    sizes["attn_resolutions"] = ordered_json::array();
    sizes["dropout"] = 0.0;
    ordered_json made;
    made["embed_dim"] = vae.latentChannels;
    made["ddconfig"] = std::move(sizes);
    made["lossconfig"] = part("torch.nn.Identity", {});
    return part("ldm.models.autoencoder.AutoencoderKL", std::move(made));
}

ordered_json textPart(ModelFamily family) {
    if (family == ModelFamily::StableDiffusion1)
        return part("ldm.modules.encoders.modules.FrozenCLIPEmbedder", {});
    ordered_json made;
    made["freeze"] = true;
    made["layer"] = "penultimate";
    return part("ldm.modules.encoders.modules.FrozenOpenCLIPEmbedder", std::move(made));
}

/// As "key: value" lines, each section further in than its name.
void appendLines(const ordered_json& section, size_t depth, std::string& text) {
    constexpr size_t kIndent = 2;
    for (const auto& [key, value] : section.items()) {
        text.append(depth * kIndent, ' ').append(key).append(":");
        if (!value.is_object()) {
            text.append(" ").append(value.dump()).append("\n");
            continue;
        }
        text.append("\n");
        appendLines(value, depth + 1, text);
    }
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// A plain value of a .yaml, without its quotes or what is remarked behind it.
std::string_view plainValue(std::string_view text) {
    text = trimmed(text);
    if (text.empty() || (text[0] != '"' && text[0] != '\'')) return trimmed(text.substr(0, text.find(" #")));
    const size_t end = text.find(text[0], 1);
    return end == std::string_view::npos ? text : text.substr(1, end - 1);
}

/// What of such a text decides: lines "key: value" alone, at whatever depth.
struct SaidBeside {
    std::optional<std::string_view> parameterization; ///< the first
    bool isDiffusion = false;                         ///< of SD 1.x and 2.x, which A1111 runs
    bool scalesAsV = false;                           ///< of SDXL
};

SaidBeside saidIn(std::string_view text) {
    SaidBeside said;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const size_t colon = line.find(':');
        if (line.starts_with('#') || colon == std::string_view::npos) continue;
        const std::string_view key = trimmed(line.substr(0, colon));
        const std::string_view value = plainValue(line.substr(colon + 1));
        if (key == "parameterization" && !said.parameterization) said.parameterization = value;
        if (key != "target") continue;
        said.isDiffusion = said.isDiffusion || value.ends_with(".LatentDiffusion");
        said.scalesAsV = said.scalesAsV || value.ends_with(".VScaling");
    }
    return said;
}

} // namespace

fs::path pathBeside(const fs::path& file) {
    return fs::path(file).replace_extension(".yaml");
}

std::optional<PredictionType> predictionBeside(const fs::path& file, ModelFamily family) {
    const auto text = readRegularFile(pathBeside(file), kMostBytesBeside);
    if (!text) return std::nullopt;
    const SaidBeside said = saidIn(*text);
    if (family == ModelFamily::StableDiffusionXl)
        return said.scalesAsV ? std::optional(PredictionType::VPrediction) : std::nullopt;
    if (said.parameterization == "v") return PredictionType::VPrediction;
    const bool noise = said.parameterization ? *said.parameterization == "eps" : said.isDiffusion;
    return noise ? std::optional(PredictionType::Epsilon) : std::nullopt;
}

std::optional<ChoiceElsewhere> choiceElsewhere(const ModelSource& model) {
    if (model.predictionType == PredictionType::Epsilon && comfyUiTakesItForV(model))
        return ChoiceElsewhere{kNoiseChosenElsewhere,
                               "ComfyUI takes this model for one that predicts v, by its numbers, though it "
                               "learned to predict the noise: put the node ModelSamplingDiscrete behind the "
                               "model there, with eps"};
    if (!needsTelling(model)) return std::nullopt;
    const std::string unseen =
        "other programs do not see all of how this model predicts, in a single file of " +
        std::string(familyName(model.family));
    const std::string beside = "; A1111 and Forge read that it predicts v from the .yaml of the same name: "
                               "keep that beside the file";
    if (schedulerOf(model).rescaleBetasZeroSnr.value_or(false))
        return ChoiceElsewhere{
            kZeroSnrChosenElsewhere,
            unseen +
                ": in ComfyUI put the node ModelSamplingDiscrete behind the model, with v_prediction and "
                "zsnr; in A1111 choose \"Zero Terminal SNR\" as the noise schedule for sampling "
                "(Settings, Sampler parameters)" +
                beside};
    if (comfyUiTakesItForV(model)) return std::nullopt;
    return ChoiceElsewhere{
        kVChosenElsewhere,
        unseen + ": in ComfyUI put the node ModelSamplingDiscrete behind the model, with v_prediction" +
            beside};
}

std::string configurationBeside(const ModelSource& model) {
    if (!needsTelling(model)) return {};
    const SchedulerConfig scheduler = schedulerOf(model);
    const SchedulerConfig original = originalScheduler(model.family, model.predictionType);
    ordered_json made;
    made["parameterization"] = "v";
    made["timesteps"] = scheduler.trainTimesteps.value_or(original.trainTimesteps.value_or(1000));
    made["linear_start"] = scheduler.betaStart.value_or(original.betaStart.value_or(0.00085));
    made["linear_end"] = scheduler.betaEnd.value_or(original.betaEnd.value_or(0.012));
    made["channels"] = model.vae.latentChannels;
    made["image_size"] = latentSide(model.unet);
    made["scale_factor"] = model.vae.scalingFactor;
    made["conditioning_key"] = "crossattn";
    made["cond_stage_key"] = "txt";
    made["use_ema"] = false;
    made["unet_config"] = unetPart(model.unet);
    made["first_stage_config"] = vaePart(model.vae);
    made["cond_stage_config"] = textPart(model.family);
    ordered_json whole;
    whole["model"] = part("ldm.models.diffusion.ddpm.LatentDiffusion", std::move(made));
    std::string text(kFirstLine);
    appendLines(whole, 0, text);
    return text;
}

bool isConfigurationBeside(const fs::path& file) {
    const auto start = readFileStart(file, static_cast<int64_t>(kFirstLine.size()));
    return start && *start == kFirstLine;
}

} // namespace homebooth::core
