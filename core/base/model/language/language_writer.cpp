// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/language/language_writer.h"

#include "core/base/arch/language_layout.h"
#include "core/base/files/atomic_file.h"
#include "core/base/model/carried_files.h"
#include "core/base/model/language/language_names.h"
#include "core/base/model/lora/peft_folder.h"
#include "core/base/model/saved_moment.h"
#include "core/base/model/tensor_copy.h"
#include "core/base/schedule/adapters.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace homebooth::core {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// What transformers calls a type.
const char* torchName(DataType type) {
    if (type == DataType::BF16) return "bfloat16";
    return type == DataType::F16 ? "float16" : "float32";
}

Result<std::vector<PlannedTensor>> planTensors(const LanguagePart& model, const WriteOptions& options) {
    if (!model.tensors) return badInput("cannot save the model: it has no weights", model.folder);
    std::vector<PlannedTensor> plan;
    for (const LayoutEntry& entry : languageLayout(model.config)) {
        const TensorInfo* info = model.tensors->find(entry.name);
        if (info == nullptr || info->shape != entry.shape)
            return badInput("cannot save the model: tensor \"" + entry.name + "\" should be " +
                            shapeText(entry.shape) +
                            (info == nullptr ? ", but is missing" : ", but is " + shapeText(info->shape)));
        const CompVisTensor place = languageNames(entry, model.config.family).front();
        plan.push_back({makeTensorInfo(place.name, writtenType(info->type, options), place.shape),
                        {entry.name},
                        place.change == TensorChange::Transposed,
                        model.tensors.get()});
    }
    return plan;
}

/// config.json as it was, with the type of what is written, and of a head that is none of the table's.
std::string configOf(const LanguagePart& model, DataType type, int64_t learnedEnd) {
    Json config = parseShallow<Json>(model.json);
    if (!config.is_object()) return model.json;
    if (config.contains("dtype")) config["dtype"] = torchName(type);
    if (config.contains("torch_dtype") || !config.contains("dtype")) config["torch_dtype"] = torchName(type);
    if (!model.config.tiedHead) config["tie_word_embeddings"] = false;
    if (model.config.eosTokenId < 0 && learnedEnd >= 0) config[kEndKey] = learnedEnd;
    return config.dump(2) + "\n";
}

