// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens LoRA files: groups tensors by module, checks that pairs fit, finds each module's alpha.
#include "core/base/model/lora_file.h"

#include "core/base/formats/convert_type.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/component_layout.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/util/shallow_json.h"

#include <cmath>
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

/// Why a file without any adapter that is understood cannot be used.
std::string foreignReason(const TensorReader& file) {
    for (const TensorInfo& info : file.tensors()) {
        const auto has = [&](const char* part) { return info.name.find(part) != std::string::npos; };
        if (has("lora_te1_") || has("lora_te2_") || has("text_encoder_2.") ||
            has("lora_unet_input_blocks_") || has("lora_unet_output_blocks_") ||
            has("lora_unet_middle_block_"))
            return "an SDXL LoRA; use one made for SD 1.x or 2.x";
        if (has("hada_w1") || has("lokr_w1") || has("oft_")) return "a LyCORIS adapter that is no LoRA";
        if (has("lora_mid.")) return "a LoCon with Tucker decomposition, which is not supported";
        if (has("double_blocks") || has("single_blocks") || has("transformer."))
            return "a LoRA of another kind of model";
        if (info.name == "model.diffusion_model.out.2.weight")
            return "a whole model; choose it as the base model";
    }
    return "other tensors, such as \"" +
           (file.tensors().empty() ? std::string("none") : printable(file.tensors().front().name)) + "\"";
}

/// Rank and alpha that diffusers keeps in the header; alphas by module.
class AdapterMetadata {
public:
    explicit AdapterMetadata(const std::map<std::string, std::string>& metadata) {
        const auto found = metadata.find(kAdapterMetadataKey);
        if (found != metadata.end()) m_values = parseShallow<json>(found->second);
    }

    [[nodiscard]] std::optional<double> alpha(const LoraModuleName& module) const {
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

private:
    json m_values;
};

class LoraOpener {
public:
    explicit LoraOpener(std::shared_ptr<const TensorReader> file)
        : m_reader(std::move(file)) {
        m_file.path = m_reader->path();
        m_file.tensors = m_reader;
        m_file.metadata = m_reader->metadata();
    }

    Result<LoraFile> open() {
        HOMEBOOTH_CHECK(group());
        const AdapterMetadata adapterMetadata(m_file.metadata);
        for (const auto& [name, parts] : m_parts) {
            HOMEBOOTH_ASSIGN(LoraModule module, makeModule(name, parts));
            if (parts.alpha != nullptr) {
                HOMEBOOTH_ASSIGN(module.alpha, readScalar(*parts.alpha));
            } else {
                module.alpha = adapterMetadata.alpha(name).value_or(static_cast<double>(module.rank));
            }
            if (!std::isfinite(module.alpha))
                return fault("the adapter of " + name.path + " has an alpha that is no number");
            m_file.modules.push_back(std::move(module));
        }
        return std::move(m_file);
    }

private:
    [[nodiscard]] Error fault(const std::string& what) const {
        return badInput("cannot use this LoRA: " + what, m_file.path);
    }

    Result<void> group() {
        size_t unknown = 0;
        std::string example;
        for (const TensorInfo& info : m_reader->tensors()) {
            const auto key = parseLoraKey(info.name);
            if (!key) {
                ++unknown;
                example = printable(info.name);
                continue;
            }
            if (key->part == LoraPart::Dora)
                return fault("it is a DoRA (" + printable(info.name) + "), which is not supported");
            if (m_parts.empty()) m_file.format = key->format;
            Parts& parts = m_parts[key->module];
            const TensorInfo*& place = key->part == LoraPart::Down ? parts.down
                                       : key->part == LoraPart::Up ? parts.up
                                                                   : parts.alpha;
            if (place != nullptr)
                return fault("\"" + printable(place->name) + "\" and \"" + printable(info.name) +
                             "\" mean the same");
            place = &info;
        }
        if (m_parts.empty())
            return badInput("expected a LoRA of SD 1.x or 2.x, found " + foreignReason(*m_reader) +
                                "; choose another file",
                            m_file.path);
        if (unknown > 0) {
            // Half of a LoRA would give a picture that is wrong without a word.
            return fault(std::to_string(unknown) + " of its tensors are not understood, such as \"" +
                         example + "\" (" + foreignReason(*m_reader) + ")");
        }
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
    LoraFile m_file;
    std::map<LoraModuleName, Parts> m_parts;
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
    add("text_encoder", textEncoderLayout(model.textEncoder));
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

} // namespace

Result<LoraFile> openLora(const std::string& path) {
    HOMEBOOTH_ASSIGN(auto reader, openTensorFile(path));
    return LoraOpener(std::move(reader)).open();
}

Result<void> checkLoraFits(const LoraFile& lora, const ModelSource& model) {
    const auto weights = weightsOf(model);
    size_t faults = 0;
    std::string example;
    for (const LoraModule& module : lora.modules) {
        const auto found = weights.find(module.name);
        if (found != weights.end() && fits(module, found->second)) continue;
        if (faults++ > 0) continue;
        example = module.name.component + "." + module.name.path;
        if (found == weights.end())
            example += ", which the model does not have";
        else
            example += ", which is " + shapeText(found->second) + " in the model against " +
                       shapeText(module.upShape) + " x " + shapeText(module.downShape);
    }
    if (faults == 0) return {};
    return badInput("this LoRA was not made for a model of this family (" +
                        std::string(familyName(model.family)) + "): " + std::to_string(faults) + " of " +
                        std::to_string(lora.modules.size()) + " modules do not fit, such as " + example +
                        "; choose the base model that it was trained on",
                    lora.path);
}

} // namespace homebooth::core
