// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// kohya writes dots as underscores, which module names hold too; the names of modules that contain one are
// few and listed here, so that paths can be recovered for models of any depth.
// Sources (names only): kohya-ss/sd-scripts networks/lora.py; diffusers utils/state_dict_utils.py;
// ComfyUI comfy/lora.py.
#include "core/base/model/lora/lora_names.h"

#include "core/base/model/lora/peft_folder.h"
#include "core/base/model/model_family.h"

#include <algorithm>
#include <array>
#include <utility>

namespace homebooth::core {

namespace {

constexpr std::string_view kUnet = "unet";
constexpr std::string_view kTextEncoder = "text_encoder";
constexpr std::string_view kSecondTextEncoder = "text_encoder_2";

struct KohyaPrefix {
    std::string_view text;
    std::string_view component;
    NameOrigin origin;
};

constexpr std::array<KohyaPrefix, 4> kKohyaPrefixes{{{"lora_unet_", kUnet, NameOrigin::Unsaid},
                                                     {"lora_te_", kTextEncoder, NameOrigin::FirstModels},
                                                     {"lora_te1_", kTextEncoder, NameOrigin::Xl},
                                                     {"lora_te2_", kSecondTextEncoder, NameOrigin::Xl}}};

struct DottedPrefix {
    std::string_view text;
    std::string_view component;
};

/// ComfyUI calls text encoders by their kinds: of SD 1.x, of SD 2.x, and both of SDXL.
constexpr std::array<DottedPrefix, 6> kDottedPrefixes{
    {{"unet.", kUnet},
     {"text_encoder.", kTextEncoder},
     {"text_encoder_2.", kSecondTextEncoder},
     {"text_encoders.clip_l.transformer.", kTextEncoder},
     {"text_encoders.clip_h.transformer.", kTextEncoder},
     {"text_encoders.clip_g.transformer.", kSecondTextEncoder}}};

/// What paths of diffusers' UNets begin with.
constexpr std::array<std::string_view, 8> kUnetTops{"down_blocks.",    "up_blocks.",    "mid_block.",
                                                    "conv_in",         "conv_out",      "conv_norm_out",
                                                    "time_embedding.", "add_embedding."};

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

bool beginsAsUnet(std::string_view path) {
    return std::any_of(kUnetTops.begin(), kUnetTops.end(),
                       [path](std::string_view top) { return path.starts_with(top); });
}

/// The component of a path that comes without one, or "".
std::string_view componentOfPath(std::string_view path) {
    if (beginsAsUnet(path)) return kUnet;
    const bool text = path.starts_with("text_model.") || path.starts_with("encoder.layers.");
    return text ? kTextEncoder : std::string_view();
}

/// "input_blocks.1.1.proj_in" as single files have it. Both tables agree on the names that both know.
std::optional<LoraModuleName> moduleOfSingleFileName(std::string_view name, const SgmModules& xl) {
    static const SgmModules first(
        originalConfigs(ModelFamily::StableDiffusion1, PredictionType::Epsilon).unet);
    std::string flat(name);
    std::replace(flat.begin(), flat.end(), '.', '_');
    for (const SgmModules* modules : {&xl, &first})
        if (const std::string* path = modules->pathOf(flat)) return LoraModuleName{std::string(kUnet), *path};
    return std::nullopt;
}

/// "unet.<path>", "text_encoder.<path>" and the like as a module; also without the component, as the
/// oldest diffusers and PEFT's own files have it.
std::optional<LoraModuleName> moduleOfDottedName(std::string_view name, const SgmModules& xl) {
    constexpr std::string_view kComfyUnet = "diffusion_model.";
    if (name.starts_with(kComfyUnet)) return moduleOfSingleFileName(name.substr(kComfyUnet.size()), xl);
    std::string_view component;
    for (const auto& [prefix, meant] : kDottedPrefixes) {
        if (!name.starts_with(prefix)) continue;
        component = meant;
        name.remove_prefix(prefix.size());
        break;
    }
    if (name.starts_with(kPeftPrefix)) name.remove_prefix(kPeftPrefix.size());
    if (component.empty()) component = componentOfPath(name);
    if (component.empty() || name.empty()) return std::nullopt;
    LoraModuleName module{std::string(component), std::string(name)};
    // transformers 5 leaves this prefix out
    if (module.component != kUnet && module.path.starts_with("encoder."))
        module.path.insert(0, "text_model.");
    return module;
}

/// A UNet's module by what follows "lora_unet_".
std::optional<LoraModuleName> unetModule(std::string_view flat, const SgmModules& xl) {
    if (SgmModules::isFlatName(flat)) {
        const std::string* path = xl.pathOf(flat);
        if (path == nullptr) return std::nullopt;
        return LoraModuleName{std::string(kUnet), *path};
    }
    LoraModuleName module{std::string(kUnet), dotted(flat)};
    if (!beginsAsUnet(module.path)) return std::nullopt;
    return module;
}

NameOrigin originOf(std::string_view tensorName, const LoraModuleName& module) {
    if (module.component == kSecondTextEncoder || module.path.starts_with("add_embedding."))
        return NameOrigin::Xl;
    for (const KohyaPrefix& prefix : kKohyaPrefixes) {
        if (!tensorName.starts_with(prefix.text)) continue;
        const bool counted =
            module.component == kUnet && SgmModules::isFlatName(tensorName.substr(prefix.text.size()));
        return counted ? NameOrigin::Xl : prefix.origin;
    }
    return NameOrigin::Unsaid;
}

} // namespace

std::optional<std::string> kohyaModuleName(const LoraModuleName& module, const SgmModules* xl) {
    std::string path = module.path;
    if (xl != nullptr && module.component == kUnet) {
        const std::string* flat = xl->flatNameOf(path);
        if (flat == nullptr) return std::nullopt;
        path = *flat;
    }
    std::replace(path.begin(), path.end(), '.', '_');
    const NameOrigin other = xl == nullptr ? NameOrigin::Xl : NameOrigin::FirstModels;
    for (const KohyaPrefix& prefix : kKohyaPrefixes)
        if (module.component == prefix.component && prefix.origin != other)
            return std::string(prefix.text) + path;
    return std::nullopt;
}

std::string diffusersModuleName(const LoraModuleName& module) {
    return module.component + "." + module.path;
}

std::optional<LoraModuleName> moduleOfKohyaName(std::string_view name, const SgmModules& xl) {
    for (const KohyaPrefix& prefix : kKohyaPrefixes) {
        if (!name.starts_with(prefix.text) || name.size() == prefix.text.size()) continue;
        const std::string_view flat = name.substr(prefix.text.size());
        if (prefix.component == kUnet) return unetModule(flat, xl);
        return LoraModuleName{std::string(prefix.component), dotted(flat)};
    }
    return std::nullopt;
}

std::optional<LoraKey> parseLoraKey(std::string_view tensorName, const SgmModules& xl) {
    if (tensorName.starts_with("lora_")) {
        for (const auto& [ending, part] : kKohyaEndings) {
            if (!tensorName.ends_with(ending)) continue;
            const auto module =
                moduleOfKohyaName(tensorName.substr(0, tensorName.size() - ending.size()), xl);
            if (module) return LoraKey{*module, part, LoraFormat::Kohya, originOf(tensorName, *module)};
        }
        return std::nullopt;
    }
    const std::string name = withoutProcessor(std::string(tensorName));
    for (const auto& [ending, part] : kDiffusersEndings) {
        if (!name.ends_with(ending)) continue;
        const auto module =
            moduleOfDottedName(std::string_view(name).substr(0, name.size() - ending.size()), xl);
        if (module) return LoraKey{*module, part, LoraFormat::Diffusers, originOf(tensorName, *module)};
    }
    return std::nullopt;
}

std::string loraTensorName(const std::string& module, LoraPart part, LoraFormat format) {
    if (format == LoraFormat::Kohya) {
        for (const auto& [ending, kind] : kKohyaEndings)
            if (kind == part) return module + std::string(ending);
    }
    switch (part) {
    case LoraPart::Down:
        return module + ".lora_A.weight";
    case LoraPart::Up:
        return module + ".lora_B.weight";
    case LoraPart::Alpha:
        return module + ".alpha";
    case LoraPart::Dora:
        break;
    }
    return module + ".lora_magnitude_vector";
}

} // namespace homebooth::core
