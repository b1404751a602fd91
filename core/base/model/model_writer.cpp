// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder is made under a temporary name and renamed when all of it is on disk; a single file likewise.
#include "core/base/model/model_writer.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/component_layout.h"
#include "core/base/model/compvis_names.h"
#include "core/base/model/model_open.h"
#include "core/base/model/published_tokenizer.h"
#include "core/base/model/tensor_copy.h"
#include "core/base/util/shallow_json.h"

#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kDiffusersVersion = "0.21.0"; // the oldest that reads every key written here

Result<void> checkParameter(const LayoutEntry& entry, const TensorSource& source) {
    const TensorInfo* info = source.find(entry.name);
    if (info != nullptr && info->shape == entry.shape) return {};
    return badInput("cannot save the model: tensor \"" + entry.name + "\" should be " +
                    shapeText(entry.shape) +
                    (info == nullptr ? ", but is missing" : ", but is " + shapeText(info->shape)));
}

Result<std::vector<PlannedTensor>> planComponent(const char* what, const ComponentLayout& layout,
                                                 const TensorSource* source, const WriteOptions& options) {
    if (source == nullptr)
        return badInput("cannot save the model: it has no weights for the " + std::string(what));
    std::vector<PlannedTensor> plan;
    for (const LayoutEntry& entry : layout) {
        HOMEBOOTH_CHECK(checkParameter(entry, *source));
        const DataType type = writtenType(source->find(entry.name)->type, options);
        plan.push_back({makeTensorInfo(entry.name, type, entry.shape), {entry.name}, false, source});
    }
    return plan;
}

/// Turns a plan of one component into CompVis tensors; parts of a fused tensor are joined at the first one.
template <class Place>
void appendCompVis(const std::vector<PlannedTensor>& component, Place place,
                   std::vector<PlannedTensor>& plan) {
    std::map<std::string, size_t> fused;
    for (const PlannedTensor& planned : component) {
        const CompVisTensor tensor = place(LayoutEntry{planned.info.name, planned.info.shape});
        if (const auto found = fused.find(tensor.name); found != fused.end()) {
            plan[found->second].sourceNames.push_back(planned.info.name);
            continue;
        }
        if (tensor.change == TensorChange::PartOf3) fused.emplace(tensor.name, plan.size());
        plan.push_back({makeTensorInfo(tensor.name, planned.info.type, tensor.shape),
                        {planned.info.name},
                        tensor.change == TensorChange::Transposed,
                        planned.source});
    }
}

struct ModelPlan {
    std::vector<PlannedTensor> unet;
    std::vector<PlannedTensor> vae;
    std::vector<PlannedTensor> textEncoder;
};

Result<ModelPlan> planModel(const ModelSource& model, const WriteOptions& options) {
    ModelPlan plan;
    HOMEBOOTH_ASSIGN(plan.unet,
                     planComponent("UNet", unetLayout(model.unet), model.unetTensors.get(), options));
    HOMEBOOTH_ASSIGN(plan.vae, planComponent("VAE", vaeLayout(model.vae), model.vaeTensors.get(), options));
    HOMEBOOTH_ASSIGN(plan.textEncoder, planComponent("text encoder", textEncoderLayout(model.textEncoder),
                                                     model.textEncoderTensors.get(), options));
    return plan;
}

bool hasWeights(const fs::path& folder) {
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string extension = it->path().extension().string();
        if (extension == ".safetensors" || extension == ".bin") return true;
    }
    return false;
}

/// Whether the component can be saved along: networks only with their weights.
bool canCarry(const CarriedComponent& carried) {
    if (carried.folder.empty()) return false;
    const bool network = carried.name == "safety_checker" || carried.name == "image_encoder";
    return !network || hasWeights(carried.folder);
}