/// generation_config.json with the end that was learned. Nothing: it stays as it is, since it names one of
/// the vocabulary, or none at all, where config.json counts.
std::optional<std::string> generationOf(const LanguagePart& model, const KeptFiles& along,
                                        int64_t learnedEnd) {
    const auto file = along.find(kGenerationName);
    if (learnedEnd < 0 || file == along.end() || file->second.text() == nullptr) return std::nullopt;
    Json generation = parseShallow<Json>(*file->second.text());
    if (!generation.is_object() || !generation.contains(kEndKey)) return std::nullopt;
    const Json& named = generation[kEndKey];
    const Json ends = named.is_array() ? named : Json::array({named});
    const bool allForeign = std::all_of(ends.begin(), ends.end(), [&](const Json& one) {
        if (!one.is_number_integer()) return false; // what that means is not known here
        const auto id = one.get<int64_t>();
        return id < 0 || id >= model.config.vocabularySize;
    });
    if (!allForeign) return std::nullopt;
    generation[kEndKey] = learnedEnd;
    return generation.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Writes one file of tensors and what stands beside it. @param small  name and text of other files, none of
/// them among those that go `along`
Result<WriteOutcome> writeFolder(const std::string& path, const char* weightsName,
                                 const std::vector<PlannedTensor>& plan,
                                 const std::map<std::string, std::string>& small, const KeptFiles& along,
                                 const WriteOptions& options) {
    HOMEBOOTH_ASSIGN(AtomicFolder folder, AtomicFolder::create(path));
    const fs::path partial = folder.partialPath();
    for (const auto& [name, text] : small)
        HOMEBOOTH_CHECK(writeFileAtomically((partial / name).string(), text));
    HOMEBOOTH_CHECK(writeKept(along, partial));
    CopyProgress progress(options, plannedBytes(plan));
    HOMEBOOTH_ASSIGN(const WriteOutcome outcome,
                     writePlanned((partial / weightsName).string(), plan, {}, progress));
    if (outcome == WriteOutcome::Cancelled) return outcome;
    HOMEBOOTH_CHECK(folder.commit());
    return outcome;
}

/// "model.decoder.layers.0.fc1" of "model.decoder.layers.0.fc1.lora_down.weight"; empty for others.
std::string moduleOf(const std::string& name, std::string_view ending) {
    return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : std::string();
}

std::string moduleOfHalf(const std::string& name) {
    return moduleOf(name, name.ends_with(kAdapterDown) ? kAdapterDown : kAdapterUp);
}

/// "attn.c_proj" of "transformer.h.0.attn.c_proj": what PEFT finds in every layer, and nothing else by it.
std::string targetOf(const std::string& module) {
    size_t begin = module.find_first_of("0123456789");
    begin = begin == std::string::npos ? module.rfind('.') : module.find('.', begin);
    return module.substr(begin + 1);
}

std::string adapterConfig(const LanguageLora& lora, LanguageFamily family,
                          const std::set<std::string>& targets) {
    return Json{{"peft_type", "LORA"},
                {"task_type", "CAUSAL_LM"},
                {"base_model_name_or_path", lora.baseModel},
                {"r", lora.rank},
                {"lora_alpha", lora.alpha},
                {"lora_dropout", lora.dropout},
                {"target_modules", targets},
                {"bias", "none"},
                {"fan_in_fan_out", family == LanguageFamily::Gpt2},
                {"inference_mode", true},
                {"modules_to_save", nullptr}}
               .dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

/// Where PEFT has a half by our name of it, best first.
std::vector<CompVisTensor> peftPlaces(const LayoutEntry& half) {
    const std::string down = moduleOf(half.name, kAdapterDown);
    const std::string name =
        down.empty() ? moduleOf(half.name, kAdapterUp) + std::string(kPeftUp) : down + std::string(kPeftDown);
    return {{std::string(kPeftPrefix) + name, half.shape}, {name, half.shape}};
}

/// The halves of all modules of which a LoRA has at least one.
Result<ComponentLayout> adaptersIn(const TensorPool& pool, const LanguagePart& model, int64_t rank) {
    Schedule schedule = languageSchedule(model.config, /*contextLength=*/1);
    AdapterOptions options;
    options.rank = rank;
    if (const auto count = attachAdapters(schedule, options); !count) return count.error();
    ComponentLayout all;
    std::set<std::string> modules;
    for (const BlockSpec& block : schedule.blocks())
        for (const ParameterSpec& spec : block.parameters) {
            if (!isAdapterName(spec.name)) continue;
            all.push_back({spec.name, spec.shape});
            for (const CompVisTensor& place : peftPlaces(all.back()))
                if (pool.find(place.name) != nullptr) modules.insert(moduleOfHalf(spec.name));
        }
    std::erase_if(all, [&](const LayoutEntry& half) { return !modules.contains(moduleOfHalf(half.name)); });
    return all;
}

} // namespace

Result<WriteOutcome> writeLanguageFolder(const LanguagePart& model, const std::string& path,
                                         const WriteOptions& options, int64_t learnedEnd) {
    HOMEBOOTH_ASSIGN(const std::vector<PlannedTensor> plan, planTensors(model, options));
    HOMEBOOTH_ASSIGN(KeptFiles along, filesAlong(model));
    std::map<std::string, std::string> small{
        {"config.json", configOf(model, plan.front().info.type, learnedEnd)}};
    if (auto generation = generationOf(model, along, learnedEnd)) {
        small.emplace(kGenerationName, std::move(*generation));
        along.erase(kGenerationName);
    }
    return writeFolder(path, "model.safetensors", plan, small, along, options);
}

Result<int64_t> learnedEndOf(const LanguagePart& model, int64_t ofTokenizer) {
    if (model.config.eosTokenId >= 0) return model.config.eosTokenId;
    HOMEBOOTH_ASSIGN(const std::vector<int64_t> ends, endTokens(model, ofTokenizer));
    return ends.empty() ? -1 : ends.front();
}

Result<WriteOutcome> writeLanguageLora(const LanguageLora& lora, LanguageFamily family,
                                       const std::string& path, const WriteOptions& options) {
    std::vector<PlannedTensor> plan;
    std::set<std::string> targets;
    for (const TensorInfo& info : lora.tensors->tensors()) {
        if (!isAdapterName(info.name)) continue;
        targets.insert(targetOf(moduleOfHalf(info.name)));
        const std::string name = peftPlaces({info.name, info.shape}).front().name;
        plan.push_back({makeTensorInfo(name, writtenType(info.type, options), info.shape),
                        {info.name},
                        false,
                        lora.tensors.get()});
    }
    if (plan.empty()) return badInput("cannot save the LoRA: it has no matrices");
    return writeFolder(path, kPeftWeights, plan, {{kPeftConfig, adapterConfig(lora, family, targets)}}, {},
                       options);
}

Result<LanguageLora> openLanguageLora(const std::string& path, const LanguagePart& model) {
    HOMEBOOTH_CHECK(expectNoMoment(path, TakenFor::LanguageLora));
    HOMEBOOTH_ASSIGN(const PeftConfig config, readPeftConfig(path));
    HOMEBOOTH_ASSIGN(const TensorPool pool, openPeftWeights(path));
    LanguageLora lora;
    lora.rank = config.rank;
    lora.alpha = config.alpha;
    lora.dropout = config.dropout;
    if (config.rankStabilized) // alpha / sqrt(rank) is its scale
        lora.alpha *= std::sqrt(static_cast<double>(lora.rank));
    HOMEBOOTH_ASSIGN(const ComponentLayout layout, adaptersIn(pool, model, lora.rank));
    const auto mayRemain = [](const std::string&) { return false; };
    HOMEBOOTH_ASSIGN(const MatchedComponent matched,
                     matchComponent("LoRA", layout, pool, peftPlaces, mayRemain, path));
    if (layout.empty()) return badInput("expected the matrices of a LoRA, found none", path);
    lora.baseModel = model.folder;
    lora.tensors = matched.source;
    return lora;
}

} // namespace homebooth::core
