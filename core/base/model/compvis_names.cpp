// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A name is taken apart at its dots; block and layer numbers give the position in CompVis's flat lists, the
// rest is looked up.
#include "core/base/model/compvis_names.h"

#include "core/base/model/model_source.h"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

namespace homebooth::core {

namespace {

using Parts = std::vector<std::string>;
using Renames = std::pair<std::string_view, std::string_view>;

Parts split(const std::string& name) {
    Parts parts;
    size_t begin = 0;
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', begin)) {
        parts.push_back(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(name.substr(begin));
    return parts;
}

std::string joinFrom(const Parts& parts, size_t first) {
    std::string text;
    for (size_t i = first; i < parts.size(); ++i) text += (i > first ? "." : "") + parts[i];
    return text;
}

template <size_t N>
std::string renamed(const std::string& name, const std::array<Renames, N>& table) {
    for (const auto& [from, to] : table)
        if (name == from) return std::string(to);
    return name;
}

constexpr std::array<Renames, 6> kUnetResnet{{{"norm1", "in_layers.0"},
                                              {"conv1", "in_layers.2"},
                                              {"time_emb_proj", "emb_layers.1"},
                                              {"norm2", "out_layers.0"},
                                              {"conv2", "out_layers.3"},
                                              {"conv_shortcut", "skip_connection"}}};

constexpr std::array<Renames, 4> kUnetTop{
    {{"conv_in", "input_blocks.0.0"}, {"conv_norm_out", "out.0"}, {"conv_out", "out.2"}, {"", ""}}};

constexpr std::array<Renames, 5> kVaeAttention{
    {{"group_norm", "norm"}, {"to_q", "q"}, {"to_k", "k"}, {"to_v", "v"}, {"to_out", "proj_out"}}};

constexpr std::array<Renames, 6> kOpenClipLayer{{{"layer_norm1", "ln_1"},
                                                 {"layer_norm2", "ln_2"},
                                                 {"mlp.fc1", "mlp.c_fc"},
                                                 {"mlp.fc2", "mlp.c_proj"},
                                                 {"self_attn.out_proj", "attn.out_proj"},
                                                 {"", ""}}};

/// resnet or attention, with its number removed: "resnets.0.conv1.weight" -> "in_layers.2.weight".
std::string unetModule(const Parts& parts, size_t first) {
    if (parts[first] != "resnets") return joinFrom(parts, first + 2);
    return renamed(parts[first + 2], kUnetResnet) + "." + joinFrom(parts, first + 3);
}

std::string unetDown(const Parts& parts, const UNetConfig& config) {
    const size_t stage = std::stoul(parts[1]);
    int64_t position = 1;
    for (size_t i = 0; i < stage; ++i) position += config.layersPerBlock[i] + 1;
    if (parts[2] == "downsamplers") {
        return "input_blocks." + std::to_string(position + config.layersPerBlock[stage]) + ".0.op." +
               parts.back();
    }
    const std::string slot = parts[2] == "resnets" ? ".0." : ".1.";
    return "input_blocks." + std::to_string(position + std::stoll(parts[3])) + slot + unetModule(parts, 2);
}

std::string unetUp(const Parts& parts, const UNetConfig& config) {
    const size_t stage = std::stoul(parts[1]);
    const size_t last = config.layersPerBlock.size() - 1;
    int64_t position = 0;
    for (size_t i = 0; i < stage; ++i) position += config.layersPerBlock[last - i] + 1;
    if (parts[2] == "upsamplers") {
        const bool attention = config.upStages[stage] == UNetStage::CrossAttention;
        return "output_blocks." + std::to_string(position + config.layersPerBlock[last - stage]) +
               (attention ? ".2." : ".1.") + "conv." + parts.back();
    }
    const std::string slot = parts[2] == "resnets" ? ".0." : ".1.";
    return "output_blocks." + std::to_string(position + std::stoll(parts[3])) + slot + unetModule(parts, 2);
}

std::string unetMid(const Parts& parts, const UNetConfig& config) {
    const bool attention = config.mid == UNetMid::CrossAttention;
    int64_t position = std::stoll(parts[2]);
    if (parts[1] == "attentions")
        position = 1;
    else if (position > 0)
        position = attention ? 2 : 1;
    return "middle_block." + std::to_string(position) + "." + unetModule(parts, 1);
}

std::string vaeStage(const Parts& parts, const VaeConfig& config) {
    const bool decoder = parts[0] == "decoder";
    const int64_t number = std::stoll(parts[2]);
    const auto stages = static_cast<int64_t>(config.blockOutChannels.size());
    std::string name = decoder ? "decoder.up." + std::to_string(stages - 1 - number) + "."
                               : "encoder.down." + std::to_string(number) + ".";
    if (parts[3] == "downsamplers") return name + "downsample.conv." + parts.back();
    if (parts[3] == "upsamplers") return name + "upsample.conv." + parts.back();
    const std::string module = parts[5] == "conv_shortcut" ? "nin_shortcut" : parts[5];
    return name + "block." + parts[4] + "." + module + "." + parts.back();
}

std::string vaeMid(const Parts& parts) {
    const std::string name = parts[0] + ".mid.";
    if (parts[2] == "attentions")
        return name + "attn_1." + renamed(parts[4], kVaeAttention) + "." + parts.back();
    return name + "block_" + std::to_string(std::stoll(parts[3]) + 1) + "." + joinFrom(parts, 4);
}

/// The projections of a mid attention are 1x1 convolutions in CompVis files and linear in diffusers.
bool isVaeProjection(const Parts& parts) {
    return parts.size() > 5 && parts[1] == "mid_block" && parts[2] == "attentions" &&
           parts[4] != "group_norm" && parts.back() == "weight";
}

CompVisTensor openClipLayer(const Parts& parts, const LayoutEntry& entry) {
    // text_model.encoder.layers.<i>.<module>[.<submodule>].<weight|bias>
    CompVisTensor tensor{"transformer.resblocks." + parts[3] + ".", entry.shape};
    constexpr std::array<std::string_view, 3> kFused{"q_proj", "k_proj", "v_proj"};
    for (size_t i = 0; i < kFused.size(); ++i) {
        if (parts[4] != "self_attn" || parts[5] != kFused[i]) continue;
        tensor.name += "attn.in_proj_" + parts.back();
        tensor.shape[0] *= 3;
        tensor.change = TensorChange::PartOf3;
        tensor.part = static_cast<int>(i);
        return tensor;
    }
    const std::string module = parts.size() > 6 ? parts[4] + "." + parts[5] : parts[4];
    tensor.name += renamed(module, kOpenClipLayer) + "." + parts.back();
    return tensor;
}

} // namespace

CompVisTensor compVisUnet(const LayoutEntry& entry, const UNetConfig& config) {
    const Parts parts = split(entry.name);
    std::string name;
    if (parts[0] == "down_blocks")
        name = unetDown(parts, config);
    else if (parts[0] == "up_blocks")
        name = unetUp(parts, config);
    else if (parts[0] == "mid_block")
        name = unetMid(parts, config);
    else if (parts[0] == "time_embedding")
        name = (parts[1] == "linear_1" ? "time_embed.0." : "time_embed.2.") + parts.back();
    else if (parts[0] == "add_embedding")
        name = (parts[1] == "linear_1" ? "label_emb.0.0." : "label_emb.0.2.") + parts.back();
    else
        name = renamed(parts[0], kUnetTop) + "." + parts.back();
    return {kCompVisUnetPrefix + name, entry.shape};
}

CompVisTensor compVisVae(const LayoutEntry& entry, const VaeConfig& config) {
    const Parts parts = split(entry.name);
    CompVisTensor tensor{kCompVisVaePrefix, entry.shape};
    if (parts[0] == "quant_conv" || parts[0] == "post_quant_conv")
        tensor.name += entry.name;
    else if (parts[1] == "down_blocks" || parts[1] == "up_blocks")
        tensor.name += vaeStage(parts, config);
    else if (parts[1] == "mid_block")
        tensor.name += vaeMid(parts);
    else if (parts[1] == "conv_norm_out")
        tensor.name += parts[0] + ".norm_out." + parts.back();
    else
        tensor.name += entry.name;
    if (isVaeProjection(parts)) tensor.shape.insert(tensor.shape.end(), {1, 1});
    return tensor;
}

const char* compVisTextPrefix(TextPlace place) {
    switch (place) {
    case TextPlace::Transformers:
        return "cond_stage_model.transformer.";
    case TextPlace::OpenClip:
        return "cond_stage_model.model.";
    case TextPlace::OpenClipAlone:
        return "conditioner.embedders.0.model.";
    case TextPlace::FirstOfXl:
        return "conditioner.embedders.0.transformer.";
    case TextPlace::SecondOfXl:
        break;
    }
    return "conditioner.embedders.1.model.";
}

TextPlace compVisTextPlace(const ModelSource& model, size_t part) {
    if (model.secondText) return part == 0 ? TextPlace::FirstOfXl : TextPlace::SecondOfXl;
    return usesOpenClipNames(model.text.config) ? TextPlace::OpenClip : TextPlace::Transformers;
}

CompVisTensor compVisTextEncoder(const LayoutEntry& entry, TextPlace place) {
    const std::string prefix = compVisTextPrefix(place);
    if (place == TextPlace::Transformers || place == TextPlace::FirstOfXl)
        return {prefix + entry.name, entry.shape};
    const Parts parts = split(entry.name);
    CompVisTensor tensor{"", entry.shape};
    if (parts[0] == "text_projection") {
        assert(entry.shape.size() == 2);
        tensor = {"text_projection", {entry.shape[1], entry.shape[0]}, TensorChange::Transposed};
    } else if (parts[1] == "encoder") {
        tensor = openClipLayer(parts, entry);
    } else if (parts[1] == "final_layer_norm") {
        tensor.name = "ln_final." + parts.back();
    } else {
        tensor.name = parts[2] == "position_embedding" ? "positional_embedding" : "token_embedding.weight";
    }
    tensor.name.insert(0, prefix);
    return tensor;
}

} // namespace homebooth::core