std::string modelIndex(const ModelSource& model) {
    json index{
        {"_class_name", "StableDiffusionPipeline"},       {"_diffusers_version", kDiffusersVersion},
        {"scheduler", {"diffusers", "PNDMScheduler"}},    {"text_encoder", {"transformers", "CLIPTextModel"}},
        {"tokenizer", {"transformers", "CLIPTokenizer"}}, {"unet", {"diffusers", "UNet2DConditionModel"}},
        {"vae", {"diffusers", "AutoencoderKL"}},          {"safety_checker", {nullptr, nullptr}},
        {"feature_extractor", {nullptr, nullptr}}};
    const json scheduler = parseShallow<json>(model.schedulerJson);
    if (scheduler.is_object() && scheduler.value("_class_name", json()).is_string())
        index["scheduler"][1] = scheduler["_class_name"];
    for (const CarriedComponent& carried : model.carried) {
        index[carried.name] = {nullptr, nullptr};
        if (canCarry(carried)) index[carried.name] = {carried.library, carried.className};
    }
    index["requires_safety_checker"] = !index["safety_checker"][0].is_null();
    return index.dump(2) + "\n";
}

Result<void> makeFolder(const fs::path& folder) {
    std::error_code code;
    fs::create_directory(folder, code);
    if (code) return systemError("create a folder", folder.string(), code.value());
    return {};
}

Result<void> copyFile(const fs::path& from, const fs::path& to) {
    std::error_code code;
    fs::copy_file(from, to, code);
    if (code) return systemError("copy " + from.string(), to.string(), code.value());
    return {};
}

/// Copies the files of a folder, links as what they point to.
Result<void> copyFolder(const fs::path& from, const fs::path& to) {
    HOMEBOOTH_CHECK(makeFolder(to));
    std::error_code code;
    for (fs::directory_iterator it(from, code), end; !code && it != end; it.increment(code)) {
        std::error_code ignored;
        if (!it->is_regular_file(ignored)) continue;
        HOMEBOOTH_CHECK(copyFile(it->path(), to / it->path().filename()));
    }
    if (code) return systemError("list", from.string(), code.value());
    return {};
}

class FolderWriter {
public:
    FolderWriter(const ModelSource& model, fs::path folder)
        : m_model(model)
        , m_folder(std::move(folder)) {}

    Result<void> writeSmallFiles(const WriteOptions& options) {
        const auto& tokenizer =
            m_model.tokenizerFiles.empty() ? options.tokenizerFiles : m_model.tokenizerFiles;
        if (tokenizer.empty()) {
            return badInput("cannot save a diffusers folder: neither the model nor the program has tokenizer "
                            "files; save a single file instead");
        }
        for (const char* name : {"scheduler", "tokenizer", "text_encoder", "unet", "vae"})
            HOMEBOOTH_CHECK(makeFolder(m_folder / name));
        for (const auto& [name, content] : tokenizer)
            HOMEBOOTH_CHECK(writeFileAtomically((m_folder / "tokenizer" / name).string(), content));
        const std::map<std::string, std::string> files{
            {"model_index.json", modelIndex(m_model)},
            {"scheduler/scheduler_config.json", m_model.schedulerJson},
            {"text_encoder/config.json", m_model.textEncoderJson},
            {"unet/config.json", m_model.unetJson},
            {"vae/config.json", m_model.vaeJson}};
        for (const auto& [name, content] : files)
            HOMEBOOTH_CHECK(writeFileAtomically((m_folder / name).string(), content));
        for (const CarriedComponent& carried : m_model.carried)
            if (canCarry(carried)) HOMEBOOTH_CHECK(copyFolder(carried.folder, m_folder / carried.name));
        for (const std::string& licence : m_model.licenceFiles)
            HOMEBOOTH_CHECK(copyFile(licence, m_folder / fs::path(licence).filename()));
        return {};
    }

