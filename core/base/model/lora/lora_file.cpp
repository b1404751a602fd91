// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens LoRA files: groups tensors by module, checks that pairs fit, finds each module's alpha.
#include "core/base/model/lora/lora_file.h"

#include "core/base/formats/convert_type.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/component_layout.h"
#include "core/base/model/deviation.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/lora/peft_folder.h"
#include "core/base/model/saved_moment.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {

using nlohmann::json;

namespace {

constexpr const char* kAdapterMetadataKey = "lora_adapter_metadata";

struct Parts {
    const TensorInfo* down = nullptr;
    const TensorInfo* up = nullptr;
    const TensorInfo* alpha = nullptr;
};

constexpr const char* kWholeModel = "a whole model; choose it as the base model";

/// Whether it is of a LoHa, LoKr or OFT, a whole weight or norm, or of a GLoRA.
bool isOfLycoris(const std::string& name) {
    constexpr std::array kParts{"hada_", "lokr_", "oft_"};
    constexpr std::array kEndings{".diff", ".diff_b", ".w_norm", ".b_norm", ".a1.weight", ".b1.weight"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](const char* part) { return name.find(part) != std::string::npos; }) ||
           std::any_of(kEndings.begin(), kEndings.end(),
                       [&](const char* ending) { return name.ends_with(ending); });
}

/// Why tensors that are no part of an adapter cannot be used.
std::string foreignReason(const std::vector<const TensorInfo*>& unknown) {
    const bool whole = std::any_of(unknown.begin(), unknown.end(), [](const TensorInfo* info) {
        return info->name == "model.diffusion_model.out.2.weight";
    });
    if (whole) return kWholeModel;
    for (const TensorInfo* info : unknown) {
        const auto has = [&](const char* part) { return info->name.find(part) != std::string::npos; };
        if (isOfLycoris(info->name)) return "a LyCORIS adapter that is no LoRA";
        if (has("bundle_emb.")) return "textual inversions beside it, which are not supported";
        if (has("lora_mid.")) return "a LoCon with Tucker decomposition, which is not supported";
        if (has("double_blocks") || has("single_blocks") || has("joint_blocks") || has("transformer."))
            return "a LoRA of another kind of model";
        if (has("lora_unet_input_blocks_") || has("lora_unet_output_blocks_") ||
            has("lora_unet_middle_block_"))
            return "modules that the UNet of SDXL does not have";
    }
    return "other tensors, such as \"" +
           (unknown.empty() ? std::string("none") : printable(unknown.front()->name)) + "\"";
}

std::optional<ModelFamily> familyByMetadata(const std::map<std::string, std::string>& metadata) {
    const auto says = [&metadata](const char* key, const char* start) {
        const auto found = metadata.find(key);
        return found != metadata.end() && found->second.starts_with(start);
    };
    constexpr const char* kVersion = "ss_base_model_version";
    if (says(kVersion, "sdxl") || says("modelspec.architecture", "stable-diffusion-xl"))
        return ModelFamily::StableDiffusionXl;
    if (says(kVersion, "sd_v1")) return ModelFamily::StableDiffusion1;
    if (says(kVersion, "sd_v2")) return ModelFamily::StableDiffusion2;
    return std::nullopt;
}

std::optional<ModelFamily> likelyFamily(const LoraFile& lora) {
    if (lora.origin == NameOrigin::Xl) return ModelFamily::StableDiffusionXl;
    const auto byWidth = familyByWidth(lora.modules);
    const auto byMetadata = familyByMetadata(lora.metadata);
    // SDXL of no published size says so; others are all called SD 1.x or 2.x.
    const bool told = byMetadata == ModelFamily::StableDiffusionXl && byWidth == ModelFamily::Other;
    return byWidth && !told ? byWidth : byMetadata;
}

/// The alpha by which alpha / rank is the scale of a LoRA that has alpha / sqrt(rank).
double ofStabilizedRank(double alpha, int64_t rank) {
    return alpha * std::sqrt(static_cast<double>(rank));
}

