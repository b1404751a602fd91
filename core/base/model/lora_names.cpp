// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// kohya writes dots as underscores, which module names hold too; the names of modules that contain one are
// few and listed here, so that paths can be recovered for models of any depth.
// Sources: kohya-ss/sd-scripts networks/lora.py; diffusers utils/state_dict_utils.py (names only).
#include "core/base/model/lora_names.h"

#include <array>
#include <utility>

namespace homebooth::core {

namespace {

constexpr std::string_view kKohyaUnet = "lora_unet_";
constexpr std::string_view kKohyaTextEncoder = "lora_te_";
constexpr const char* kUnet = "unet";
constexpr const char* kTextEncoder = "text_encoder";

/// Parts of module paths that hold an underscore.
constexpr std::array<std::string_view, 31> kAtoms{"down_blocks",
                                                  "up_blocks",
                                                  "mid_block",
                                                  "transformer_blocks",
                                                  "time_embedding",
                                                  "time_emb_proj",
                                                  "linear_1",
                                                  "linear_2",
                                                  "conv_in",
                                                  "conv_out",
                                                  "conv_shortcut",
                                                  "conv_norm_out",
                                                  "proj_in",
                                                  "proj_out",
                                                  "to_q",
                                                  "to_k",
                                                  "to_v",
                                                  "to_out",
                                                  "text_model",
                                                  "self_attn",
                                                  "q_proj",
                                                  "k_proj",
                                                  "v_proj",
                                                  "out_proj",
                                                  "add_embedding",
                                                  "text_projection",
                                                  "token_embedding",
                                                  "position_embedding",
                                                  "layer_norm1",
                                                  "layer_norm2",
                                                  "final_layer_norm"};

struct Ending {
    std::string_view text;
    LoraPart part;
};

constexpr std::array<Ending, 4> kKohyaEndings{{{".lora_down.weight", LoraPart::Down},
                                               {".lora_up.weight", LoraPart::Up},
                                               {".alpha", LoraPart::Alpha},
                                               {".dora_scale", LoraPart::Dora}}};

constexpr std::array<Ending, 14> kDiffusersEndings{{{".lora_A.weight", LoraPart::Down},
                                                    {".lora_B.weight", LoraPart::Up},
                                                    {".lora_A.default.weight", LoraPart::Down},
                                                    {".lora_B.default.weight", LoraPart::Up},
                                                    {".lora_linear_layer.down.weight", LoraPart::Down},
                                                    {".lora_linear_layer.up.weight", LoraPart::Up},
                                                    {".lora.down.weight", LoraPart::Down},
                                                    {".lora.up.weight", LoraPart::Up},
                                                    {".lora_down.weight", LoraPart::Down},
                                                    {".lora_up.weight", LoraPart::Up},
                                                    {".lora_magnitude_vector", LoraPart::Dora},
                                                    {".lora_magnitude_vector.weight", LoraPart::Dora},
                                                    {".alpha", LoraPart::Alpha},
                                                    {".dora_scale", LoraPart::Dora}}};

/// The length of the path part at the start of `text`: a listed name, else up to the next underscore.
size_t partLength(std::string_view text) {
    for (const std::string_view atom : kAtoms)
        if (text.starts_with(atom) && (text.size() == atom.size() || text[atom.size()] == '_'))
            return atom.size();
    return std::min(text.find('_'), text.size());
}

std::string dotted(std::string_view flat) {
    std::string path;
    while (!flat.empty()) {
        const size_t length = partLength(flat);
        path += (path.empty() ? "" : ".") + std::string(flat.substr(0, length));
        flat.remove_prefix(std::min(length + 1, flat.size()));
    }
    return path;
}

void replaceOnce(std::string& text, std::string_view from, std::string_view to) {
    if (const size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

/// The oldest form: adapters belong to an attention's processor, "...attn1.processor.to_q_lora.down.weight".
std::string withoutProcessor(std::string name) {
    if (name.find(".processor.") == std::string::npos) return name;
    replaceOnce(name, ".processor.", ".");
    replaceOnce(name, "to_out_lora.", "to_out.0.lora.");
    for (const char* projection : {"to_q", "to_k", "to_v"})
        replaceOnce(name, std::string(projection) + "_lora.", std::string(projection) + ".lora.");
    return name;
}

/// "unet.<path>" or "text_encoder.<path>" as a module; also PEFT's own files with "base_model.model." first.
std::optional<LoraModuleName> moduleOfDottedName(std::string_view name) {
    constexpr std::string_view kPeft = "base_model.model.";
    for (const char* component : {kUnet, kTextEncoder}) {
        const std::string prefix = std::string(component) + ".";
        if (!name.starts_with(prefix)) continue;
        std::string_view path = name.substr(prefix.size());
        if (path.starts_with(kPeft)) path.remove_prefix(kPeft.size());
        if (path.empty()) return std::nullopt;
        LoraModuleName module{component, std::string(path)};
        // transformers 5 leaves this prefix out
        if (module.component == kTextEncoder && module.path.starts_with("encoder."))
            module.path.insert(0, "text_model.");
        return module;
    }
    return std::nullopt;
}

} // namespace

std::string kohyaModuleName(const LoraModuleName& module) {
    std::string name(module.component == kUnet ? kKohyaUnet : kKohyaTextEncoder);
    for (const char c : module.path) name += c == '.' ? '_' : c;
    return name;
}

std::optional<LoraModuleName> moduleOfKohyaName(std::string_view name) {
    for (const auto& [prefix, component] :
         {std::pair{kKohyaUnet, kUnet}, std::pair{kKohyaTextEncoder, kTextEncoder}}) {
        if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
        LoraModuleName module{component, dotted(name.substr(prefix.size()))};
        // SDXL's names are numbered lists of another layout and cannot belong to these models.
        if (module.path.starts_with("input.blocks") || module.path.starts_with("output.blocks") ||
            module.path.starts_with("middle.block"))
            return std::nullopt;
        return module;
    }
    return std::nullopt;
}

std::optional<LoraKey> parseLoraKey(std::string_view tensorName) {
    if (tensorName.starts_with("lora_")) {
        for (const auto& [ending, part] : kKohyaEndings) {
            if (!tensorName.ends_with(ending)) continue;
            const auto module = moduleOfKohyaName(tensorName.substr(0, tensorName.size() - ending.size()));
            if (module) return LoraKey{*module, part, LoraFormat::Kohya};
        }
        return std::nullopt;
    }
    const std::string name = withoutProcessor(std::string(tensorName));
    for (const auto& [ending, part] : kDiffusersEndings) {
        if (!name.ends_with(ending)) continue;
        const auto module = moduleOfDottedName(std::string_view(name).substr(0, name.size() - ending.size()));
        if (module) return LoraKey{*module, part, LoraFormat::Diffusers};
    }
    return std::nullopt;
}

std::string loraTensorName(const LoraModuleName& module, LoraPart part, LoraFormat format) {
    if (format == LoraFormat::Kohya) {
        for (const auto& [ending, kind] : kKohyaEndings)
            if (kind == part) return kohyaModuleName(module) + std::string(ending);
    }
    const std::string prefix = module.component + "." + module.path;
    switch (part) {
    case LoraPart::Down:
        return prefix + ".lora_A.weight";
    case LoraPart::Up:
        return prefix + ".lora_B.weight";
    case LoraPart::Alpha:
        return prefix + ".alpha";
    case LoraPart::Dora:
        break;
    }
    return prefix + ".lora_magnitude_vector";
}

} // namespace homebooth::core