    Result<WriteOutcome> writeWeights(const ModelPlan& plan, CopyProgress& progress) {
        const std::pair<const char*, const std::vector<PlannedTensor>*> files[] = {
            {"unet/diffusion_pytorch_model.safetensors", &plan.unet},
            {"vae/diffusion_pytorch_model.safetensors", &plan.vae},
            {"text_encoder/model.safetensors", &plan.textEncoder}};
        for (const auto& [name, tensors] : files) {
            HOMEBOOTH_ASSIGN(const WriteOutcome outcome,
                             writePlanned((m_folder / name).string(), *tensors, {}, progress));
            if (outcome == WriteOutcome::Cancelled) return outcome;
        }
        return WriteOutcome::Written;
    }

private:
    const ModelSource& m_model;
    fs::path m_folder;
};

std::string resolutionText(const ModelSource& model) {
    const int64_t latents = model.unet.sampleSize > 0 ? model.unet.sampleSize : 64;
    const std::string side = std::to_string(latents * model.vae.downscale());
    return side + "x" + side;
}

std::map<std::string, std::string> singleFileMetadata(const ModelSource& model, const std::string& path,
                                                      const WriteOptions& options) {
    std::map<std::string, std::string> metadata;
    const std::string architecture = architectureName(model.family, model.predictionType);
    metadata["modelspec.sai_model_spec"] = "1.0.1";
    metadata["modelspec.architecture"] = architecture.empty() ? "stable-diffusion-v1" : architecture;
    metadata["modelspec.implementation"] = "https://github.com/CompVis/stable-diffusion";
    metadata["modelspec.title"] = options.title.empty() ? fs::path(path).stem().string() : options.title;
    metadata["modelspec.resolution"] = resolutionText(model);
    metadata["modelspec.prediction_type"] =
        model.predictionType == PredictionType::VPrediction ? "v" : "epsilon";
    metadata[kUnetConfigKey] = model.unetJson;
    metadata[kVaeConfigKey] = model.vaeJson;
    metadata[kTextEncoderConfigKey] = model.textEncoderJson;
    metadata[kSchedulerConfigKey] = model.schedulerJson;
    if (!isPublishedTokenizer(model.tokenizerFiles))
        for (const auto& [name, content] : model.tokenizerFiles)
            metadata[kTokenizerKeyPrefix + name] = content;
    for (const auto& [key, value] : options.metadata) metadata[key] = value;
    return metadata;
}

Result<void> refuseExisting(const std::string& path) {
    std::error_code code;
    if (fs::symlink_status(path, code).type() == fs::file_type::not_found) return {};
    return badInput("cannot save here: something with this name exists; choose another name or move it away",
                    path);
}

} // namespace

Result<WriteOutcome> writeDiffusersFolder(const ModelSource& model, const std::string& path,
                                          const WriteOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelPlan plan, planModel(model, options));
    HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(path));
    FolderWriter writer(model, folder.partialPath());
    HOMEBOOTH_CHECK(writer.writeSmallFiles(options));
    CopyProgress progress(options,
                          plannedBytes(plan.unet) + plannedBytes(plan.vae) + plannedBytes(plan.textEncoder));
    HOMEBOOTH_ASSIGN(const WriteOutcome outcome, writer.writeWeights(plan, progress));
    if (outcome == WriteOutcome::Cancelled) return outcome;
    HOMEBOOTH_CHECK(folder.commit());
    return outcome;
}

Result<WriteOutcome> writeSingleFile(const ModelSource& model, const std::string& path,
                                     const WriteOptions& options) {
    HOMEBOOTH_CHECK(refuseExisting(path));
    HOMEBOOTH_ASSIGN(const ModelPlan components, planModel(model, options));
    std::vector<PlannedTensor> plan;
    appendCompVis(
        components.unet, [&](const LayoutEntry& e) { return compVisUnet(e, model.unet); }, plan);
    appendCompVis(
        components.vae, [&](const LayoutEntry& e) { return compVisVae(e, model.vae); }, plan);
    const bool openClip = usesOpenClipNames(model.textEncoder);
    appendCompVis(
        components.textEncoder, [&](const LayoutEntry& e) { return compVisTextEncoder(e, openClip); }, plan);
    CopyProgress progress(options, plannedBytes(plan));
    return writePlanned(path, plan, singleFileMetadata(model, path, options), progress);
}

} // namespace homebooth::core
