// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a diffusers folder: model_index.json, one folder for each component, weights as one file, as a
// variant ("fp16") or in shards with an index; .safetensors or .bin.
#include "core/base/files/atomic_file.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/deviation.h"
#include "core/base/model/model_open.h"
#include "core/base/pickle/open_tensor_file.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int64_t kConfigLimitBytes = 1 << 20;
constexpr int64_t kIndexLimitBytes = 64 << 20;
constexpr int64_t kTokenizerLimitBytes = 16 << 20;

struct Component {
    const char* folder;
    const char* what;
    std::array<const char*, 2> weightNames; ///< without extension, the usual one first
};
constexpr Component kUnet{"unet", "UNet", {"diffusion_pytorch_model", "model"}};
constexpr Component kVae{"vae", "VAE", {"diffusion_pytorch_model", "model"}};
constexpr Component kTextEncoder{"text_encoder", "text encoder", {"model", "diffusion_pytorch_model"}};

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string entriesOf(const fs::path& folder) {
    constexpr size_t kMost = 12;
    std::vector<std::string> names;
    std::error_code code;
    std::error_code ignored;
    for (fs::directory_iterator it(folder, code), end; !code && it != end && names.size() < kMost;
         it.increment(code))
        names.push_back(printable(it->path().filename().string()) +
                        (fs::exists(it->path(), ignored) ? "" : " (a link that leads nowhere)"));
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "nothing" : text;
}

Result<json> readJson(const fs::path& path, int64_t limitBytes) {
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(path, limitBytes));
    json value = parseShallow<json>(text);
    if (!value.is_object()) {
        return badInput("expected a JSON object, found " +
                            std::string(value.is_discarded() ? "no valid JSON" : value.type_name()) +
                            "; copy or download the file again",
                        path.string());
    }
    return value;
}

/// Opens the files that a sharded model's index names.
Result<void> addShards(const fs::path& index, TensorPool& pool) {
    HOMEBOOTH_ASSIGN(const json value, readJson(index, kIndexLimitBytes));
    const auto map = value.find("weight_map");
    if (map == value.end() || !map->is_object())
        return badInput("expected an object \"weight_map\"", index.string());
    std::set<std::string> names;
    for (const auto& [tensor, file] : map->items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : std::string();
        // Only plain names: an index must not reach out of its folder.
        if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos ||
            (!name.ends_with(".safetensors") && !name.ends_with(".bin"))) {
            return badInput("tensor \"" + printable(tensor) + "\" lies in \"" + printable(name) +
                                "\"; expected the name of a .safetensors or .bin file in the same folder",
                            index.string());
        }
        names.insert(name);
    }
    for (const std::string& name : names) {
        HOMEBOOTH_ASSIGN(auto reader, openTensorFile((index.parent_path() / name).string()));
        HOMEBOOTH_CHECK(pool.add(reader));
    }
    for (const auto& [tensor, file] : map->items())
        if (pool.find(tensor) == nullptr)
            return badInput("no shard holds the tensor \"" + printable(tensor) + "\"", index.string());
    return {};
}

/// The weights of a component: plain before variant, whole before shards, .safetensors before what torch.save
/// wrote. Empty: none there.
fs::path weightFile(const fs::path& folder, const Component& component, std::string& variant) {
    for (const char* name : component.weightNames) {
        for (const char* ending : {".safetensors", ".safetensors.index.json"})
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        variant = "fp16";
        for (const char* ending : {".fp16.safetensors", ".safetensors.index.fp16.json"})
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        for (const char* other : {"bf16", "fp32"}) {
            variant = other;
            const fs::path file = folder / (std::string(name) + "." + other + ".safetensors");
            if (isThere(file)) return file;
        }
        variant.clear();
    }
    for (const char* name : {component.weightNames[0], "pytorch_model"})
        for (const char* ending : {".bin", ".bin.index.json", ".fp16.bin", ".bin.index.fp16.json"}) {
            variant = std::string_view(ending).find("fp16") != std::string_view::npos ? "fp16" : "";
            if (isThere(folder / (std::string(name) + ending))) return folder / (std::string(name) + ending);
        }
    variant.clear();
    return {};
}

Error noWeights(const fs::path& folder, const Component& component) {
    return badInput("expected the " + std::string(component.what) + "'s weights as " +
                        component.weightNames[0] + ".safetensors, found " + entriesOf(folder) +
                        "; copy or download them too",
                    folder.string());
}

