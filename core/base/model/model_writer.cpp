// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A folder is made under a temporary name and renamed when all of it is on disk; a single file likewise.
#include "core/base/model/model_writer.h"

#include "core/base/files/atomic_file.h"
#include "core/base/model/carried_files.h"
#include "core/base/model/component_layout.h"
#include "core/base/model/compvis_names.h"
#include "core/base/model/file_metadata.h"
#include "core/base/model/model_open.h"
#include "core/base/model/published_tokenizer.h"
#include "core/base/model/tensor_copy.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

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

/// What a text encoder and its tokenizer are in a folder, in the order of ModelSource::textParts.
struct TextFolders {
    const char* encoder;
    const char* tokenizer;
    const char* encoderClass;
    const char* what;
};
constexpr std::array<TextFolders, 2> kTextPlaces{
    {{"text_encoder", "tokenizer", "CLIPTextModel", "text encoder"},
     {"text_encoder_2", "tokenizer_2", "CLIPTextModelWithProjection", "second text encoder"}}};

struct ModelPlan {
    std::vector<PlannedTensor> unet;
    std::vector<PlannedTensor> vae;
    std::vector<std::vector<PlannedTensor>> texts;

    [[nodiscard]] int64_t bytes() const {
        int64_t bytes = plannedBytes(unet) + plannedBytes(vae);
        for (const auto& text : texts) bytes += plannedBytes(text);
        return bytes;
    }
};

Result<ModelPlan> planModel(const ModelSource& model, const WriteOptions& options) {
    ModelPlan plan;
    HOMEBOOTH_ASSIGN(plan.unet,
                     planComponent("UNet", unetLayout(model.unet), model.unetTensors.get(), options));
    HOMEBOOTH_ASSIGN(plan.vae, planComponent("VAE", vaeLayout(model.vae), model.vaeTensors.get(), options));
    for (const TextPart* part : model.textParts()) {
        const bool first = part == &model.text;
        HOMEBOOTH_ASSIGN(auto text, planComponent(kTextPlaces[plan.texts.size()].what,
                                                  first ? textEncoderLayout(part->config)
                                                        : projectingTextEncoderLayout(part->config),
                                                  part->tensors.get(), options));
        plan.texts.push_back(std::move(text));
    }
    return plan;
}

/// "DDIMScheduler" and the like.
std::string schedulerClass(const ModelSource& model) {
    const json scheduler = parseShallow<json>(model.schedulerJson);
    const json name = scheduler.is_object() ? scheduler.value("_class_name", json()) : json();
    return name.is_string() ? name.get<std::string>() : "PNDMScheduler";
}

std::string modelIndex(const ModelSource& model) {
    json index{{"_class_name", pipelineName(model)},
               {"_diffusers_version", kDiffusersVersion},
               {"scheduler", {"diffusers", schedulerClass(model)}},
               {"unet", {"diffusers", "UNet2DConditionModel"}},
               {"vae", {"diffusers", "AutoencoderKL"}}};
    for (size_t i = 0; i < model.textParts().size(); ++i) {
        index[kTextPlaces[i].encoder] = {"transformers", kTextPlaces[i].encoderClass};
        index[kTextPlaces[i].tokenizer] = {"transformers", "CLIPTokenizer"};
    }
    if (model.secondText)
        index["force_zeros_for_empty_prompt"] = model.zeroEmptyPrompt;
    else
        index["safety_checker"] = index["feature_extractor"] = {nullptr, nullptr};
    for (const CarriedComponent& carried : model.carried) {
        index[carried.name] = {nullptr, nullptr};
        if (canCarry(carried)) index[carried.name] = {carried.library, carried.className};
    }
    if (!model.secondText) index["requires_safety_checker"] = !index["safety_checker"][0].is_null();
    return index.dump(2) + "\n";
}

Result<void> makeFolder(const fs::path& folder) {
    std::error_code code;
    fs::create_directory(folder, code);
    if (code) return systemError("create a folder", folder.string(), code.value());
    return {};
}

int64_t bytesOf(const KeptFiles& files) {
    int64_t bytes = 0;
    for (const auto& [place, file] : files) bytes += file.bytes();
    return bytes;
}

