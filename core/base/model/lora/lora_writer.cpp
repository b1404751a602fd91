// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes LoRA files with the metadata by which other programs recognise the family.
// Sources: kohya-ss/sd-scripts library/train_util.py (ss_ keys), Stability-AI/ModelSpec 1.0.1.
#include "core/base/files/atomic_file.h"
#include "core/base/model/lora/lora_file.h"
#include "core/base/model/model_card.h"
#include "core/base/model/tensor_copy.h"
#include "core/base/text/unicode.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {

using nlohmann::json;

namespace {

/// The commonest value: what `get` gives for most modules.
template <class Get>
double commonest(const std::vector<LoraModule>& modules, Get get) {
    std::map<double, size_t> counts;
    for (const LoraModule& module : modules) ++counts[static_cast<double>(get(module))];
    const auto best = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return best == counts.end() ? 0.0 : best->first;
}

std::string numberText(double value) {
    return json(value).dump();
}

bool isConvolution(const LoraModule& module) {
    return module.downShape.size() == 4 && (module.downShape[2] > 1 || module.downShape[3] > 1);
}

/// sd-scripts' word for the model that a LoRA is of.
std::string baseVersion(const LoraDescription& description) {
    if (description.family == ModelFamily::StableDiffusionXl) return "sdxl_base_v1-0";
    if (description.family != ModelFamily::StableDiffusion2) return "sd_v1";
    return description.predictionType == PredictionType::VPrediction ? "sd_v2_v" : "sd_v2";
}

/// What sd-scripts writes at the least; A1111 and ComfyUI sort and filter by it.
void addKohyaKeys(const std::vector<LoraModule>& modules, const LoraDescription& description,
                  std::map<std::string, std::string>& metadata) {
    const bool second = description.family == ModelFamily::StableDiffusion2;
    const auto rank = static_cast<int64_t>(commonest(modules, [](const LoraModule& m) { return m.rank; }));
    const double alpha = commonest(modules, [](const LoraModule& m) { return m.alpha; });
    metadata["ss_v2"] = second ? "True" : "False";
    metadata["ss_base_model_version"] = baseVersion(description);
    metadata["ss_network_module"] = "networks.lora";
    metadata["ss_network_dim"] = std::to_string(rank);
    metadata["ss_network_alpha"] = numberText(alpha);
    json arguments = json::object();
    const auto convolution = std::find_if(modules.begin(), modules.end(), isConvolution);
    if (convolution != modules.end()) {
        arguments["conv_dim"] = std::to_string(convolution->rank);
        arguments["conv_alpha"] = numberText(convolution->alpha);
    }
    metadata["ss_network_args"] = arguments.dump();
    const std::string side = std::to_string(description.resolutionPixels);
    metadata["ss_resolution"] = "(" + side + ", " + side + ")";
    const std::string& name = description.outputName.empty() ? description.title : description.outputName;
    if (!name.empty()) metadata["ss_output_name"] = name;
}

void addModelSpec(const LoraDescription& description, std::map<std::string, std::string>& metadata) {
    const std::string architecture = architectureName(description.family, description.predictionType);
    const std::string side = std::to_string(description.resolutionPixels);
    metadata["modelspec.sai_model_spec"] = "1.0.1";
    metadata["modelspec.architecture"] =
        (architecture.empty() ? "stable-diffusion-v1" : architecture) + "/lora";
    metadata["modelspec.implementation"] = description.family == ModelFamily::StableDiffusionXl
                                               ? "https://github.com/Stability-AI/generative-models"
                                               : "https://github.com/CompVis/stable-diffusion";
    metadata["modelspec.title"] = description.title;
    metadata["modelspec.resolution"] = side + "x" + side;
    metadata["modelspec.prediction_type"] =
        description.predictionType == PredictionType::VPrediction ? "v" : "epsilon";
    if (!description.triggerPhrase.empty()) metadata["modelspec.trigger_phrase"] = description.triggerPhrase;
}

/// Whether a component's modules are not all of one rank.
bool hasSeveralRanks(const std::vector<LoraModule>& modules) {
    std::map<std::string, int64_t> ranks;
    return std::any_of(modules.begin(), modules.end(), [&ranks](const LoraModule& module) {
        return ranks.try_emplace(module.name.component, module.rank).first->second != module.rank;
    });
}

/// Ranks for diffusers, and the same as alphas. Left out where each component has one rank: a file that says
/// nothing is read so by every version, while of several the first one would be every module's alpha. Of all
/// components or of none: diffusers derives nothing of those that are left out.
void addAdapterMetadata(const std::vector<LoraModule>& modules,
                        std::map<std::string, std::string>& metadata) {
    if (!hasSeveralRanks(modules)) return;
    json values = json::object();
    for (const char* component : {"unet", "text_encoder", "text_encoder_2"}) {
        std::vector<LoraModule> own;
        for (const LoraModule& module : modules)
            if (module.name.component == component) own.push_back(module);
        if (own.empty()) continue;
        const auto rank = static_cast<int64_t>(commonest(own, [](const LoraModule& m) { return m.rank; }));
        const std::string prefix = std::string(component) + ".";
        values[prefix + "r"] = rank;
        values[prefix + "lora_alpha"] = rank;
        values[prefix + "rank_pattern"] = json::object();
        values[prefix + "alpha_pattern"] = json::object();
        for (const LoraModule& module : own) {
            // transformers 5 names modules without this prefix; a suffix matches both.
            std::string path = module.name.path;
            if (path.starts_with("text_model.")) path = path.substr(std::string("text_model.").size());
            values[prefix + "target_modules"].push_back(path);
            if (module.rank == rank) continue;
            values[prefix + "rank_pattern"][path] = module.rank;
            values[prefix + "alpha_pattern"][path] = module.rank;
        }
    }
    metadata["lora_adapter_metadata"] = values.dump(2);
}

using ModuleNames = std::vector<std::string>;

/// What each module is called in that form.
Result<ModuleNames> namesOf(const std::string& path, LoraFormat format,
                            const std::vector<LoraModule>& modules, const LoraDescription& description) {
    const bool counted = format == LoraFormat::Kohya && description.family == ModelFamily::StableDiffusionXl;
    std::optional<SgmModules> own;
    if (counted && description.unet) own.emplace(*description.unet);
    const SgmModules* xl = own ? &*own : counted ? &SgmModules::released() : nullptr;
    ModuleNames names;
    for (const LoraModule& module : modules) {
        const auto name =
            format == LoraFormat::Kohya ? kohyaModuleName(module.name, xl) : diffusersModuleName(module.name);
        if (!name)
            return badInput("cannot save the LoRA in kohya's form: expected modules of " +
                                std::string(familyName(description.family)) + ", found " +
                                diffusersModuleName(module.name) +
                                ", which it does not have; save it in diffusers' form",
                            path);
        names.push_back(*name);
    }
    return names;
}

PlannedTensor plannedAlpha(const std::string& name, double value) {
    const auto alpha = static_cast<float>(value);
    PlannedTensor planned;
    planned.info =
        makeTensorInfo(loraTensorName(name, LoraPart::Alpha, LoraFormat::Kohya), DataType::F32, {});
    planned.constant.resize(sizeof(alpha));
    std::memcpy(planned.constant.data(), &alpha, sizeof(alpha));
    return planned;
}

/// What `up` is multiplied by. Diffusers' form has no alphas of its own, and most of its readers take the
/// rank whatever the metadata says: there the strength is in the weights.
double scaleOf(const LoraModule& module, LoraPart part, LoraFormat format) {
    if (format == LoraFormat::Kohya || part != LoraPart::Up) return 1.0;
    return module.alpha / static_cast<double>(module.rank);
}

Result<std::vector<PlannedTensor>> planModules(const std::string& path, LoraFormat format,
                                               const std::vector<LoraModule>& modules,
                                               const ModuleNames& names, const TensorSource& source,
                                               const WriteOptions& options) {
    std::vector<PlannedTensor> plan;
    for (size_t i = 0; i < modules.size(); ++i) {
        if (format == LoraFormat::Kohya) plan.push_back(plannedAlpha(names[i], modules[i].alpha));
        for (const LoraPart part : {LoraPart::Down, LoraPart::Up}) {
            const std::string& from = part == LoraPart::Down ? modules[i].downTensor : modules[i].upTensor;
            const TensorInfo* info = source.find(from);
            if (info == nullptr)
                return badInput("cannot save the LoRA: it has no tensor \"" + from + "\"", path);
            plan.push_back({makeTensorInfo(loraTensorName(names[i], part, format),
                                           writtenType(info->type, options), info->shape),
                            {from},
                            false,
                            &source});
            plan.back().scale = scaleOf(modules[i], part, format);
        }
    }
    return plan;
}

} // namespace