/// Names that older diffusers gave to the attention of the VAE.
std::vector<CompVisTensor> vaeNames(const LayoutEntry& entry) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOld{
        {{".to_q.", ".query."}, {".to_k.", ".key."}, {".to_v.", ".value."}, {".to_out.0.", ".proj_attn."}}};
    std::vector<CompVisTensor> names{{entry.name, entry.shape}};
    for (const auto& [now, before] : kOld) {
        const size_t at = entry.name.find(now);
        if (at == std::string::npos || entry.name.find(".attentions.") == std::string::npos) continue;
        names.push_back({std::string(entry.name).replace(at, now.size(), before), entry.shape});
    }
    return names;
}

/// transformers 5 names parameters without the prefix that all earlier files carry.
std::vector<CompVisTensor> textEncoderNames(const LayoutEntry& entry) {
    constexpr std::string_view kPrefix = "text_model.";
    std::vector<CompVisTensor> names{{entry.name, entry.shape}};
    if (entry.name.starts_with(kPrefix)) names.push_back({entry.name.substr(kPrefix.size()), entry.shape});
    return names;
}

std::vector<CompVisTensor> unetNames(const LayoutEntry& entry) {
    return {{entry.name, entry.shape}};
}

bool isBuffer(const std::string& name) {
    return name.ends_with("position_ids");
}

class FolderOpener {
public:
    FolderOpener(const std::string& path, const OpenOptions& options)
        : m_path(path)
        , m_options(options) {
        m_model.path = path;
        m_model.layout = ModelLayout::DiffusersFolder;
    }

    Result<ModelSource> open() {
        HOMEBOOTH_CHECK(readIndex());
        HOMEBOOTH_CHECK(readConfigs());
        HOMEBOOTH_CHECK(readScheduler());
        HOMEBOOTH_CHECK(readTokenizer());
        HOMEBOOTH_CHECK(openWeights(kUnet, unetLayout(m_model.unet), unetNames, m_model.unetTensors));
        HOMEBOOTH_CHECK(openWeights(kVae, vaeLayout(m_model.vae), vaeNames, m_model.vaeTensors));
        HOMEBOOTH_CHECK(openWeights(kTextEncoder, textEncoderLayout(m_model.textEncoder), textEncoderNames,
                                    m_model.textEncoderTensors));
        return std::move(m_model);
    }

private:
    void note(DeviationKind kind, std::string_view first = {}, std::string_view second = {}) {
        m_model.deviations.push_back(deviationText(kind, first, second));
    }

    Result<void> readIndex() {
        const fs::path index = m_path / "model_index.json";
        if (!isThere(index)) {
            if (!isThere(m_path / "unet"))
                return badInput("expected a diffusers folder with model_index.json and unet/, found " +
                                    entriesOf(m_path) + "; choose the folder that holds them",
                                m_path.string());
            note(DeviationKind::IndexMissing);
            return {};
        }
        HOMEBOOTH_ASSIGN(const json value, readJson(index, kConfigLimitBytes));
        const bool planned =
            m_options.onlyPlanned && value.contains("unet"); // the UNet says which model it is
        if (!planned && (value.contains("text_encoder_2") || value.contains("transformer"))) {
            const auto pipeline = value.find("_class_name");
            return badInput("expected a Stable Diffusion 1.x or 2.x model, found " +
                                (pipeline != value.end() && pipeline->is_string()
                                     ? printable(pipeline->get<std::string>())
                                     : std::string("another kind of pipeline")) +
                                ", which is not supported; choose another model",
                            m_path.string());
        }
        for (const auto& [name, entry] : value.items()) readCarried(name, entry);
        std::error_code code;
        for (fs::directory_iterator it(m_path, code), end; !code && it != end; it.increment(code)) {
            const std::string name = it->path().filename().string();
            std::error_code ignored;
            const bool goesAlong =
                name.starts_with("LICENSE") || name.starts_with("NOTICE") || name == "training_defaults.json";
            if (it->is_regular_file(ignored) && goesAlong)
                m_model.licenceFiles.push_back(it->path().string());
        }
        std::sort(m_model.licenceFiles.begin(), m_model.licenceFiles.end());
        return {};
    }

    void readCarried(const std::string& name, const json& entry) {
        constexpr std::array kOwn{"unet", "vae", "text_encoder", "tokenizer", "scheduler"};
        if (!entry.is_array() || entry.size() != 2 || std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end())
            return;
        // The name becomes a folder of what is saved.
        if (name.find('/') != std::string::npos || name.starts_with(".")) return;
        CarriedComponent carried{name, "", "", ""};
        if (entry[0].is_string() && entry[1].is_string()) {
            carried.library = entry[0].get<std::string>();
            carried.className = entry[1].get<std::string>();
            const fs::path folder = m_path / name;
            std::error_code ignored;
            if (fs::is_directory(folder, ignored))
                carried.folder = folder.string();
            else
                note(DeviationKind::FolderMissing, name);
        }
        m_model.carried.push_back(std::move(carried));
    }

