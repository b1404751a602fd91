// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens one file in CompVis layout, .safetensors or .ckpt. Configurations come from the metadata where
// Homebooth wrote the file, else from the original release whose shapes the file has.
#include "core/base/model/deviation.h"
#include "core/base/model/model_open.h"
#include "core/base/model/other_programs.h"
#include "core/base/pickle/open_tensor_file.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace {

constexpr const char* kFirstConv = "model.diffusion_model.input_blocks.0.0.weight";
constexpr const char* kStepsOfSd2Base = "875000"; ///< of SD 2.1 base, which predicts the noise
constexpr const char* kTextKey =
    "model.diffusion_model.input_blocks.1.1.transformer_blocks.0.attn2.to_k.weight";
constexpr const char* kXlTextKey =
    "model.diffusion_model.input_blocks.4.1.transformer_blocks.0.attn2.to_k.weight";
constexpr const char* kTextPrefix = "cond_stage_model."; ///< of SD 1.x and 2.x
constexpr const char* kEmaPrefix = "model_ema.";
constexpr const char* kGuidanceEmbedding = "model.diffusion_model.time_embed.cond_proj.weight";
constexpr const char* kVideoPrefix = "model.diffusion_model.input_blocks.1.0.time_stack.";
constexpr const char* kXlLabelPrefix = "model.diffusion_model.label_emb.";