/// Alphas that diffusers keeps in the header.
class AdapterMetadata {
public:
    explicit AdapterMetadata(const std::map<std::string, std::string>& metadata) {
        const auto found = metadata.find(kAdapterMetadataKey);
        if (found != metadata.end()) m_values = parseShallow<json>(found->second);
    }

    [[nodiscard]] double alpha(const LoraModule& module) const {
        const double alpha = alphaOf(module.name).value_or(static_cast<double>(module.rank));
        const bool stabilized =
            m_values.is_object() && m_values.value(module.name.component + ".use_rslora", json()) == true;
        return stabilized ? ofStabilizedRank(alpha, module.rank) : alpha;
    }

private:
    [[nodiscard]] std::optional<double> alphaOf(const LoraModuleName& module) const {
        if (!m_values.is_object()) return std::nullopt;
        if (const auto pattern = m_values.find(module.component + ".alpha_pattern");
            pattern != m_values.end() && pattern->is_object()) {
            for (const auto& [path, value] : pattern->items())
                if (value.is_number() && (module.path == path || module.path.ends_with("." + path)))
                    return value.get<double>();
        }
        const auto whole = m_values.find(module.component + ".lora_alpha");
        if (whole != m_values.end() && whole->is_number()) return whole->get<double>();
        return std::nullopt;
    }

    json m_values;
};

class LoraOpener {
public:
    LoraOpener(std::shared_ptr<const TensorReader> file, const SgmModules& xl)
        : m_reader(std::move(file))
        , m_xl(xl) {
        m_file.path = m_reader->path();
        m_file.tensors = m_reader;
        m_file.metadata = m_reader->metadata();
    }

    Result<LoraFile> open() {
        HOMEBOOTH_CHECK(group());
        HOMEBOOTH_CHECK(readPeftConfigBeside());
        const AdapterMetadata adapterMetadata(m_file.metadata);
        for (const auto& [name, parts] : m_parts) {
            HOMEBOOTH_ASSIGN(LoraModule module, makeModule(name, parts));
            if (parts.alpha != nullptr) {
                HOMEBOOTH_ASSIGN(module.alpha, readScalar(*parts.alpha));
            } else if (m_peft) {
                module.alpha =
                    m_peft->rankStabilized ? ofStabilizedRank(m_peft->alpha, module.rank) : m_peft->alpha;
            } else {
                module.alpha = adapterMetadata.alpha(module);
            }
            if (!std::isfinite(module.alpha))
                return fault("the adapter of " + name.path + " has an alpha that is no number");
            m_file.modules.push_back(std::move(module));
        }
        m_file.family = likelyFamily(m_file);
        return std::move(m_file);
    }

private:
    [[nodiscard]] Error fault(const std::string& what) const {
        return badInput("cannot use this LoRA: " + what + "; choose another file", m_file.path);
    }

    Result<void> group() {
        std::vector<const TensorInfo*> unknown;
        for (const TensorInfo& info : m_reader->tensors()) {
            const auto key = parseLoraKey(info.name, m_xl);
            if (!key) {
                unknown.push_back(&info);
                continue;
            }
            if (key->part == LoraPart::Dora)
                return fault("it is a DoRA (" + printable(info.name) + "), which is not supported");
            if (m_parts.empty()) m_file.format = key->format;
            if (key->origin != NameOrigin::Unsaid) m_file.origin = key->origin;
            Parts& parts = m_parts[key->module];
            const TensorInfo*& place = key->part == LoraPart::Down ? parts.down
                                       : key->part == LoraPart::Up ? parts.up
                                                                   : parts.alpha;
            if (place != nullptr)
                return fault("\"" + printable(place->name) + "\" and \"" + printable(info.name) +
                             "\" mean the same");
            place = &info;
        }
        const std::string reason = unknown.empty() && !m_parts.empty() ? "" : foreignReason(unknown);
        if (m_parts.empty() || reason == kWholeModel)
            return badInput("expected a LoRA of SD 1.x, 2.x or SDXL, found " + reason +
                                (reason == kWholeModel ? "" : "; choose another file"),
                            m_file.path);
        if (!unknown.empty()) {
            // Half of a LoRA would give a picture that is wrong without a word.
            return fault(std::to_string(unknown.size()) + " of its tensors are not understood, such as \"" +
                         printable(unknown.back()->name) + "\" (" + reason + ")");
        }
        return {};
    }

