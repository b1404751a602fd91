// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/saved_moment.h"

#include "core/base/files/plain_path.h"
#include "core/base/formats/safetensors_reader.h"
#include "core/base/model/component_match.h"
#include "core/base/model/configs/told_prediction.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/model_card.h"
#include "core/base/model/training_notes.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/journal/averages.h"
#include "core/base/run/run_folder.h"
#include "core/base/schedule/adapters.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUnetWeights = "unet";
constexpr const char* kTextWeights = "text_encoder";
constexpr std::array kMomentParts{kUnetWeights, kTextWeights, kLanguageWeights};
constexpr const char* kResult = "/result/model"; // of a run
constexpr const char* kWeightsKey = "homebooth.weights";
constexpr const char* kAverages = "averages"; // what a LoRA says there

Error missingWeights(const std::string& folder) {
    return badInput("reading a saved moment: its files are gone; choose another one", folder);
}

bool leadsTo(const std::string& runDir, const fs::path& folder) {
    const std::vector<std::string> folders = linkedFolders(runDir);
    return std::any_of(folders.begin(), folders.end(), [&folder](const std::string& one) {
        std::error_code ignored;
        return fs::equivalent(one, folder, ignored);
    });
}

/// The folder of the run whose checkpoints lie in one, by the path that it is called by; empty: not found.
std::string runOf(const fs::path& checkpoints) {
    const bool within = checkpoints.filename().string().starts_with("checkpoints"); // or a link to such
    if (within && isThere(checkpoints.parent_path() / "run.json")) return checkpoints.parent_path().string();
    const auto owner = ownerOf(checkpoints.string());
    return owner && leadsTo(*owner, checkpoints) ? *owner : std::string();
}

Result<RunFolder> openRunOf(const std::string& folder) {
    std::error_code ignored;
    fs::path named = plainPath(fs::absolute(folder, ignored));
    if (!named.has_filename()) named = named.parent_path(); // "step-000400/"
    for (const fs::path& path : {named, fs::canonical(folder, ignored)}) {
        const std::string run = path.empty() ? std::string() : runOf(path.parent_path());
        if (!run.empty()) return RunFolder::open(run);
    }
    return badInput("reading a saved moment: expected its run's run.json two folders above, or beside it a "
                    "belongs-to.txt that names the run, found neither; name it by way of the run's folder: "
                    "RUN/checkpoints/" +
                        displayName(named.filename()),
                    folder);
}

Result<void> expectWeights(const SavedMoment& moment) {
    const TrainConfig& config = moment.config;
    const char* part = moment.isLanguage() ? kLanguageWeights : kUnetWeights;
    if (!momentWeights(moment.folder, part).empty()) return {};
    const bool autoencoder = config.mode == TrainMode::FromScratch && config.scratch.component == "vae";
    if (!autoencoder) return missingWeights(moment.folder);
    return badInput("expected a saved moment of a training that learns pictures, found one of an autoencoder"
                    "; take what lies in its run's folder \"result\" when the training has ended",
                    moment.folder);
}

/// What a moment makes.
struct MomentKind {
    bool language = false;
    bool lora = false;
};

/// What follows the moment's folder in the words that make that of it.
const char* conversionTo(const MomentKind& kind) {
    if (kind.language) return kind.lora ? "lora --to peft-lora" : "model --to transformers";
    return kind.lora ? "lora.safetensors --to kohya-lora" : "model.safetensors --to checkpoint";
}

const char* inWords(const MomentKind& kind) {
    if (kind.language) return kind.lora ? "a language model's LoRA" : "a language model";
    return kind.lora ? "a LoRA for pictures" : "a model that makes pictures";
}

std::string adviceOn(const MomentKind& kind, TakenFor expected) {
    if (expected == TakenFor::Model)
        return kind.lora ? "make a LoRA of it first, and add that to a model" : "make that of it first";
    if (kind.lora && kind.language == (expected == TakenFor::LanguageLora)) return "make that of it first";
    return std::string("choose another one, since this one makes ") + inWords(kind);
}

