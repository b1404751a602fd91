// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/inspect.h"

#include "core/base/files/atomic_file.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/component_match.h"
#include "core/base/model/deviation.h"
#include "core/base/model/embedding_file.h"
#include "core/base/model/lora/peft_folder.h"
#include "core/base/model/model_open.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/pickle/torch_reader.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace homebooth::core {

namespace fs = std::filesystem;

namespace {

InspectedComponent summarise(const std::string& name, const std::vector<const TensorInfo*>& tensors) {
    InspectedComponent component{name, 0, 0, {}};
    std::map<DataType, int64_t> types;
    for (const TensorInfo* info : tensors) {
        component.parameters += info->elementCount();
        component.bytes += info->byteCount;
        types[info->type] += info->byteCount;
    }
    for (const auto& [type, bytes] : types)
        component.types += (component.types.empty() ? "" : ", ") + std::string(dataTypeName(type));
    return component;
}

InspectedComponent summarise(const std::string& name, const TensorSource& source) {
    std::vector<const TensorInfo*> tensors;
    for (const TensorInfo& info : source.tensors()) tensors.push_back(&info);
    return summarise(name, tensors);
}

int64_t bytesIn(const fs::path& path) {
    std::error_code code;
    if (!fs::is_directory(path, code)) return static_cast<int64_t>(fs::file_size(path, code));
    int64_t bytes = 0;
    fs::recursive_directory_iterator it(path, code);
    for (const fs::recursive_directory_iterator end; !code && it != end; it.increment(code)) {
        std::error_code status;
        if (!it->is_regular_file(status)) continue;
        const auto size = it->file_size(status);
        if (!status) bytes += static_cast<int64_t>(size);
    }
    return bytes;
}

struct ModelPart {
    const char* name;
    const char* words;
    const TensorSource* source; ///< null: without weights
};

std::vector<ModelPart> partsOf(const ModelSource& model) {
    std::vector<ModelPart> parts{{"unet", "UNet", model.unetTensors.get()},
                                 {"vae", "VAE", model.vaeTensors.get()},
                                 {"text_encoder", "text encoder", model.text.tensors.get()}};
    if (model.secondText)
        parts.push_back({"text_encoder_2", "second text encoder", model.secondText->tensors.get()});
    return parts;
}

/// Empty: there are all weights.
std::string missingWeights(const ModelSource& model) {
    std::string missing;
    for (const ModelPart& part : partsOf(model))
        if (part.source == nullptr) missing += (missing.empty() ? "" : ", ") + std::string(part.words);
    return missing;
}

void refuse(Inspection& facts, ModelFault fault, std::string problem) {
    facts.fault = fault;
    facts.problem = std::move(problem);
}

/// Of a file that cannot be read.
ModelFault fileFault(const Error& error) {
    const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
    return says(kCommandWords)       ? ModelFault::Commands
           : says(kOtherPickleWords) ? ModelFault::NotAModel
           : says(kCutOffWords)      ? ModelFault::Incomplete
           : says(kOtherTypeWords)   ? ModelFault::OtherNumbers
           : says(kFp8Words)         ? ModelFault::OtherNumbers
                                     : ModelFault::Damaged;
}

/// Of a folder that is no model that can be used.
ModelFault folderFault(const fs::path& folder, const Error& error) {
    std::error_code code;
    const auto has = [&](const char* name) { return fs::exists(folder / name, code); };
    const bool language = isLanguageFolder(folder.string());
    if (!language && !has("model_index.json") && !has("unet")) return ModelFault::NotAModel;
    if (const ModelFault fault = fileFault(error); fault != ModelFault::Damaged) return fault;
    const auto says = [&](std::string_view words) { return error.message.find(words) != std::string::npos; };
    if (language || has("transformer") || says(kRefinerWords)) return ModelFault::OtherModel;
    const bool all = has("unet/config.json") && has("vae/config.json") && has("text_encoder/config.json");
    return all && !says(kPartMissingWords) ? ModelFault::OtherModel : ModelFault::PartsMissing;
}

/// Of a file of another kind.
ModelFault kindFault(FileKind kind) {
    switch (kind) {
    case FileKind::GitLfsPointer:
    case FileKind::Html:
        return ModelFault::NotDownloaded;
    case FileKind::Empty:
        return ModelFault::Incomplete;
    default:
        return ModelFault::NotAModel;
    }
}

/// Of add-ons a remark: tools that weigh the blocks of a LoRA leave those of weight 0 as zeros, too.
/// @param first  as ZeroRun::end
void tellZeros(const std::string& first, Inspection& facts) {
    if (first.empty()) return;
    if (facts.kind == InspectedKind::Model || facts.kind == InspectedKind::LanguageModel)
        return refuse(facts, ModelFault::Incomplete, zerosText(first));
    const auto isTold = [](const std::string& warning) {
        return readDeviation(warning).kind == DeviationKind::ZerosFound;
    };
    if (std::none_of(facts.warnings.begin(), facts.warnings.end(), isTold))
        facts.warnings.push_back(deviationText(DeviationKind::ZerosFound, printable(first)));
}

/// Looks at every number of a source if that is wanted; the first fault is a reason not to use the file.
void lookAtValues(const TensorSource& source, Inspection& facts) {
    if (!facts.valuesChecked) return;
    ZeroRun zeros;
    const auto faults = findValueFaults(source, zeros);
    if (!faults) {
        refuse(facts, ModelFault::Damaged, faults.error().text());
        return;
    }
    facts.valueFaults.insert(facts.valueFaults.end(), faults->begin(), faults->end());
    if (!facts.valueFaults.empty())
        refuse(facts, ModelFault::NotNumbers, valueFaultText(facts.valueFaults));
    else
        tellZeros(zeros.end(), facts);
}

/// Whoever reserved the room of a file filled it from its beginning.
void lookAtEnds(const std::vector<const TensorSource*>& sources, Inspection& facts) {
    std::set<std::string> files;
    for (const TensorSource* source : sources)
        for (const TensorInfo& info : source->tensors()) files.insert(fileOfTensor(*source, info.name));
    for (const std::string& file : files) {
        if (!facts.problem.empty()) return;
        const auto kind = detectFileKind(file);
        if (!kind || *kind != FileKind::Safetensors) continue;
        const auto first = zerosAtEnd(file);
        if (!first) return refuse(facts, ModelFault::Damaged, first.error().text());
        tellZeros(*first, facts);
    }
}

std::string metadataValue(const Inspection& facts, const std::string& key) {
    const auto found = facts.metadata.find(key);
    return found == facts.metadata.end() ? "" : found->second;
}

void describeModel(const ModelSource& model, Inspection& facts) {
    facts.kind = InspectedKind::Model;
    facts.family = model.family;
    facts.layout = model.layout == ModelLayout::SingleFile ? "single file" : "diffusers folder";
    facts.predictionType = toString(model.predictionType);
    facts.predictionTypeKnown = model.predictionTypeKnown;
    facts.predictionTypeSaid = model.predictionTypeSaid;
    facts.sidePixels = std::max<int64_t>(model.unet.sampleSize, 0) * model.vae.downscale();
    std::vector<const TensorSource*> sources;
    for (const ModelPart& part : partsOf(model))
        if (part.source != nullptr) {
            facts.components.push_back(summarise(part.name, *part.source));
            lookAtValues(*part.source, facts);
            sources.push_back(part.source);
        }
    lookAtEnds(sources, facts);
    for (const auto& [key, value] : model.metadata)
        if (!key.starts_with("homebooth.")) facts.metadata[key] = value; // configurations, long
    facts.triggerPhrase = metadataValue(facts, "modelspec.trigger_phrase");
    facts.warnings = model.deviations;
}

void describeLanguageModel(const LanguagePart& model, Inspection& facts) {
    facts.language = model.config;
    facts.layout = "transformers folder";
    if (model.tensors == nullptr)
        return refuse(facts, ModelFault::PartsMissing,
                      "expected its weights as model.safetensors or pytorch_model.bin, found none; copy or "
                      "download them, too");
    facts.components.push_back(summarise("language_model", *model.tensors));
    lookAtValues(*model.tensors, facts);
    lookAtEnds({model.tensors.get()}, facts);
}

/// Whether it fits a model is seen only with that.
void describePeftLora(const std::string& path, Inspection& facts) {
    facts.kind = InspectedKind::PeftLora;
    facts.layout = "PEFT folder";
    const auto config = readPeftConfig(path);
    if (!config) return refuse(facts, ModelFault::AddOn, config.error().text());
    facts.rank = config->rank;
    facts.alpha = config->alpha;
    facts.targets = config->targets;
    facts.baseModel = config->baseModel;
    const auto pool = openPeftWeights(path);
    if (!pool) {
        const ModelFault fault = fileFault(pool.error());
        return refuse(facts, fault == ModelFault::Damaged ? ModelFault::PartsMissing : fault,
                      pool.error().text());
    }
    std::vector<const TensorInfo*> tensors;
    std::set<const TensorReader*> files;
    for (const auto& [name, entry] : pool->entries()) {
        tensors.push_back(entry.info);
        files.insert(entry.file.get());
        if (name.ends_with(kPeftDown)) ++facts.modules;
    }
    if (facts.modules == 0)
        return refuse(facts, ModelFault::AddOn, "expected the matrices of a LoRA, found none");
    facts.components.push_back(summarise("tensors", tensors));
    for (const TensorReader* file : files) lookAtValues(*file, facts);
    lookAtEnds({files.begin(), files.end()}, facts);
}

void describeLora(const LoraFile& lora, Inspection& facts) {
    facts.kind = InspectedKind::Lora;
    facts.family = lora.family;
    facts.layout = lora.format == LoraFormat::Kohya ? "kohya" : "diffusers";
    facts.modules = lora.modules.size();
    facts.metadata = lora.metadata;
    facts.warnings = lora.deviations;
    for (const LoraModule& module : lora.modules) {
        if (module.rank <= facts.rank) continue;
        facts.rank = module.rank;
        facts.alpha = module.alpha;
    }
    facts.triggerPhrase = metadataValue(facts, "modelspec.trigger_phrase");
    if (const auto type = predictionTypeOfMetadata(lora.metadata)) facts.predictionType = toString(*type);
    facts.components.push_back(summarise("tensors", *lora.tensors));
    lookAtValues(*lora.tensors, facts);
    lookAtEnds({lora.tensors.get()}, facts);
}

/// @returns  whether it is a textual inversion, of a family that is known or by its names
bool describeEmbedding(const std::shared_ptr<const TensorReader>& file, Inspection& facts) {
    const auto embedding = embeddingIn(file);
    const auto family = embedding ? familyOf(*embedding) : std::nullopt;
    if (!family && !(embedding && isNamedEmbedding(*embedding))) return false;
    facts.kind = InspectedKind::Embedding;
    facts.family = family.value_or(ModelFamily::Other);
    facts.vectors = embedding->vectors;
    facts.width = embedding->width;
    facts.secondWidth = embedding->secondWidth;
    facts.words = embedding->words;
    return true;
}

/// What is left of an adapter in a whole model's file makes none of it.
bool looksLikeLora(const TensorReader& file) {
    bool adapts = false;
    for (const TensorInfo& info : file.tensors()) {
        if (info.name.starts_with(kCompVisUnetPrefix)) return false;
        adapts = adapts || info.name.find("lora") != std::string::npos;
    }
    return adapts;
}

void describeTensors(const std::string& path, Inspection& facts) {
    auto reader = openTensorFile(path);
    if (!reader) {
        refuse(facts, fileFault(reader.error()), reader.error().message);
        return;
    }
    facts.kind = InspectedKind::Tensors;
    facts.metadata = (*reader)->metadata();
    if (describeEmbedding(*reader, facts)) {
        facts.components.push_back(summarise("tensors", **reader));
        lookAtValues(**reader, facts);
        lookAtEnds({reader->get()}, facts);
        return;
    }
    auto model = openModel(path);
    if (model) return describeModel(*model, facts);
    if (looksLikeLora(**reader)) {
        auto lora = openLora(path);
        if (lora) return describeLora(*lora, facts);
        refuse(facts, ModelFault::AddOn, lora.error().message);
    } else {
        const bool coarse = fileFault(model.error()) == ModelFault::OtherNumbers;
        refuse(facts, coarse ? ModelFault::OtherNumbers : ModelFault::OtherModel, model.error().message);
    }
    facts.components.push_back(summarise("tensors", **reader));
}

void describeFolder(const std::string& path, Inspection& facts) {
    std::error_code code;
    if (fs::exists(fs::path(path) / "run.json", code)) {
        facts.kind = InspectedKind::Run;
        return;
    }
    if (isPeftFolder(path)) return describePeftLora(path, facts);
    facts.kind = isLanguageFolder(path) ? InspectedKind::LanguageModel : InspectedKind::Folder;
    OpenOptions options;
    options.weightsOptional = true;
    auto model = openModel(path, options);
    if (!model) {
        const Error& error = model.error();
        const bool said = error.context == path; // by whoever shows the facts
        refuse(facts, folderFault(path, error), said ? error.message : error.text());
        return;
    }
    if (model->language) {
        facts.warnings = model->deviations;
        return describeLanguageModel(*model->language, facts);
    }
    describeModel(*model, facts);
    if (const std::string missing = missingWeights(*model); !missing.empty())
        refuse(facts, ModelFault::PartsMissing,
               "expected the weights of all parts, found none for the " + missing +
                   "; copy or download them, too");
}

} // namespace

Result<Inspection> inspectPath(const std::string& path, bool values) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (code || status.type() == fs::file_type::not_found)
        return systemError("inspect", path, code ? code.value() : ENOENT);
    Inspection facts;
    facts.path = path;
    facts.valuesChecked = values;
    if (status.type() == fs::file_type::directory) {
        facts.bytes = bytesIn(path);
        describeFolder(path, facts);
        return facts;
    }
    HOMEBOOTH_ASSIGN(facts.fileKind, detectFileKind(path));
    facts.bytes = bytesIn(path);
    const bool tensors = facts.fileKind == FileKind::Safetensors || facts.fileKind == FileKind::PickleZip ||
                         facts.fileKind == FileKind::PickleLegacy;
    if (tensors)
        describeTensors(path, facts);
    else if (facts.fileKind != FileKind::Picture)
        refuse(facts, kindFault(facts.fileKind),
               wrongKindError(facts.fileKind, "a model, LoRA or picture", path).message);
    return facts;
}

} // namespace homebooth::core