    /// PEFT's own files hold matrices alone.
    Result<void> readPeftConfigBeside() {
        const auto& tensors = m_reader->tensors();
        const auto own = [](const TensorInfo& info) { return info.name.starts_with(kPeftPrefix); };
        if (std::none_of(tensors.begin(), tensors.end(), own)) return {};
        const std::filesystem::path folder = std::filesystem::path(m_file.path).parent_path();
        if (!isThere(folder / kPeftConfig)) {
            m_file.deviations.push_back(deviationText(DeviationKind::AdapterConfigMissing));
            return {};
        }
        HOMEBOOTH_ASSIGN(m_peft, readPeftConfig(folder.string()));
        return {};
    }

    Result<LoraModule> makeModule(const LoraModuleName& name, const Parts& parts) const {
        if (parts.down == nullptr || parts.up == nullptr)
            return fault("the adapter of " + name.path + " lacks its " +
                         (parts.down == nullptr ? "down" : "up") + " half");
        const auto& down = parts.down->shape;
        const auto& up = parts.up->shape;
        const bool matrices = down.size() == up.size() && (down.size() == 2 || down.size() == 4);
        const bool pointwise = up.size() != 4 || (up[2] == 1 && up[3] == 1);
        if (!matrices || !pointwise || down[0] != up[1] || down[0] < 1) {
            return fault("the halves of the adapter of " + name.path + " do not fit: down is " +
                         shapeText(down) + ", up is " + shapeText(up));
        }
        if (!isFloatingPoint(parts.down->type) || !isFloatingPoint(parts.up->type))
            return fault("the adapter of " + name.path + " is not of a floating-point type");
        return LoraModule{name, down[0], 0.0, parts.down->name, parts.up->name, down, up};
    }

    Result<double> readScalar(const TensorInfo& info) const {
        if (info.elementCount() != 1) return fault("\"" + printable(info.name) + "\" is not one number");
        std::vector<std::byte> bytes(static_cast<size_t>(info.byteCount));
        HOMEBOOTH_CHECK(m_reader->read(info.name, bytes));
        return scalarValue(bytes, info.type);
    }

    std::shared_ptr<const TensorReader> m_reader;
    const SgmModules& m_xl;
    LoraFile m_file;
    std::map<LoraModuleName, Parts> m_parts;
    std::optional<PeftConfig> m_peft; ///< of a file that PEFT itself wrote
};

/// Module path -> shape of its weight.
std::map<LoraModuleName, std::vector<int64_t>> weightsOf(const ModelSource& model) {
    constexpr std::string_view kEnding = ".weight";
    std::map<LoraModuleName, std::vector<int64_t>> weights;
    const auto add = [&](const char* component, const ComponentLayout& layout) {
        for (const LayoutEntry& entry : layout)
            if (entry.name.ends_with(kEnding))
                weights[{component, entry.name.substr(0, entry.name.size() - kEnding.size())}] = entry.shape;
    };
    add("unet", unetLayout(model.unet));
    add("text_encoder", textEncoderLayout(model.text.config));
    if (model.secondText) add("text_encoder_2", projectingTextEncoderLayout(model.secondText->config));
    return weights;
}