/// What training leaves in a file and nobody needs to run it.
bool isLeftByTraining(const std::string& name) {
    constexpr std::array<std::string_view, 5> kParts{"position_ids", "logit_scale", "text_projection",
                                                     "attn_mask", "denoiser.sigmas"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

/// Layers of OpenCLIP behind those that the UNet was trained on; the picture half; training losses.
bool isUnused(const std::string& name, int64_t layerCount) {
    for (const TextPlace place : {TextPlace::OpenClip, TextPlace::OpenClipAlone}) {
        const std::string blocks = std::string(compVisTextPrefix(place)) + "transformer.resblocks.";
        if (!name.starts_with(blocks)) continue;
        const std::string number = name.substr(blocks.size(), name.find('.', blocks.size()) - blocks.size());
        return number.size() < 6 && !number.empty() &&
               std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
               std::stoll(number) >= layerCount;
    }
    return name.starts_with("cond_stage_model.model.visual.") ||
           name.starts_with("conditioner.embedders.0.model.visual.") ||
           name.starts_with("conditioner.embedders.1.model.visual.") ||
           name.find(".vision_model.") != std::string::npos || name.starts_with("first_stage_model.loss.") ||
           name.starts_with("first_stage_model.model_ema.");
}

bool inComponent(const std::string& name) {
    constexpr std::array kTexts{TextPlace::Transformers, TextPlace::OpenClip, TextPlace::OpenClipAlone,
                                TextPlace::FirstOfXl, TextPlace::SecondOfXl};
    return name.starts_with(kCompVisUnetPrefix) || name.starts_with(kCompVisVaePrefix) ||
           std::any_of(kTexts.begin(), kTexts.end(),
                       [&](TextPlace place) { return name.starts_with(compVisTextPrefix(place)); });
}

std::vector<CompVisTensor> textPlaces(const LayoutEntry& entry, TextPlace place) {
    constexpr std::string_view kPrefix = "text_model.";
    std::vector<CompVisTensor> places{compVisTextEncoder(entry, place)};
    const bool openClip = place != TextPlace::Transformers && place != TextPlace::FirstOfXl;
    if (!openClip && entry.name.starts_with(kPrefix)) // as transformers 5 names them
        places.push_back({compVisTextPrefix(place) + entry.name.substr(kPrefix.size()), entry.shape});
    if (openClip && entry.name == "text_projection.weight") // a linear layer's, not OpenCLIP's bare matrix
        places.push_back({compVisTextPrefix(place) + entry.name, entry.shape});
    return places;
}

class SingleFileOpener {
public:
    SingleFileOpener(std::shared_ptr<const TensorReader> reader, const OpenOptions& options)
        : m_reader(std::move(reader))
        , m_options(options) {
        m_model.path = m_reader->path();
        m_model.layout = ModelLayout::SingleFile;
        m_model.metadata = m_reader->metadata();
    }

    Result<ModelSource> open() {
        HOMEBOOTH_CHECK(m_pool.add(m_reader));
        HOMEBOOTH_CHECK(identify());
        HOMEBOOTH_CHECK(decidePrediction());
        HOMEBOOTH_CHECK(takeConfigs());
        HOMEBOOTH_CHECK(takeScheduler());
        takeTokenizer(kTokenizerKeyPrefix, m_model.text);
        if (m_model.secondText) takeTokenizer(kSecondTokenizerKeyPrefix, *m_model.secondText);
        HOMEBOOTH_CHECK(matchAll());
        noteLeftovers();
        return std::move(m_model);
    }

private:
    void note(DeviationKind kind, std::string_view first = {}, std::string_view second = {}) {
        m_model.deviations.push_back(deviationText(kind, first, second));
    }

    [[nodiscard]] bool has(const std::string& name) const { return m_pool.find(name) != nullptr; }

    [[nodiscard]] bool hasPrefix(const std::string& prefix) const {
        const auto& entries = m_pool.entries();
        const auto at = entries.lower_bound(prefix);
        return at != entries.end() && at->first.starts_with(prefix);
    }

    [[nodiscard]] std::string metadata(const std::string& key) const {
        const auto found = m_model.metadata.find(key);
        return found == m_model.metadata.end() ? "" : found->second;
    }

    [[nodiscard]] bool ownMetadata() const {
        return !metadata(kUnetConfigKey).empty() && !metadata(kVaeConfigKey).empty() &&
               !metadata(kTextEncoderConfigKey).empty();
    }

    /// @param found  also what to do
    [[nodiscard]] Error notAModel(const std::string& found) const {
        return otherModelError(found, m_model.path);
    }

    Result<void> identify() {
        const TensorPool::Entry* conv = m_pool.find(kFirstConv);
        if (conv == nullptr) return withoutUnet();
        if (hasPrefix(kVideoPrefix))
            return notAModel(
                "a model of videos (Stable Video Diffusion), which is not supported; choose another model");
        if (has(kGuidanceEmbedding)) return notAModel(kConsistencyWords);
        const bool joined = (hasPrefix(kCompVisConditionerPrefix) && !isSecondInXlsPlace()) ||
                            (hasPrefix(kXlLabelPrefix) && !hasPrefix(kTextPrefix));
        if (joined) HOMEBOOTH_CHECK(refuseOtherXl());
        HOMEBOOTH_CHECK(refuseParts(joined));
        return ownMetadata() ? Result<void>() : takeFamily(*conv->info, joined);
    }

    [[nodiscard]] Error withoutUnet() const {
        if (isLora()) return notAModel("a LoRA; choose its base model here and add the LoRA when generating");
        if (isTransformer())
            return notAModel("another kind of model (such as SD 3 or Flux), which is not supported; choose "
                             "another model");
        if (!m_pool.leftOut().empty()) return leftOutError(m_pool.leftOut(), m_model.path);
        if (const char* other = otherThing()) return notAModel(other);
        const bool damaged = hasPrefix(kCompVisUnetPrefix);
        if (!damaged && hasPrefix(kEmaPrefix))
            return notAModel(
                "the averaged weights (EMA) that a training keeps of its UNet, without the UNet; "
                "choose the file of the whole model");
        if (!damaged && (hasPrefix(kTextPrefix) || hasPrefix(kCompVisConditionerPrefix)))
            return notAModel("a model without its UNet; choose the file of the whole model");
        if (!damaged && (hasPrefix(kCompVisVaePrefix) || has("encoder.conv_in.weight")))
            return notAModel("a VAE alone; choose the file of the whole model");
        return notAModel("tensors of something else (" + std::to_string(m_pool.entries().size()) +
                         " of them, no " + kFirstConv + "); check that it is the right file");
    }

    /// What other files for pictures are, which go along with a model or come behind it; null: unknown.
    [[nodiscard]] const char* otherThing() const {
        if (hasPrefix("control_model.") || hasPrefix("controlnet_"))
            return "a ControlNet, which steers a model by a picture and is not supported; choose the model "
                   "itself";
        if (hasPrefix("ip_adapter.") || hasPrefix("image_proj."))
            return "an IP-Adapter, which shows a model a picture and is not supported; choose the model "
                   "itself";
        if (hasPrefix("model.1.sub.") || (has("conv_first.weight") && has("conv_last.weight")))
            return "an upscaler, which makes pictures larger and is not supported; choose the model itself";
        return nullptr;
    }

    [[nodiscard]] bool isLora() const {
        constexpr std::array kParts{"unet.", "text_encoder.", "text_encoder_2."};
        const auto& entries = m_pool.entries();
        return std::any_of(kParts.begin(), kParts.end(), [&](const char* part) { return hasPrefix(part); }) ||
               std::any_of(entries.begin(), entries.end(),
                           [](const auto& entry) { return entry.first.find("lora") != std::string::npos; });
    }

    /// Whether what removes the noise is no UNet: as whole models have it, or alone.
    [[nodiscard]] bool isTransformer() const {
        const std::string unet = kCompVisUnetPrefix;
        return (hasPrefix(unet) && !hasPrefix(unet + "input_blocks.")) || hasPrefix("joint_blocks.") ||
               hasPrefix("double_blocks.");
    }

    /// Names what is missing altogether, where a list of hundreds of tensors would say less.
    [[nodiscard]] Result<void> refuseParts(bool joined) const {
        if (!m_pool.leftOut().empty()) return {}; // perhaps that is why
        if (!joined && !hasPrefix(kTextPrefix) && !isSecondInXlsPlace())
            return notAModel("a UNet without its text encoder; choose a file of the whole model");
        if (!hasPrefix(kCompVisVaePrefix))
            return notAModel("a model without its autoencoder (VAE); choose a file that has it baked in");
        return {};
    }

    /// Whether it is an SD 2.x with its text encoder where SDXL has them: SDXL's refiner, whose one encoder
    /// has that name, takes pooled text.
    [[nodiscard]] bool isSecondInXlsPlace() const {
        return hasPrefix(compVisTextPrefix(TextPlace::OpenClipAlone)) && !hasPrefix(kXlLabelPrefix);
    }

    /// What has parts of SDXL and is computed in another way.
    [[nodiscard]] Result<void> refuseOtherXl() const {
        const bool first = hasPrefix(compVisTextPrefix(TextPlace::FirstOfXl));
        const bool alone = hasPrefix(compVisTextPrefix(TextPlace::OpenClipAlone));
        if (!first && alone) return notAModel(kRefinerWords);
        const bool both = first && hasPrefix(compVisTextPrefix(TextPlace::SecondOfXl));
        if (!both && !m_pool.leftOut().empty()) return leftOutError(m_pool.leftOut(), m_model.path);
        if (!both)
            return notAModel(
                "SDXL without one or both of its text encoders; choose a file of the whole model");
        if (has("edm_mean") || has("edm_vpred.sigma_max"))
            return notAModel("an SDXL of another scale of noise (EDM, as of Playground 2.5 and CosXL), which "
                             "is not supported; choose another model");
        return {};
    }

    /// The family, by the shapes that tell them apart.
    /// @param conv  the UNet's first one. @param joined  whether it takes pooled text
    Result<void> takeFamily(const TensorInfo& conv, bool joined) {
        const TensorPool::Entry* key = m_pool.find(joined ? kXlTextKey : kTextKey);
        if (key == nullptr && !m_pool.leftOut().empty()) return leftOutError(m_pool.leftOut(), m_model.path);
        if (key == nullptr) key = anyTextKey();
        const int64_t width = key != nullptr && key->info->shape.size() == 2 ? key->info->shape[1] : 0;
        UNetConfig probe;
        probe.blockOutChannels = {conv.shape.empty() ? 0 : conv.shape[0]};
        probe.crossAttentionDim = width;
        probe.textTimeEmbedding = joined;
        m_model.family = familyOf(probe);
        const UNetConfig published = joined ? originalConfigs(m_model.family, {}).unet : probe;
        if (m_model.family == ModelFamily::Other || published.crossAttentionDim != width ||
            published.blockOutChannels.front() != probe.blockOutChannels.front()) {
            std::string found = "a UNet of " + std::to_string(probe.blockOutChannels.front());
            found.append(" first channels");
            if (width > 0) found.append(" that takes text of width ").append(std::to_string(width));
            return notAModel(found.append("; such models can be opened only as a diffusers folder"));
        }
        m_inChannels = conv.shape.size() == 4 ? conv.shape[1] : 4;
        return {};
    }

    /// Of small UNets, whose first level reads no text.
    [[nodiscard]] const TensorPool::Entry* anyTextKey() const {
        const auto& entries = m_pool.entries();
        const auto found = std::find_if(entries.begin(), entries.end(), [](const auto& entry) {
            return entry.first.starts_with(kCompVisUnetPrefix) && entry.first.ends_with(".attn2.to_k.weight");
        });
        return found == entries.end() ? nullptr : &found->second;
    }

    /// What the file says, else what the .yaml beside it does, by which other programs know it.
    /// Errors: BadInput for a scheduler's configuration that cannot be read
    [[nodiscard]] Result<std::optional<PredictionType>> writtenPrediction() const {
        std::optional<PredictionType> written = predictionTypeOfMetadata(m_model.metadata);
        if (m_model.family == ModelFamily::StableDiffusionXl && has(kXlVKey))
            written = PredictionType::VPrediction;
        if (const std::string scheduler = metadata(kSchedulerConfigKey); !scheduler.empty()) {
            HOMEBOOTH_ASSIGN(const SchedulerConfig config, parseSchedulerConfig(scheduler, m_model.path));
            written = config.predictionType.value_or(PredictionType::Epsilon);
        }
        return written ? written : predictionBeside(m_model.path, m_model.family);
    }

    Result<void> decidePrediction() {
        HOMEBOOTH_ASSIGN(const std::optional<PredictionType> written, writtenPrediction());
        if (written)
            takePrediction(*written, m_options, m_model);
        else if (m_options.predictionType)
            m_model.predictionType = *m_options.predictionType;
        else
            assumePrediction();
        return {};
    }

    void assumePrediction() {
        const bool second = m_model.family == ModelFamily::StableDiffusion2;
        if (second && metadata("global_step") == kStepsOfSd2Base) return;
        m_model.predictionTypeSaid = false;
        if (!second) return;
        // The larger part of the SD 2 files in use descend from 2.1 at 768 px, which predicts v.
        m_model.predictionType = PredictionType::VPrediction;
        m_model.predictionTypeKnown = false;
        note(DeviationKind::PredictionUnknown);
    }

    template <class Config>
    Result<void> takeConfig(const char* key, Config& config, std::string& text) {
        text = metadata(key);
        auto parsed = Config::fromJson(text);
        if (!parsed)
            return badInput(std::string(key) + " in the metadata: " + parsed.error().message, m_model.path);
        config = std::move(parsed).value();
        return {};
    }

    Result<void> takeConfigs() {
        if (ownMetadata()) return takeOwnConfigs();
        const FamilyConfigs configs = originalConfigs(m_model.family, m_model.predictionType);
        m_model.unet = configs.unet;
        m_model.unet.inChannels = m_inChannels;
        m_model.vae = configs.vae;
        m_model.text.config = configs.textEncoder;
        m_model.unetJson = m_model.unet.toJson();
        m_model.vaeJson = m_model.vae.toJson();
        m_model.text.json = m_model.text.config.toJson();
        if (configs.secondTextEncoder) {
            TextPart& second = m_model.secondText.emplace();
            second.config = *configs.secondTextEncoder;
            second.json = second.config.toJson();
            m_model.zeroEmptyPrompt = true;
        }
        // Before the shapes, for a message about inpainting and not about one tensor.
        return checkSupported(m_model);
    }

    Result<void> takeOwnConfigs() {
        HOMEBOOTH_CHECK(takeConfig(kUnetConfigKey, m_model.unet, m_model.unetJson));
        HOMEBOOTH_CHECK(takeConfig(kVaeConfigKey, m_model.vae, m_model.vaeJson));
        HOMEBOOTH_CHECK(takeConfig(kTextEncoderConfigKey, m_model.text.config, m_model.text.json));
        m_model.family = familyOf(m_model.unet);
        if (m_model.unet.textTimeEmbedding) {
            TextPart& second = m_model.secondText.emplace();
            HOMEBOOTH_CHECK(takeConfig(kSecondTextEncoderConfigKey, second.config, second.json));
            m_model.zeroEmptyPrompt = metadata(kZeroEmptyPromptKey) != "false";
        }
        return checkPlausible(m_model);
    }

    Result<void> takeScheduler() {
        m_model.schedulerJson = metadata(kSchedulerConfigKey);
        if (m_model.schedulerJson.empty()) {
            SchedulerConfig original = originalScheduler(m_model.family, m_model.predictionType);
            if (m_model.family == ModelFamily::StableDiffusionXl && has(kXlZeroSignalKey) &&
                m_model.predictionType == PredictionType::VPrediction)
                setZeroTerminalSnr(original);
            m_model.schedulerJson = toJson(original);
            return {};
        }
        return putPrediction(m_model);
    }

    void takeTokenizer(const std::string& prefix, TextPart& part) {
        for (const auto& [key, value] : m_model.metadata) {
            const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : "";
            // These become files of a folder that is saved: plain names only.
            if (!name.empty() && !name.starts_with(".") && name.find('/') == std::string::npos &&
                isPlainName(name))
                part.tokenizerFiles[name] = value;
        }
    }

    Result<std::shared_ptr<const TensorSource>> match(const std::string& what, const ComponentLayout& layout,
                                                      const Candidates& candidates,
                                                      const std::vector<std::string>& prefixes) {
        const auto mayRemain = [&](const std::string& name) {
            const bool ours = std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
                return name.starts_with(prefix);
            });
            return !ours || isLeftByTraining(name) || isUnused(name, m_model.text.config.layerCount);
        };
        HOMEBOOTH_ASSIGN(MatchedComponent matched,
                         matchComponent(what, layout, m_pool, candidates, mayRemain, m_model.path));
        m_used.merge(matched.used);
        return matched.source;
    }

    Result<void> matchAll() {
        const auto unetPlaces = [&](const LayoutEntry& entry) {
            return std::vector<CompVisTensor>{compVisUnet(entry, m_model.unet)};
        };
        const auto vaePlaces = [&](const LayoutEntry& entry) {
            return std::vector<CompVisTensor>{compVisVae(entry, m_model.vae)};
        };
        HOMEBOOTH_ASSIGN(m_model.unetTensors,
                         match("UNet", unetLayout(m_model.unet), unetPlaces, {kCompVisUnetPrefix}));
        HOMEBOOTH_ASSIGN(m_model.vaeTensors,
                         match("VAE", vaeLayout(m_model.vae), vaePlaces, {kCompVisVaePrefix}));
        if (m_model.secondText) return matchBothTexts();
        HOMEBOOTH_ASSIGN(
            m_model.text.tensors,
            matchText("text encoder", textEncoderLayout(m_model.text.config), placeOfText(),
                      {compVisTextPrefix(TextPlace::Transformers), compVisTextPrefix(TextPlace::OpenClip),
                       compVisTextPrefix(TextPlace::OpenClipAlone)}));
        return {};
    }

    [[nodiscard]] TextPlace placeOfText() const {
        for (const TextPlace place : {TextPlace::OpenClip, TextPlace::OpenClipAlone})
            if (hasPrefix(compVisTextPrefix(place))) return place;
        return TextPlace::Transformers;
    }

    Result<void> matchBothTexts() {
        TextPart& second = *m_model.secondText;
        HOMEBOOTH_ASSIGN(m_model.text.tensors,
                         matchText("text encoder", textEncoderLayout(m_model.text.config),
                                   TextPlace::FirstOfXl, {compVisTextPrefix(TextPlace::FirstOfXl)}));
        HOMEBOOTH_ASSIGN(second.tensors,
                         matchText("second text encoder", projectingTextEncoderLayout(second.config),
                                   TextPlace::SecondOfXl, {compVisTextPrefix(TextPlace::SecondOfXl)}));
        return {};
    }

    Result<std::shared_ptr<const TensorSource>> matchText(const std::string& what,
                                                          const ComponentLayout& layout, TextPlace place,
                                                          const std::vector<std::string>& prefixes) {
        return match(
            what, layout, [place](const LayoutEntry& entry) { return textPlaces(entry, place); }, prefixes);
    }

    void noteLeftovers() {
        size_t ema = 0;
        size_t unused = 0;
        size_t foreign = 0;
        std::string example;
        for (const auto& [name, entry] : m_pool.entries()) {
            if (m_used.contains(name)) continue;
            if (name.starts_with(kEmaPrefix))
                ++ema;
            else if (inComponent(name))
                ++unused;
            else if (name.find('.') != std::string::npos && !isLeftByTraining(name)) {
                ++foreign;
                example = name;
            }
        }
        const auto count = [](size_t number) { return std::to_string(number) + " tensors"; };
        if (ema > 0) note(DeviationKind::EmaIgnored, count(ema));
        if (unused > 0) note(DeviationKind::UnusedIgnored, count(unused));
        if (foreign > 0) note(DeviationKind::UnknownIgnored, count(foreign), example);
    }

    std::shared_ptr<const TensorReader> m_reader;
    const OpenOptions& m_options;
    ModelSource m_model;
    TensorPool m_pool;
    std::set<std::string> m_used;
    int64_t m_inChannels = 4;
};

} // namespace

Result<ModelSource> openSingleFile(const std::string& path, const OpenOptions& options) {
    HOMEBOOTH_ASSIGN(auto reader, openTensorFile(path));
    return SingleFileOpener(std::move(reader), options).open();
}

} // namespace homebooth::core