    template <class Config>
    Result<void> readConfig(const Component& component, Config& config, std::string& text) {
        const fs::path file = m_path / component.folder / "config.json";
        if (!isThere(file.parent_path())) {
            return badInput("expected a folder \"" + std::string(component.folder) + "\" with the " +
                                component.what + ", found " + entriesOf(m_path) +
                                "; copy or download the whole model",
                            m_path.string());
        }
        HOMEBOOTH_ASSIGN(text, readRegularFile(file, kConfigLimitBytes));
        auto parsed = Config::fromJson(text);
        if (!parsed) return badInput(parsed.error().message, file.string());
        config = std::move(parsed).value();
        return {};
    }

    Result<void> readConfigs() {
        HOMEBOOTH_CHECK(readConfig(kUnet, m_model.unet, m_model.unetJson));
        HOMEBOOTH_CHECK(readConfig(kVae, m_model.vae, m_model.vaeJson));
        HOMEBOOTH_CHECK(readConfig(kTextEncoder, m_model.textEncoder, m_model.textEncoderJson));
        m_model.family = familyOf(m_model.unet);
        return checkPlausible(m_model);
    }

    Result<void> readScheduler() {
        const fs::path file = m_path / "scheduler" / "scheduler_config.json";
        if (!isThere(file)) {
            m_model.predictionType = m_options.predictionType.value_or(PredictionType::Epsilon);
            m_model.predictionTypeKnown = m_options.predictionType.has_value();
            m_model.schedulerJson = toJson(stableDiffusionSchedulerConfig(m_model.predictionType));
            note(DeviationKind::SchedulerMissing, toString(m_model.predictionType));
            return {};
        }
        HOMEBOOTH_ASSIGN(m_model.schedulerJson, readRegularFile(file, kConfigLimitBytes));
        HOMEBOOTH_ASSIGN(const SchedulerConfig config,
                         parseSchedulerConfig(m_model.schedulerJson, file.string()));
        // Every scheduler of diffusers means epsilon where the key is missing.
        m_model.predictionType = config.predictionType.value_or(PredictionType::Epsilon);
        return {};
    }

    Result<void> readTokenizer() {
        const fs::path folder = m_path / "tokenizer";
        std::error_code code;
        if (!fs::is_directory(folder, code)) {
            note(DeviationKind::TokenizerMissing);
            return {};
        }
        m_model.tokenizerFolder = folder.string();
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
            const std::string extension = it->path().extension().string();
            std::error_code ignored;
            if (!it->is_regular_file(ignored) || (extension != ".json" && extension != ".txt")) continue;
            HOMEBOOTH_ASSIGN(m_model.tokenizerFiles[it->path().filename().string()],
                             readRegularFile(it->path(), kTokenizerLimitBytes));
        }
        if (code) return systemError("list", folder.string(), code.value());
        dropTokenizerWithoutVocabulary();
        return {};
    }

    /// As configurations without weights have it. Where the published vocabulary has another size than the
    /// text encoder, it stays, so that whoever reads it says what is missing.
    void dropTokenizerWithoutVocabulary() {
        for (const char* name : {"vocab.json", "merges.txt", "tokenizer.json"})
            if (m_model.tokenizerFiles.contains(name)) return;
        if (m_model.textEncoder.vocabularySize != ClipConfig().vocabularySize) return;
        note(DeviationKind::VocabularyMissing);
        m_model.tokenizerFolder.clear();
        m_model.tokenizerFiles.clear();
    }

    Result<void> openWeights(const Component& component, const ComponentLayout& layout,
                             const Candidates& candidates, std::shared_ptr<const TensorSource>& source) {
        const fs::path folder = m_path / component.folder;
        std::string variant;
        const fs::path file = weightFile(folder, component, variant);
        if (file.empty()) {
            if (!m_options.weightsOptional && !m_options.onlyPlanned) return noWeights(folder, component);
            note(DeviationKind::WeightsMissing, component.what);
            return {};
        }
        TensorPool pool;
        if (file.extension() == ".json") {
            HOMEBOOTH_CHECK(addShards(file, pool));
        } else {
            HOMEBOOTH_ASSIGN(auto reader, openTensorFile(file.string()));
            HOMEBOOTH_CHECK(pool.add(reader));
        }
        if (!variant.empty()) note(DeviationKind::Variant, component.what, variant);
        HOMEBOOTH_ASSIGN(MatchedComponent matched,
                         matchComponent(component.what, layout, pool, candidates, isBuffer, file.string()));
        source = matched.source;
        return {};
    }

    fs::path m_path;
    const OpenOptions& m_options;
    ModelSource m_model;
};

} // namespace

Result<ModelSource> openDiffusersFolder(const std::string& path, const OpenOptions& options) {
    return FolderOpener(path, options).open();
}

} // namespace homebooth::core