bool fits(const LoraModule& module, std::vector<int64_t> weight) {
    if (weight.size() != 2 && weight.size() != 4) return false;
    weight.resize(4, 1);
    std::vector<int64_t> down = module.downShape;
    down.resize(4, 1);
    return module.upShape[0] == weight[0] && down[1] == weight[1] && down[2] == weight[2] &&
           down[3] == weight[3];
}

/// How a refusal begins.
std::string notForModel(const LoraFile& lora, const ModelSource& model) {
    const std::string family(familyName(model.family));
    if (!lora.family || *lora.family == model.family)
        return "this LoRA was not made for a model of this family (" + family + ")";
    return "this LoRA was made for " + std::string(familyName(*lora.family)) +
           ", not for a model of this family (" + family + ")";
}

constexpr const char* kChooseBase = "; choose the base model that it was trained on";

/// By names alone: widths may be equal by chance, as those of CLIP-L are in SD 1.x and SDXL.
Result<void> checkOrigin(const LoraFile& lora, const ModelSource& model) {
    const bool xl = model.family == ModelFamily::StableDiffusionXl;
    if (lora.origin == (xl ? NameOrigin::Xl : NameOrigin::FirstModels) || lora.origin == NameOrigin::Unsaid)
        return {};
    const char* found = xl ? "SD 1.x and 2.x" : "SDXL";
    return badInput(notForModel(lora, model) + ": its modules have names of " + found + kChooseBase,
                    lora.path);
}

/// A saved moment's file opens as a LoRA, too, but says neither its strength nor what else was learned.
Result<std::shared_ptr<const TensorReader>> openLoraTensors(const std::string& path) {
    HOMEBOOTH_CHECK(expectNoMoment(path, TakenFor::PictureLora));
    return openTensorFile(path);
}

} // namespace

std::optional<ModelFamily> familyByWidth(const std::vector<LoraModule>& modules) {
    for (const LoraModule& module : modules) {
        const bool readsText =
            module.name.path.ends_with("attn2.to_k") || module.name.path.ends_with("attn2.to_v");
        if (module.name.component != "unet" || !readsText || module.downShape.size() < 2) continue;
        const int64_t width = module.downShape[1];
        for (const ModelFamily family :
             {ModelFamily::StableDiffusion1, ModelFamily::StableDiffusion2, ModelFamily::StableDiffusionXl})
            if (originalConfigs(family, PredictionType::Epsilon).unet.crossAttentionDim == width)
                return family;
        return ModelFamily::Other;
    }
    return std::nullopt;
}

Result<LoraFile> openLora(const std::string& path) {
    HOMEBOOTH_ASSIGN(auto reader, openLoraTensors(path));
    return LoraOpener(std::move(reader), SgmModules::released()).open();
}

Result<LoraFile> openLora(const std::string& path, const ModelSource& model) {
    if (model.family != ModelFamily::StableDiffusionXl) return openLora(path);
    HOMEBOOTH_ASSIGN(auto reader, openLoraTensors(path));
    return LoraOpener(std::move(reader), SgmModules(model.unet)).open();
}

Result<void> checkLoraFits(const LoraFile& lora, const ModelSource& model) {
    HOMEBOOTH_CHECK(checkOrigin(lora, model));
    const auto weights = weightsOf(model);
    size_t faults = 0;
    std::string example;
    for (const LoraModule& module : lora.modules) {
        const auto found = weights.find(module.name);
        if (found != weights.end() && fits(module, found->second)) continue;
        if (faults++ > 0) continue;
        example = diffusersModuleName(module.name);
        if (found == weights.end())
            example += ", which the model does not have";
        else
            example += ", which is " + shapeText(found->second) + " in the model against " +
                       shapeText(module.upShape) + " x " + shapeText(module.downShape);
    }
    if (faults == 0) return {};
    return badInput(notForModel(lora, model) + ": " + std::to_string(faults) + " of " +
                        std::to_string(lora.modules.size()) + " modules do not fit, such as " + example +
                        kChooseBase,
                    lora.path);
}

} // namespace homebooth::core