Result<void> expectPictures(const SavedMoment& moment) {
    if (!moment.isLanguage()) return {};
    return badInput("expected a saved moment of a training that learns pictures, found one of a language "
                    "model; make that of it: homebooth-engine convert \"" +
                        displayName(moment.folder) + "\" " + conversionTo({true, moment.isLora()}),
                    moment.folder);
}

/// The adapters' matrices in a checkpoint; a part's get its name in front.
Result<std::vector<MappedTensor>> adapterTensors(const std::string& folder) {
    std::vector<MappedTensor> tensors;
    for (const char* part : kMomentParts)
        HOMEBOOTH_CHECK(addMomentTensors(folder, part, std::string(part) + "/", tensors));
    return tensors;
}

/// By its files alone: its run may be out of reach.
MomentKind kindOf(const std::string& folder) {
    const auto tensors = adapterTensors(folder);
    const auto isAdapter = [](const MappedTensor& tensor) { return isAdapterName(tensor.info.name); };
    return {!momentWeights(folder, kLanguageWeights).empty(),
            tensors && std::any_of(tensors->begin(), tensors->end(), isAdapter)};
}

std::vector<LoraModule> modulesOf(const MappedSource& source, const LoraConfig& lora) {
    std::vector<LoraModule> modules;
    for (const TensorInfo& down : source.tensors()) {
        if (!down.name.ends_with(kAdapterDown)) continue;
        LoraModule module;
        const size_t part = down.name.find('/');
        const std::string stem = down.name.substr(0, down.name.size() - kAdapterDown.size());
        module.name = {down.name.substr(0, part), stem.substr(part + 1)};
        module.rank = lora.rank;
        module.alpha = lora.alpha;
        module.downTensor = down.name;
        module.downShape = down.shape;
        module.upTensor = stem + std::string(kAdapterUp);
        if (const TensorInfo* up = source.find(module.upTensor)) {
            module.upShape = up->shape;
            modules.push_back(std::move(module));
        }
    }
    return modules;
}

LoraDescription describe(const SavedMoment& moment, const std::string& base,
                         const std::vector<LoraModule>& modules, const OpenOptions& open) {
    const TrainConfig& config = moment.config;
    LoraDescription description;
    OpenOptions configured;
    configured.weightsOptional = true;
    if (auto model = openPictureModel(base, configured)) {
        noteLicence(*model);
        description = LoraDescription::of(*model);
        noteToldPrediction(config, *model, description);
    } else {
        description.family = familyByWidth(modules).value_or(description.family);
    }
    const auto told = predictionTypeFromString(config.loss.predictionType);
    if (told) description.predictionType = *told;
    if (open.predictionType) {
        if (told && *open.predictionType != *told) description.metadata.erase(kToldPredictionKey);
        description.predictionType = *open.predictionType;
    }
    description.triggerPhrase = triggerOf(config, captionFilesIn(config.data.datasetDir));
    const auto run = RunFolder::open(moment.runDir);
    const auto facts = run ? run->facts() : Result<std::map<std::string, std::string>>(run.error());
    if (const auto manifest = readManifest(moment.folder); manifest && facts)
        noteTraining(config, *facts, manifest->step, description);
    description.resolutionPixels = config.data.resolutionPixels;
    if (momentHasAverages(moment.folder)) description.metadata[kWeightsKey] = kAverages;
    return description;
}

/// The model that has what did not learn.
Result<ModelSource> openBase(const SavedMoment& moment, OpenOptions options) {
    const TrainConfig& config = moment.config;
    if (isThere(moment.runDir + kResult)) return openPictureModel(moment.runDir + kResult, options);
    if (config.mode != TrainMode::FromScratch) return openPictureModel(config.model, options);
    options.weightsOptional = true;
    HOMEBOOTH_ASSIGN(ModelSource model, openPictureModel(config.scratch.configDir, options));
    if (!model.vaeTensors && !config.model.empty()) {
        HOMEBOOTH_ASSIGN(const ModelSource other, openPictureModel(config.model, options));
        model.vae = other.vae;
        model.vaeJson = other.vaeJson;
        model.vaeTensors = other.vaeTensors;
    }
    model.unetTensors.reset(); // its shape alone was taken
    model.text.tensors.reset();
    return model;
}

