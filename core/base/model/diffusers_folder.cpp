// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a diffusers folder: model_index.json and one folder for each component.
#include "core/base/files/atomic_file.h"
#include "core/base/formats/safetensors_header.h"
#include "core/base/model/carried_files.h"
#include "core/base/model/deviation.h"
#include "core/base/model/folder_files.h"
#include "core/base/model/model_open.h"
#include "core/base/model/not_a_model.h"
#include "core/base/run/journal/averages.h"
#include "core/base/text/clip_tokenizer.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace homebooth::core {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int64_t kConfigLimitBytes = 1 << 20;
constexpr int64_t kTokenizerLimitBytes = 16 << 20;

struct Component {
    const char* folder;
    const char* what;
    std::array<const char*, 2> weightNames; ///< without extension, the usual one first
    bool isText = false;
};
constexpr Component kUnet{"unet", "UNet", {"diffusion_pytorch_model", "model"}};
constexpr Component kVae{"vae", "VAE", {"diffusion_pytorch_model", "model"}};
constexpr Component kTextEncoder{"text_encoder", "text encoder", {"model", "diffusion_pytorch_model"}, true};
constexpr Component kSecondTextEncoder{
    "text_encoder_2", "second text encoder", {"model", "diffusion_pytorch_model"}, true};
constexpr const char* kTokenizer = "tokenizer";
constexpr const char* kSecondTokenizer = "tokenizer_2";

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

/// As a checkpoint names moving averages: folders of saved moments are made of links to such files.
CompVisTensor ofAverages(const LayoutEntry& entry) {
    return {entry.name + std::string(kAverageEnding), entry.shape};
}

/// transformers 5 names parameters without the prefix that all earlier files carry.
std::vector<CompVisTensor> textEncoderNames(const LayoutEntry& entry) {
    constexpr std::string_view kPrefix = "text_model.";
    std::vector<CompVisTensor> names{{entry.name, entry.shape}};
    if (entry.name.starts_with(kPrefix)) names.push_back({entry.name.substr(kPrefix.size()), entry.shape});
    names.push_back(ofAverages(entry));
    return names;
}

std::vector<CompVisTensor> unetNames(const LayoutEntry& entry) {
    return {{entry.name, entry.shape}, ofAverages(entry)};
}

bool isBuffer(const std::string& name) {
    return name.ends_with("position_ids");
}

/// What a whole CLIP has beside its text encoder; the projection of the text is one's that needs none.
bool isOfWholeClip(const std::string& name) {
    constexpr std::array<std::string_view, 4> kParts{"vision_model.", "visual_projection.",
                                                     "text_projection.", "logit_scale"};
    return isBuffer(name) || std::any_of(kParts.begin(), kParts.end(),
                                         [&](std::string_view part) { return name.starts_with(part); });
}

/// Schedulers of noise that grows otherwise than Stable Diffusion's, whose network is told another amount.
bool isOfOtherNoise(const SchedulerConfig& config) {
    return config.className.starts_with("EDM") || config.className.starts_with("FlowMatch") ||
           config.useFlowSigmas.value_or(false);
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
        HOMEBOOTH_CHECK(readTokenizer(kTokenizer, m_model.text));
        if (m_model.secondText) HOMEBOOTH_CHECK(readTokenizer(kSecondTokenizer, *m_model.secondText));
        HOMEBOOTH_CHECK(openAllWeights());
        return std::move(m_model);
    }