class FolderWriter {
public:
    FolderWriter(const ModelSource& model, fs::path folder)
        : m_model(model)
        , m_folder(std::move(folder)) {}

    Result<void> writeSmallFiles(const WriteOptions& options) {
        for (const char* name : {"scheduler", "unet", "vae"}) HOMEBOOTH_CHECK(makeFolder(m_folder / name));
        const std::map<std::string, std::string> files{
            {"model_index.json", modelIndex(m_model)},
            {"scheduler/scheduler_config.json", m_model.schedulerJson},
            {"unet/config.json", m_model.unetJson},
            {"vae/config.json", m_model.vaeJson}};
        for (const auto& [name, content] : files)
            HOMEBOOTH_CHECK(writeFileAtomically((m_folder / name).string(), content));
        for (const auto& [name, content] : broughtAlong(m_model))
            HOMEBOOTH_CHECK(writeFileAtomically((m_folder / name).string(), content));
        const std::vector<const TextPart*> parts = m_model.textParts();
        for (size_t i = 0; i < parts.size(); ++i)
            HOMEBOOTH_CHECK(writeText(*parts[i], kTextPlaces[i], options));
        return {};
    }

    /// Links as what they point to.
    Result<WriteOutcome> copyAlong(const KeptFiles& files, CopyProgress& progress) {
        for (const auto& [name, file] : files) {
            if (progress.cancelled()) return WriteOutcome::Cancelled;
            const fs::path place = m_folder / name;
            HOMEBOOTH_CHECK(makeFolder(place.parent_path()));
            HOMEBOOTH_CHECK(file.writeTo(place));
            progress.add(file.bytes());
        }
        return WriteOutcome::Written;
    }

    /// @param ofUnet  what its header says
    Result<WriteOutcome> writeWeights(const ModelPlan& plan, const FileMetadata& ofUnet,
                                      CopyProgress& progress) {
        std::vector<std::pair<std::string, const std::vector<PlannedTensor>*>> files{
            {"unet/diffusion_pytorch_model.safetensors", &plan.unet},
            {"vae/diffusion_pytorch_model.safetensors", &plan.vae}};
        for (size_t i = 0; i < plan.texts.size(); ++i)
            files.emplace_back(std::string(kTextPlaces[i].encoder) + "/model.safetensors", &plan.texts[i]);
        for (const auto& [name, tensors] : files) {
            HOMEBOOTH_ASSIGN(const WriteOutcome outcome,
                             writePlanned((m_folder / name).string(), *tensors,
                                          tensors == &plan.unet ? ofUnet : FileMetadata(), progress));
            if (outcome == WriteOutcome::Cancelled) return outcome;
        }
        return WriteOutcome::Written;
    }

private:
    Result<void> writeText(const TextPart& part, const TextFolders& folders, const WriteOptions& options) {
        HOMEBOOTH_ASSIGN(const auto tokenizer, tokenizerOf(part, options));
        for (const char* name : {folders.tokenizer, folders.encoder})
            HOMEBOOTH_CHECK(makeFolder(m_folder / name));
        for (const auto& [name, content] : tokenizer)
            HOMEBOOTH_CHECK(writeFileAtomically((m_folder / folders.tokenizer / name).string(), content));
        return writeFileAtomically((m_folder / folders.encoder / "config.json").string(), part.json);
    }

    [[nodiscard]] static Result<std::map<std::string, std::string>> tokenizerOf(const TextPart& part,
                                                                                const WriteOptions& options) {
        if (!part.tokenizerFiles.empty()) return part.tokenizerFiles;
        if (options.vocabularyFile.empty()) {
            return badInput("cannot save a diffusers folder: neither the model nor the program has tokenizer "
                            "files; save a single file instead");
        }
        return publishedTokenizerFiles(options.vocabularyFile, usesOpenClipNames(part.config));
    }

    const ModelSource& m_model;
    fs::path m_folder;
};