/// Puts a part's weights into the place of the model's, if the checkpoint has any.
/// @param what  the part, for messages. @param weights  its file, or empty
Result<void> takeWeights(const std::string& what, const std::string& weights, const ComponentLayout& layout,
                         std::shared_ptr<const TensorSource>& source) {
    if (weights.empty()) return {};
    HOMEBOOTH_ASSIGN(const std::shared_ptr<const TensorReader> file, SafetensorsReader::open(weights));
    TensorPool pool;
    HOMEBOOTH_CHECK(pool.add(file));
    const Candidates named = [](const LayoutEntry& entry) {
        return std::vector<CompVisTensor>{{entry.name, entry.shape},
                                          {entry.name + std::string(kAverageEnding), entry.shape}};
    };
    const auto none = [](const std::string&) { return false; };
    HOMEBOOTH_ASSIGN(MatchedComponent matched, matchComponent(what, layout, pool, named, none, weights));
    source = std::move(matched.source);
    return {};
}

} // namespace

bool isSavedMoment(const std::string& path) {
    const fs::path folder(path);
    return isThere(folder / kManifestName) && !isThere(folder / "model_index.json") &&
           !isThere(folder / kUnetWeights);
}

Result<SavedMoment> openSavedMoment(const std::string& folder) {
    if (!isThere(fs::path(folder) / kManifestName)) return missingWeights(folder);
    if (const auto manifest = readManifest(folder); !manifest) return manifest.error();
    HOMEBOOTH_ASSIGN(const RunFolder run, openRunOf(folder));
    SavedMoment moment;
    moment.folder = folder;
    moment.runDir = run.path();
    HOMEBOOTH_ASSIGN(moment.config, run.config());
    HOMEBOOTH_CHECK(expectWeights(moment));
    return moment;
}

std::string momentWeights(const std::string& folder, const std::string& part) {
    for (const char* prefix : {kAveragesPrefix, ""}) {
        const fs::path file = fs::path(folder) / (prefix + part + ".safetensors");
        if (isThere(file)) return file.string();
    }
    return {};
}

Result<void> checkMomentWeights(const std::string& folder) {
    std::vector<std::string> names;
    for (const char* part : kMomentParts)
        if (const fs::path weights = momentWeights(folder, part); !weights.empty())
            names.push_back(weights.filename().string());
    auto whole = verifyFiles(folder, names);
    if (whole) return whole;
    Error error = whole.error();
    error.message += "; take another step, or put an undamaged copy back";
    return error;
}

Result<void> addMomentTensors(const std::string& folder, const std::string& part, const std::string& prefix,
                              std::vector<MappedTensor>& tensors) {
    const std::string weights = momentWeights(folder, part);
    if (weights.empty()) return {};
    HOMEBOOTH_ASSIGN(const auto file, SafetensorsReader::open(weights));
    for (const TensorInfo& info : file->tensors()) {
        std::string name = prefix + info.name;
        if (name.ends_with(kAverageEnding)) name.resize(name.size() - kAverageEnding.size());
        MappedTensor tensor;
        tensor.info = makeTensorInfo(std::move(name), info.type, info.shape);
        tensor.file = file;
        tensor.fileName = info.name;
        tensors.push_back(std::move(tensor));
    }
    return {};
}

bool momentHasAverages(const std::string& folder) {
    return std::any_of(kMomentParts.begin(), kMomentParts.end(), [&folder](const char* part) {
        return fs::path(momentWeights(folder, part)).filename().string().starts_with(kAveragesPrefix);
    });
}

