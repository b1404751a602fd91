// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/vae_config.h"

#include "core/base/model/configs/config_reader.h"

namespace homebooth::core {
namespace {

void readStages(ConfigReader& reader, VaeConfig& config) {
    const std::vector<std::string> down =
        reader.texts("down_block_types", {"DownEncoderBlock2D"}, {"DownEncoderBlock2D"});
    const std::vector<std::string> up =
        reader.texts("up_block_types", {"UpDecoderBlock2D"}, {"UpDecoderBlock2D"});
    config.blockOutChannels =
        reader.integers("block_out_channels", config.blockOutChannels, 0, 1, kMostChannels);
    const size_t count = config.blockOutChannels.size();
    if (down.size() != count || up.size() != count)
        reader.complain("\"block_out_channels\", \"down_block_types\" and \"up_block_types\" have " +
                        std::to_string(count) + ", " + std::to_string(down.size()) + " and " +
                        std::to_string(up.size()) + " entries, supported: as many of each");
}

void checkSizes(ConfigReader& reader, const VaeConfig& config) {
    for (const int64_t channels : config.blockOutChannels)
        if (channels % config.normGroups != 0)
            reader.complain("\"block_out_channels\" has " + std::to_string(channels) +
                            ", supported: multiples of \"norm_num_groups\", which is " +
                            std::to_string(config.normGroups));
    if (config.scalingFactor == 0.0) reader.refuse("scaling_factor", "a number other than 0");
}

} // namespace

Result<VaeConfig> VaeConfig::fromJson(std::string_view text) {
    HOMEBOOTH_ASSIGN(ConfigReader reader, ConfigReader::parse(text, "VAE configuration"));
    VaeConfig config;
    reader.mustBeUnset("_class_name", {"\"AutoencoderKL\""});
    config.inChannels = reader.integer("in_channels", config.inChannels, 1, kMostChannels);
    config.outChannels = reader.integer("out_channels", config.outChannels, 1, kMostChannels);
    config.latentChannels = reader.integer("latent_channels", config.latentChannels, 1, kMostChannels);
    readStages(reader, config);
    config.layersPerBlock = reader.integer("layers_per_block", config.layersPerBlock, 1, kMostLayers);
    config.activation = reader.text("act_fn", config.activation, {"silu", "swish", "mish", "gelu", "relu"});
    config.normGroups = reader.integer("norm_num_groups", config.normGroups, 1, kMostChannels);
    config.sampleSize = reader.integers("sample_size", {config.sampleSize}, 1, 1, kMostChannels).front();
    config.scalingFactor = reader.real("scaling_factor", config.scalingFactor);
    if (reader.has("shift_factor")) config.shiftFactor = reader.real("shift_factor", 0.0);
    config.forceUpcast = reader.flag("force_upcast", config.forceUpcast);
    config.useQuantConv = reader.flag("use_quant_conv", config.useQuantConv);
    config.usePostQuantConv = reader.flag("use_post_quant_conv", config.usePostQuantConv);
    config.midBlockAttention = reader.flag("mid_block_add_attention", config.midBlockAttention);
    reader.mustBeUnset("latents_mean");
    reader.mustBeUnset("latents_std");
    if (reader.ok()) checkSizes(reader, config);
    if (!reader.ok()) return reader.error();
    return config;
}

std::string VaeConfig::toJson() const {
    const size_t count = blockOutChannels.size();
    nlohmann::ordered_json json;
    json["_class_name"] = "AutoencoderKL";
    json["act_fn"] = activation;
    json["block_out_channels"] = blockOutChannels;
    json["down_block_types"] = std::vector<std::string>(count, "DownEncoderBlock2D");
    json["force_upcast"] = forceUpcast;
    json["in_channels"] = inChannels;
    json["latent_channels"] = latentChannels;
    json["layers_per_block"] = layersPerBlock;
    json["mid_block_add_attention"] = midBlockAttention;
    json["norm_num_groups"] = normGroups;
    json["out_channels"] = outChannels;
    json["sample_size"] = sampleSize;
    json["scaling_factor"] = scalingFactor;
    json["shift_factor"] = shiftFactor ? nlohmann::json(*shiftFactor) : nlohmann::json();
    json["up_block_types"] = std::vector<std::string>(count, "UpDecoderBlock2D");
    json["use_post_quant_conv"] = usePostQuantConv;
    json["use_quant_conv"] = useQuantConv;
    return json.dump(2) + "\n";
}

} // namespace homebooth::core