/// By what other programs know how a model predicts, since its shapes do not tell: that it is v, of SDXL
/// alone; that its last timestep is noise alone, Forge of every family. Others pass over what they do not
/// know.
Result<void> appendKeys(const ModelSource& model, std::vector<PlannedTensor>& plan) {
    if (model.predictionType != PredictionType::VPrediction) return {};
    HOMEBOOTH_ASSIGN(const SchedulerConfig scheduler, parseSchedulerConfig(model.schedulerJson, model.path));
    if (model.secondText) plan.push_back({makeTensorInfo(kXlVKey, DataType::F32, {0}), {}, false, nullptr});
    if (scheduler.rescaleBetasZeroSnr.value_or(false))
        plan.push_back({makeTensorInfo(kXlZeroSignalKey, DataType::F32, {0}), {}, false, nullptr});
    return {};
}

Result<std::vector<PlannedTensor>> planSingleFile(const ModelSource& model, const WriteOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelPlan components, planModel(model, options));
    std::vector<PlannedTensor> plan;
    appendCompVis(
        components.unet, [&](const LayoutEntry& e) { return compVisUnet(e, model.unet); }, plan);
    appendCompVis(
        components.vae, [&](const LayoutEntry& e) { return compVisVae(e, model.vae); }, plan);
    for (size_t i = 0; i < components.texts.size(); ++i) {
        const TextPlace text = compVisTextPlace(model, i);
        appendCompVis(
            components.texts[i], [&](const LayoutEntry& e) { return compVisTextEncoder(e, text); }, plan);
    }
    HOMEBOOTH_CHECK(appendKeys(model, plan));
    return plan;
}

/// Tensors of which no more is known than a layout says.
class UnreadTensors : public TensorSource {
public:
    explicit UnreadTensors(const ComponentLayout& layout) {
        for (const LayoutEntry& entry : layout)
            m_infos.push_back(makeTensorInfo(entry.name, DataType::F32, entry.shape));
        for (const TensorInfo& info : m_infos) m_byName.emplace(info.name, &info);
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second;
    }
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte>) const override {
        return badInput("the tensor \"" + std::string(name) + "\" is only known by its size");
    }

private:
    std::vector<TensorInfo> m_infos;
    std::map<std::string_view, const TensorInfo*> m_byName;
};

ModelSource withoutWeights(ModelSource model) {
    model.unetTensors = std::make_shared<UnreadTensors>(unetLayout(model.unet));
    model.vaeTensors = std::make_shared<UnreadTensors>(vaeLayout(model.vae));
    model.text.tensors = std::make_shared<UnreadTensors>(textEncoderLayout(model.text.config));
    if (model.secondText)
        model.secondText->tensors =
            std::make_shared<UnreadTensors>(projectingTextEncoderLayout(model.secondText->config));
    return model;
}

/// Of a .safetensors file.
Result<int64_t> fileBytesOf(const std::vector<PlannedTensor>& plan,
                            const std::map<std::string, std::string>& metadata) {
    std::vector<TensorInfo> infos;
    for (const PlannedTensor& planned : plan) infos.push_back(planned.info);
    HOMEBOOTH_ASSIGN(const std::string head, safetensorsHead("", infos, metadata));
    return static_cast<int64_t>(head.size()) + plannedBytes(plan);
}

/// Of a folder's configurations and tokenizers.
int64_t smallFileBytes(const ModelSource& model) {
    constexpr size_t kPublishedTokenizerBytes = 1'590'000;
    size_t bytes =
        modelIndex(model).size() + model.schedulerJson.size() + model.unetJson.size() + model.vaeJson.size();
    for (const TextPart* part : model.textParts()) {
        bytes += part->json.size();
        if (part->tokenizerFiles.empty()) bytes += kPublishedTokenizerBytes;
        for (const auto& [name, content] : part->tokenizerFiles) bytes += content.size();
    }
    for (const auto& [name, content] : broughtAlong(model)) bytes += content.size();
    return static_cast<int64_t>(bytes);
}

/// A small file that goes again unless what it belongs to came to be.
class FileBeside {
public:
    FileBeside() = default;
    FileBeside(const FileBeside&) = delete;
    FileBeside& operator=(const FileBeside&) = delete;
    ~FileBeside() {
        std::error_code ignored;
        if (!m_path.empty()) fs::remove(m_path, ignored);
    }