Result<WriteOutcome> writeMomentLora(const SavedMoment& moment, const std::string& base,
                                     const std::string& path, LoraFormat format, const WriteOptions& options,
                                     const OpenOptions& open) {
    HOMEBOOTH_CHECK(expectPictures(moment));
    HOMEBOOTH_CHECK(checkMomentWeights(moment.folder));
    HOMEBOOTH_ASSIGN(std::vector<MappedTensor> tensors, adapterTensors(moment.folder));
    const MappedSource source(std::move(tensors));
    const std::vector<LoraModule> modules = modulesOf(source, moment.config.lora);
    if (modules.empty()) return missingWeights(moment.folder);
    LoraDescription description = describe(moment, base, modules, open);
    description.title = options.title;
    description.outputName = fs::path(path).stem().string();
    return writeLora(path, format, modules, source, description, options);
}

bool isLoraOfAverages(const std::string& path) {
    const auto file = openTensorFile(path);
    if (!file) return false;
    const std::map<std::string, std::string>& metadata = (*file)->metadata();
    const auto found = metadata.find(kWeightsKey);
    return found != metadata.end() && found->second == kAverages;
}

Result<ModelSource> openMomentModel(const SavedMoment& moment, const OpenOptions& options) {
    HOMEBOOTH_CHECK(expectPictures(moment));
    OpenOptions open = options;
    const LossConfig& loss = moment.config.loss;
    if (!options.predictionType && !loss.predictionType.empty()) {
        HOMEBOOTH_ASSIGN(open.predictionType, predictionTypeFromString(loss.predictionType));
    }
    if (!options.predictionType) open.zeroTerminalSnr = options.zeroTerminalSnr || loss.zeroTerminalSnr;
    auto base = openBase(moment, open);
    if (!base)
        return Error{base.error().code,
                     "reading a saved moment: what did not learn is that of the model that its training "
                     "began with, which cannot be read: " +
                         base.error().message,
                     base.error().context};
    ModelSource model = std::move(base).value();
    HOMEBOOTH_CHECK(checkMomentWeights(moment.folder));
    HOMEBOOTH_CHECK(takeWeights("UNet", momentWeights(moment.folder, kUnetWeights), unetLayout(model.unet),
                                model.unetTensors));
    HOMEBOOTH_CHECK(takeWeights("text encoder", momentWeights(moment.folder, kTextWeights),
                                textEncoderLayout(model.text.config), model.text.tensors));
    if (!options.weightsOptional && (!model.unetTensors || !model.vaeTensors || !model.text.tensors))
        return badInput("reading a saved moment: expected weights of UNet, text encoder and VAE in it and in "
                        "the model that its training began with, found some missing; put that model back",
                        moment.folder);
    return model;
}

void describeMoment(const SavedMoment& moment, ModelSource& model, WriteOptions& options) {
    const TrainConfig& config = moment.config;
    const auto manifest = readManifest(moment.folder);
    const int64_t steps = manifest ? manifest->step : config.steps;
    describeResult(trainingFacts(config, captionFilesIn(config.data.datasetDir), steps), model, options);
}

Result<void> expectNoMoment(const std::string& path, TakenFor expected) {
    std::error_code ignored;
    const bool whole = fs::is_directory(path, ignored);
    const fs::path absolute = fs::absolute(path, ignored);
    const fs::path folder = whole ? absolute : absolute.parent_path();
    if (!isSavedMoment(folder.string())) return {};
    const auto manifest = readManifest(folder.string());
    if (!manifest) return {}; // another program's
    const bool listed = std::any_of(
        manifest->files.begin(), manifest->files.end(),
        [name = absolute.filename().string()](const ManifestFile& file) { return file.path == name; });
    if (!whole && !listed) return {};
    const MomentKind kind = kindOf(folder.string());
    std::string words = expected == TakenFor::Model ? "expected a model" : "expected a LoRA";
    if (expected == TakenFor::LanguageLora) words.append(" of a language model");
    words.append(whole ? ", found a saved moment of a training; "
                       : ", found one file of a saved moment of a training; ");
    words.append(adviceOn(kind, expected)).append(": homebooth-engine convert \"");
    words.append(displayName(folder)).append("\" ").append(conversionTo(kind));
    return badInput(std::move(words), path);
}

} // namespace homebooth::core
