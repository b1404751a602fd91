// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/unet_config.h"

#include "core/base/model/configs/config_reader.h"

#include <algorithm>

namespace homebooth::core {
namespace {

const std::vector<std::string> kActivations{"silu", "swish", "mish", "gelu", "relu"};

std::vector<UNetStage> readStages(ConfigReader& reader, const std::string& key, const std::string& direction,
                                  const std::vector<UNetStage>& fallback) {
    const std::string plain = direction + "Block2D";
    const std::string crossAttention = "CrossAttn" + direction + "Block2D";
    const std::vector<std::string> names = reader.texts(key, {}, {crossAttention, plain});
    if (names.empty()) return fallback;
    std::vector<UNetStage> stages;
    for (const std::string& name : names)
        stages.push_back(name == plain ? UNetStage::Plain : UNetStage::CrossAttention);
    return stages;
}

std::vector<std::string> stageNames(const std::vector<UNetStage>& stages, const std::string& direction) {
    std::vector<std::string> names;
    for (const UNetStage stage : stages)
        names.push_back((stage == UNetStage::Plain ? "" : "CrossAttn") + direction + "Block2D");
    return names;
}

int64_t readSampleSize(ConfigReader& reader) {
    const std::vector<int64_t> sizes = reader.integers("sample_size", {0}, 1, 1, kMostChannels);
    return sizes.front();
}

/// An explicit null leaves the mid block out; a missing key means the class default.
UNetMid readMid(ConfigReader& reader, bool written) {
    const std::vector<std::string> names{"UNetMidBlock2DCrossAttn", "UNetMidBlock2D"};
    if (written && reader.isNull("mid_block_type")) return UNetMid::None;
    return reader.text("mid_block_type", names[0], names) == names[0] ? UNetMid::CrossAttention
                                                                      : UNetMid::Plain;
}

void readStructure(ConfigReader& reader, UNetConfig& config) {
    config.downStages = readStages(reader, "down_block_types", "Down", config.downStages);
    config.upStages = readStages(reader, "up_block_types", "Up", config.upStages);
    config.blockOutChannels =
        reader.integers("block_out_channels", config.blockOutChannels, 0, 1, kMostChannels);
    const size_t count = config.blockOutChannels.size();
    if (config.downStages.size() != count || config.upStages.size() != count)
        reader.complain("\"block_out_channels\", \"down_block_types\" and \"up_block_types\" have " +
                        std::to_string(count) + ", " + std::to_string(config.downStages.size()) + " and " +
                        std::to_string(config.upStages.size()) + " entries, supported: as many of each");
    const auto perStage = [&](const char* key, int64_t fallback, int64_t least) {
        return reader.integers(key, std::vector<int64_t>(count, fallback), count, least, kMostLayers);
    };
    config.layersPerBlock = perStage("layers_per_block", 2, 1);
    config.attentionHeads =
        reader.integers("attention_head_dim", std::vector<int64_t>(count, 8), count, 1, kMostChannels);
    config.transformerLayers = perStage("transformer_layers_per_block", 1, 1);
    config.upTransformerLayers = config.transformerLayers;
    std::reverse(config.upTransformerLayers.begin(), config.upTransformerLayers.end());
    config.upTransformerLayers = reader.integers("reverse_transformer_layers_per_block",
                                                 config.upTransformerLayers, count, 1, kMostLayers);
    const std::vector<int64_t> contexts =
        reader.integers("cross_attention_dim", std::vector<int64_t>(count, config.crossAttentionDim), count,
                        1, kMostChannels);
    config.crossAttentionDim = contexts.front();
    if (std::any_of(contexts.begin(), contexts.end(), [&](int64_t size) { return size != contexts.front(); }))
        reader.refuse("cross_attention_dim", "the same size for all blocks");
}

void readTimeEmbedding(ConfigReader& reader, UNetConfig& config) {
    config.flipSinToCos = reader.flag("flip_sin_to_cos", config.flipSinToCos);
    config.freqShift = reader.real("freq_shift", config.freqShift);
    config.timeEmbeddingDim = reader.integer("time_embedding_dim", 0, 1, kMostChannels);
    config.timeScaleShift =
        reader.text("resnet_time_scale_shift", "default", {"default", "scale_shift"}) == "default"
            ? TimeScaleShift::Add
            : TimeScaleShift::ScaleShift;
    config.textTimeEmbedding = !reader.text("addition_embed_type", "", {"text_time"}).empty();
    if (!config.textTimeEmbedding) return;
    config.additionTimeEmbedDim = reader.integer("addition_time_embed_dim", 0, 1, kMostChannels);
    config.additionInputDim = reader.integer("projection_class_embeddings_input_dim", 0, 1, kMostChannels);
    if (config.additionTimeEmbedDim == 0) reader.refuse("addition_time_embed_dim", "a number of channels");
    if (config.additionInputDim == 0)
        reader.refuse("projection_class_embeddings_input_dim", "a number of channels");
}

void refuseUnsupported(ConfigReader& reader) {
    for (const char* key :
         {"only_cross_attention", "mid_block_only_cross_attention", "dual_cross_attention", "encoder_hid_dim",
          "encoder_hid_dim_type", "num_attention_heads", "class_embed_type", "num_class_embeds",
          "time_embedding_act_fn", "timestep_post_act", "time_cond_proj_dim", "class_embeddings_concat",
          "cross_attention_norm"})
        reader.mustBeUnset(key);
    reader.mustBeShare("dropout"); // of training alone, which asks for it (plan/model_dropout)
    reader.mustBeUnset("time_embedding_type", {"\"positional\""});
    reader.mustBeUnset("attention_type", {"\"default\""});
}

void checkSizes(ConfigReader& reader, const UNetConfig& config) {
    const auto crossAttention = [&](size_t i) {
        return config.downStages[i] == UNetStage::CrossAttention ||
               config.upStages[config.upStages.size() - 1 - i] == UNetStage::CrossAttention ||
               (i + 1 == config.downStages.size() && config.mid == UNetMid::CrossAttention);
    };
    for (size_t i = 0; i < config.blockOutChannels.size(); ++i) {
        const int64_t channels = config.blockOutChannels[i];
        if (channels % config.normGroups != 0)
            reader.complain("\"block_out_channels\" has " + std::to_string(channels) +
                            ", supported: multiples of \"norm_num_groups\", which is " +
                            std::to_string(config.normGroups));
        if (crossAttention(i) && channels % config.attentionHeads[i] != 0)
            reader.complain("\"attention_head_dim\" (the number of heads) is " +
                            std::to_string(config.attentionHeads[i]) +
                            ", supported: divisors of the block's " + std::to_string(channels) + " channels");
    }
    for (const auto& [key, kernel] : {std::pair("conv_in_kernel", config.convInKernel),
                                      std::pair("conv_out_kernel", config.convOutKernel)})
        if (kernel % 2 == 0) reader.refuse(key, "an odd number");
}

} // namespace

Result<UNetConfig> UNetConfig::fromJson(std::string_view text) {
    HOMEBOOTH_ASSIGN(ConfigReader reader, ConfigReader::parse(text, "UNet configuration"));
    UNetConfig config;
    reader.mustBeUnset("_class_name", {"\"UNet2DConditionModel\""});
    config.sampleSize = readSampleSize(reader);
    config.inChannels = reader.integer("in_channels", config.inChannels, 1, kMostChannels);
    config.outChannels = reader.integer("out_channels", config.outChannels, 1, kMostChannels);
    config.centerInputSample = reader.flag("center_input_sample", config.centerInputSample);
    readStructure(reader, config);
    config.mid = readMid(reader, reader.contains("mid_block_type"));
    config.downsamplePadding = reader.integer("downsample_padding", config.downsamplePadding, 0, 1);
    config.midBlockScaleFactor = reader.real("mid_block_scale_factor", config.midBlockScaleFactor);
    if (config.midBlockScaleFactor == 0.0) reader.refuse("mid_block_scale_factor", "a number other than 0");
    config.activation = reader.text("act_fn", config.activation, kActivations);
    if (reader.contains("norm_num_groups") && reader.isNull("norm_num_groups"))
        reader.refuse("norm_num_groups", "a number of groups");
    config.normGroups = reader.integer("norm_num_groups", config.normGroups, 1, kMostChannels);
    config.normEpsilon = reader.real("norm_eps", config.normEpsilon);
    config.useLinearProjection = reader.flag("use_linear_projection", config.useLinearProjection);
    config.upcastAttention = reader.flag("upcast_attention", config.upcastAttention);
    config.convInKernel = reader.integer("conv_in_kernel", config.convInKernel, 1, 31);
    config.convOutKernel = reader.integer("conv_out_kernel", config.convOutKernel, 1, 31);
    readTimeEmbedding(reader, config);
    refuseUnsupported(reader);
    if (reader.ok()) checkSizes(reader, config);
    if (!reader.ok()) return reader.error();
    return config;
}

std::string UNetConfig::toJson() const {
    using Json = nlohmann::json;
    const std::vector<int64_t> mirrored(transformerLayers.rbegin(), transformerLayers.rend());
    nlohmann::ordered_json json;
    json["_class_name"] = "UNet2DConditionModel";
    json["act_fn"] = activation;
    json["addition_embed_type"] = textTimeEmbedding ? Json("text_time") : Json();
    json["addition_time_embed_dim"] = textTimeEmbedding ? Json(additionTimeEmbedDim) : Json();
    json["attention_head_dim"] = collapse(attentionHeads);
    json["block_out_channels"] = blockOutChannels;
    json["center_input_sample"] = centerInputSample;
    json["conv_in_kernel"] = convInKernel;
    json["conv_out_kernel"] = convOutKernel;
    json["cross_attention_dim"] = crossAttentionDim;
    json["down_block_types"] = stageNames(downStages, "Down");
    json["downsample_padding"] = downsamplePadding;
    json["flip_sin_to_cos"] = flipSinToCos;
    json["freq_shift"] = freqShift;
    json["in_channels"] = inChannels;
    json["layers_per_block"] = collapse(layersPerBlock);
    json["mid_block_scale_factor"] = midBlockScaleFactor;
    json["mid_block_type"] = mid == UNetMid::None    ? Json()
                             : mid == UNetMid::Plain ? Json("UNetMidBlock2D")
                                                     : Json("UNetMidBlock2DCrossAttn");
    json["norm_eps"] = normEpsilon;
    json["norm_num_groups"] = normGroups;
    json["out_channels"] = outChannels;
    json["projection_class_embeddings_input_dim"] = textTimeEmbedding ? Json(additionInputDim) : Json();
    json["resnet_time_scale_shift"] = timeScaleShift == TimeScaleShift::Add ? "default" : "scale_shift";
    json["sample_size"] = sampleSize > 0 ? Json(sampleSize) : Json();
    json["time_embedding_dim"] = timeEmbeddingDim > 0 ? Json(timeEmbeddingDim) : Json();
    json["reverse_transformer_layers_per_block"] =
        mirrored == upTransformerLayers ? Json() : Json(upTransformerLayers);
    json["transformer_layers_per_block"] = collapse(transformerLayers);
    json["up_block_types"] = stageNames(upStages, "Up");
    json["upcast_attention"] = upcastAttention;
    json["use_linear_projection"] = useLinearProjection;
    return json.dump(2) + "\n";
}

} // namespace homebooth::core