    /// In place of one that Homebooth wrote for an earlier file. @param text  empty: none shall be there
    /// Errors: BadInput for somebody else's that is there
    Result<void> write(const fs::path& path, const std::string& text) {
        if (!text.empty()) {
            const auto there = readRegularFile(path, static_cast<int64_t>(text.size()));
            if (there && *there == text) return {};
        }
        HOMEBOOTH_CHECK(makeRoom(path));
        if (text.empty()) return {};
        HOMEBOOTH_CHECK(writeFileAtomically(path.string(), text));
        m_path = path;
        return {};
    }
    void keep() { m_path.clear(); }

private:
    static Result<void> makeRoom(const fs::path& path) {
        std::error_code code;
        if (fs::symlink_status(path, code).type() == fs::file_type::not_found) return {};
        if (isConfigurationBeside(path) && fs::remove(path, code)) return {};
        return badInput("cannot save here: A1111 and Forge would read this file for how the model predicts, "
                        "since it has its name; move it away, or choose another name for the model",
                        path.string());
    }

    fs::path m_path;
};

} // namespace

Result<WriteOutcome> writeDiffusersFolder(const ModelSource& model, const std::string& path,
                                          const WriteOptions& options) {
    HOMEBOOTH_ASSIGN(const ModelPlan plan, planModel(model, options));
    HOMEBOOTH_ASSIGN(const KeptFiles along, filesAlong(model));
    HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(path));
    FolderWriter writer(model, folder.partialPath());
    HOMEBOOTH_CHECK(writer.writeSmallFiles(options));
    CopyProgress progress(options, plan.bytes() + bytesOf(along));
    HOMEBOOTH_ASSIGN(WriteOutcome outcome,
                     writer.writeWeights(plan, folderMetadata(model, options), progress));
    if (outcome == WriteOutcome::Written) {
        HOMEBOOTH_ASSIGN(outcome, writer.copyAlong(along, progress));
    }
    if (outcome == WriteOutcome::Cancelled) return outcome;
    HOMEBOOTH_CHECK(folder.commit());
    return outcome;
}

Result<WriteOutcome> writeSingleFile(const ModelSource& model, const std::string& path,
                                     const WriteOptions& options) {
    HOMEBOOTH_CHECK(expectFreeName(path));
    HOMEBOOTH_ASSIGN(const std::vector<PlannedTensor> plan, planSingleFile(model, options));
    FileBeside beside;
    HOMEBOOTH_CHECK(beside.write(pathBeside(path), configurationBeside(model)));
    CopyProgress progress(options, plannedBytes(plan));
    HOMEBOOTH_ASSIGN(const WriteOutcome outcome,
                     writePlanned(path, plan, singleFileMetadata(model, path, options), progress));
    if (outcome == WriteOutcome::Cancelled) return outcome;
    beside.keep();
    const auto choice = choiceElsewhere(model);
    if (choice && options.onChoice) options.onChoice(*choice);
    return outcome;
}

Result<WrittenBytes> writtenBytes(const ModelSource& model, const WriteOptions& options) {
    ModelSource unread = withoutWeights(model);
    dropDescription(unread);
    HOMEBOOTH_ASSIGN(const ModelPlan plan, planModel(unread, options));
    HOMEBOOTH_ASSIGN(const KeptFiles along, filesAlong(unread));
    WrittenBytes bytes;
    bytes.folder = smallFileBytes(unread) + bytesOf(along);
    std::vector<const std::vector<PlannedTensor>*> files{&plan.unet, &plan.vae};
    for (const auto& text : plan.texts) files.push_back(&text);
    const FileMetadata ofUnet = folderMetadata(unread, options);
    for (const std::vector<PlannedTensor>* tensors : files) {
        HOMEBOOTH_ASSIGN(const int64_t weights,
                         fileBytesOf(*tensors, tensors == &plan.unet ? ofUnet : FileMetadata()));
        bytes.folder += weights;
    }
    HOMEBOOTH_ASSIGN(const std::vector<PlannedTensor> single, planSingleFile(unread, options));
    HOMEBOOTH_ASSIGN(bytes.file, fileBytesOf(single, singleFileMetadata(unread, model.path, options)));
    bytes.file += static_cast<int64_t>(configurationBeside(model).size());
    return bytes;
}

} // namespace homebooth::core