private:
    void note(DeviationKind kind, std::string_view first = {}, std::string_view second = {}) {
        m_model.deviations.push_back(deviationText(kind, first, second));
    }

    Result<void> readIndex() {
        const fs::path index = m_path / "model_index.json";
        if (!isThere(index)) {
            if (!isThere(m_path / "unet")) return notAModelFolder(m_path);
            return {};
        }
        HOMEBOOTH_ASSIGN(m_index, readJsonObject(index, kConfigLimitBytes));
        if (m_index.contains("transformer") || m_index.contains("text_encoder_3")) return otherPipeline();
        for (const auto& [name, entry] : m_index.items()) noteCarried(name, entry);
        noteLicences();
        return {};
    }

    /// Nobody who saves no model is to mind it. Of several the first is told.
    void noteFault(Error error) {
        if (!m_model.alongFault) m_model.alongFault = std::move(error);
    }

    void noteLicences() {
        std::error_code code;
        for (fs::directory_iterator it(m_path, code), end; !code && it != end; it.increment(code)) {
            const std::string name = it->path().filename().string();
            std::error_code ignored;
            if (!goesAlong(name) || !it->is_regular_file(ignored)) continue;
            if (auto why = whyLeftAside(m_path, name))
                m_model.leftAside.emplace(name, std::move(*why));
            else
                m_model.licenceFiles.emplace(name, KeptFile::noted(it->path()));
        }
        if (code) noteFault(systemError("list", m_path.string(), code.value()));
    }

    [[nodiscard]] Error otherPipeline() const {
        const auto pipeline = m_index.find("_class_name");
        return otherModelError(pipeline != m_index.end() && pipeline->is_string()
                                   ? printable(pipeline->get<std::string>()) +
                                         ", which is not supported; choose another model"
                                   : std::string("another kind of pipeline; choose another model"),
                               m_path.string());
    }

    void noteCarried(const std::string& name, const json& entry) {
        constexpr std::array kOwn{"unet",      "vae",         "text_encoder", "text_encoder_2",
                                  "tokenizer", "tokenizer_2", "scheduler"};
        if (!entry.is_array() || entry.size() != 2 || std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end())
            return;
        // The name becomes a folder of what is saved; what begins with "_" is no part.
        if (name.find('/') != std::string::npos || name.starts_with(".") || name.starts_with("_") ||
            !isPlainName(name))
            return;
        CarriedComponent carried{name, "", "", {}};
        if (entry[0].is_string() && entry[1].is_string()) {
            carried.library = entry[0].get<std::string>();
            carried.className = entry[1].get<std::string>();
            const fs::path folder = m_path / name;
            std::error_code ignored;
            if (fs::is_directory(folder, ignored)) {
                if (auto files = carriedFiles(m_path, name, m_model.leftAside))
                    carried.files = std::move(*files);
                else
                    noteFault(files.error());
            } else {
                note(DeviationKind::FolderMissing, name);
            }
        }
        m_model.carried.push_back(std::move(carried));
    }

    template <class Config>
    Result<void> readConfig(const Component& component, Config& config, std::string& text) {
        const fs::path file = m_path / component.folder / "config.json";
        if (!isThere(file.parent_path())) {
            return badInput("expected a folder \"" + std::string(component.folder) + "\" with the " +
                                component.what + ", found " + entriesOf(m_path) + kPartMissingWords,
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
        const bool joined = m_model.unet.textTimeEmbedding;
        const auto named = m_index.find(kSecondTextEncoder.folder);
        if (!joined && named != m_index.end() && named->is_array() && !named->empty() &&
            named->front().is_string())
            return otherPipeline();
        HOMEBOOTH_CHECK(refuseRefiner());
        HOMEBOOTH_CHECK(readConfig(kVae, m_model.vae, m_model.vaeJson));
        HOMEBOOTH_CHECK(readConfig(kTextEncoder, m_model.text.config, m_model.text.json));
        if (joined) {
            TextPart& second = m_model.secondText.emplace();
            HOMEBOOTH_CHECK(readConfig(kSecondTextEncoder, second.config, second.json));
            const auto zeros = m_index.find("force_zeros_for_empty_prompt");
            m_model.zeroEmptyPrompt = zeros == m_index.end() || !zeros->is_boolean() || zeros->get<bool>();
        }
        m_model.family = familyOf(m_model.unet);
        if (m_index.is_null()) note(DeviationKind::IndexMissing, pipelineName(m_model));
        return checkPlausible(m_model);
    }

    /// SDXL's refiner has the second text encoder alone.
    [[nodiscard]] Result<void> refuseRefiner() {
        const bool alone = m_model.unet.textTimeEmbedding && !isThere(m_path / kTextEncoder.folder) &&
                           isThere(m_path / kSecondTextEncoder.folder);
        if (!alone) return {};
        ClipConfig config;
        std::string text;
        HOMEBOOTH_CHECK(readConfig(kSecondTextEncoder, config, text));
        if (config.hiddenSize != m_model.unet.crossAttentionDim) return {};
        return otherModelError(kRefinerWords, m_path.string());
    }

    Result<void> readScheduler() {
        const fs::path file = m_path / "scheduler" / "scheduler_config.json";
        if (!isThere(file)) {
            m_model.predictionType = m_options.predictionType.value_or(PredictionType::Epsilon);
            m_model.predictionTypeKnown = m_model.predictionTypeSaid = m_options.predictionType.has_value();
            m_model.schedulerJson = toJson(originalScheduler(m_model.family, m_model.predictionType));
            note(DeviationKind::SchedulerMissing, toString(m_model.predictionType));
            return {};
        }
        HOMEBOOTH_ASSIGN(m_model.schedulerJson, readRegularFile(file, kConfigLimitBytes));
        HOMEBOOTH_ASSIGN(const SchedulerConfig config,
                         parseSchedulerConfig(m_model.schedulerJson, file.string()));
        if (isOfOtherNoise(config))
            return otherModelError("a model of another scale of noise (" + printable(config.className) +
                                       "), which is not supported; choose another model",
                                   m_path.string());
        // Every scheduler of diffusers means epsilon where the key is missing.
        takePrediction(config.predictionType.value_or(PredictionType::Epsilon), m_options, m_model);
        return putPrediction(m_model);
    }

    Result<void> readTokenizer(const char* name, TextPart& part) {
        const fs::path folder = m_path / name;
        std::error_code code;
        if (!fs::is_directory(folder, code)) {
            note(DeviationKind::TokenizerMissing, name);
            return {};
        }
        part.tokenizerFolder = folder.string();
        for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
            const std::string extension = it->path().extension().string();
            std::error_code ignored;
            if (!it->is_regular_file(ignored) || (extension != ".json" && extension != ".txt")) continue;
            const std::string file = it->path().filename().string();
            if (auto why = whyLeftAside(m_path, fs::path(name) / file)) {
                m_model.leftAside.emplace((fs::path(name) / file).string(), std::move(*why));
                continue;
            }
            HOMEBOOTH_CHECK(readTokenizerFile(folder / file, part.tokenizerFiles));
        }
        if (code) return systemError("list", folder.string(), code.value());
        HOMEBOOTH_CHECK(takeVocabularyFromElsewhere(name, part));
        dropTokenizerWithoutVocabulary(name, part);
        return {};
    }

    using Texts = std::map<std::string, std::string>; // by their files' names

    static Result<void> readTokenizerFile(const fs::path& file, Texts& texts) {
        HOMEBOOTH_ASSIGN(texts[file.filename().string()], readRegularFile(file, kTokenizerLimitBytes));
        return {};
    }

    /// Where the folder has no other one, and if it is one: nothing else that a link leads to is saved.
    Result<void> takeVocabularyFromElsewhere(const char* name, TextPart& part) {
        using Names = std::vector<const char*>;
        const auto hasAll = [](const Texts& texts, const Names& names) {
            return std::all_of(names.begin(), names.end(),
                               [&](const char* one) { return texts.contains(one); });
        };
        const std::array kinds{Names{"vocab.json", "merges.txt"}, Names{"tokenizer.json"}};
        for (const Names& names : kinds)
            if (hasAll(part.tokenizerFiles, names)) return {};
        for (const Names& names : kinds) {
            Texts texts = part.tokenizerFiles;
            for (const char* file : names)
                if (m_model.leftAside.contains((fs::path(name) / file).string()))
                    HOMEBOOTH_CHECK(readTokenizerFile(m_path / name / file, texts));
            if (!hasAll(texts, names) || !ClipTokenizer::loadFiles(texts, m_path / name)) continue;
            for (const char* file : names) m_model.leftAside.erase((fs::path(name) / file).string());
            part.tokenizerFiles = std::move(texts);
            return {};
        }
        return {};
    }

    /// As configurations without weights have it. Where the published vocabulary has another size than the
    /// text encoder, it stays, so that whoever reads it says what is missing.
    void dropTokenizerWithoutVocabulary(const char* name, TextPart& part) {
        for (const char* file : {"vocab.json", "merges.txt", "tokenizer.json"})
            if (part.tokenizerFiles.contains(file) ||
                m_model.leftAside.contains((fs::path(name) / file).string()))
                return;
        if (part.config.vocabularySize != ClipConfig().vocabularySize) return;
        note(DeviationKind::VocabularyMissing, name);
        part.tokenizerFolder.clear();
        part.tokenizerFiles.clear();
    }

    Result<void> openAllWeights() {
        HOMEBOOTH_CHECK(openWeights(kUnet, unetLayout(m_model.unet), unetNames, m_model.unetTensors));
        HOMEBOOTH_CHECK(openWeights(kVae, vaeLayout(m_model.vae), vaeNames, m_model.vaeTensors));
        HOMEBOOTH_CHECK(openWeights(kTextEncoder, textEncoderLayout(m_model.text.config), textEncoderNames,
                                    m_model.text.tensors));
        if (!m_model.secondText) return {};
        return openWeights(kSecondTextEncoder, projectingTextEncoderLayout(m_model.secondText->config),
                           textEncoderNames, m_model.secondText->tensors);
    }

    /// Of the UNet, which says what others wrote of the model.
    void takeMetadata(const TensorPool& pool) {
        if (pool.entries().empty()) return;
        m_model.metadata = pool.entries().begin()->second.file->metadata();
        std::erase_if(m_model.metadata, [](const auto& entry) {
            return entry.first == "format" || entry.first.starts_with("homebooth.");
        });
    }

    Result<void> openWeights(const Component& component, const ComponentLayout& layout,
                             const Candidates& candidates, std::shared_ptr<const TensorSource>& source) {
        const fs::path folder = m_path / component.folder;
        HOMEBOOTH_ASSIGN(const auto weights, openFolderWeights(folder, component.weightNames));
        if (!weights) {
            if (!m_options.weightsOptional) return noWeights(folder, component);
            note(DeviationKind::WeightsMissing, component.what);
            return {};
        }
        if (!weights->variant.empty()) note(DeviationKind::Variant, component.what, weights->variant);
        if (&component == &kUnet) takeMetadata(weights->pool);
        HOMEBOOTH_ASSIGN(MatchedComponent matched,
                         matchComponent(component.what, layout, weights->pool, candidates,
                                        component.isText ? isOfWholeClip : isBuffer, weights->file.string()));
        source = matched.source;
        return {};
    }

    fs::path m_path;
    const OpenOptions& m_options;
    json m_index; ///< null: there is none
    ModelSource m_model;
};

} // namespace

Result<ModelSource> openDiffusersFolder(const std::string& path, const OpenOptions& options) {
    return FolderOpener(path, options).open();
}

} // namespace homebooth::core