LoraDescription LoraDescription::of(const ModelSource& model) {
    LoraDescription description;
    description.family = model.family;
    description.predictionType = model.predictionType;
    if (model.family == ModelFamily::StableDiffusionXl) description.unet = model.unet;
    const auto licence = model.metadata.find(kLicenceKey);
    if (licence != model.metadata.end()) description.metadata.insert(*licence);
    return description;
}

Result<WriteOutcome> writeLora(const std::string& path, LoraFormat format,
                               const std::vector<LoraModule>& modules, const TensorSource& source,
                               const LoraDescription& description, const WriteOptions& options) {
    HOMEBOOTH_CHECK(expectFreeName(path));
    if (modules.empty()) return badInput("cannot save the LoRA: it changes no module", path);
    HOMEBOOTH_ASSIGN(const ModuleNames names, namesOf(path, format, modules, description));
    HOMEBOOTH_ASSIGN(const auto plan, planModules(path, format, modules, names, source, options));
    std::map<std::string, std::string> metadata;
    LoraDescription named = description;
    if (named.title.empty()) named.title = std::filesystem::path(path).stem().string();
    for (std::string* name : {&named.title, &named.outputName}) *name = wellFormedUtf8(*name); // of files
    addModelSpec(named, metadata);
    if (format == LoraFormat::Kohya)
        addKohyaKeys(modules, named, metadata);
    else
        addAdapterMetadata(modules, metadata);
    for (const auto& [key, value] : named.metadata) metadata[key] = value;
    for (const auto& [key, value] : options.metadata) metadata[key] = value;
    CopyProgress progress(options, plannedBytes(plan));
    return writePlanned(path, plan, metadata, progress);
}

} // namespace homebooth::core
