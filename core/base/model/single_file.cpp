// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens one file in CompVis layout, .safetensors or .ckpt. Configurations come from the metadata where
// Homebooth wrote the file, else from the original release whose shapes the file has.
#include "core/base/model/deviation.h"
#include "core/base/model/model_open.h"
#include "core/base/pickle/open_tensor_file.h"

#include <algorithm>
#include <array>

namespace homebooth::core {

namespace {

constexpr const char* kFirstConv = "model.diffusion_model.input_blocks.0.0.weight";
constexpr const char* kStepsOfSd2Base = "875000"; ///< of SD 2.1 base, which predicts the noise
constexpr const char* kTextKey =
    "model.diffusion_model.input_blocks.1.1.transformer_blocks.0.attn2.to_k.weight";

/// What training leaves in a file and nobody needs to run it.
bool isBuffer(const std::string& name) {
    constexpr std::array<std::string_view, 4> kParts{"position_ids", "logit_scale", "text_projection",
                                                     "attn_mask"};
    return std::any_of(kParts.begin(), kParts.end(),
                       [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

bool isEma(const std::string& name) {
    return name.starts_with("model_ema.");
}

/// Layers of OpenCLIP behind those that the UNet was trained on; the picture half; training losses.
bool isUnused(const std::string& name, int64_t layerCount) {
    constexpr std::string_view kBlocks = "cond_stage_model.model.transformer.resblocks.";
    if (name.starts_with(kBlocks)) {
        const std::string number =
            name.substr(kBlocks.size(), name.find('.', kBlocks.size()) - kBlocks.size());
        return number.size() < 6 && !number.empty() &&
               std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
               std::stoll(number) >= layerCount;
    }
    return name.starts_with("cond_stage_model.model.visual.") ||
           name.find(".vision_model.") != std::string::npos || name.starts_with("first_stage_model.loss.") ||
           name.starts_with("first_stage_model.model_ema.");
}

bool inComponent(const std::string& name) {
    return name.starts_with(kCompVisUnetPrefix) || name.starts_with(kCompVisVaePrefix) ||
           name.starts_with(kCompVisTransformersPrefix) || name.starts_with(kCompVisOpenClipPrefix);
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
        decidePrediction();
        HOMEBOOTH_CHECK(takeConfigs());
        HOMEBOOTH_CHECK(takeScheduler());
        takeTokenizer();
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

    [[nodiscard]] Error notAModel(const std::string& found) const {
        return badInput("expected a whole Stable Diffusion 1.x or 2.x model, found " + found, m_model.path);
    }

    /// The family, by the shapes that tell them apart.
    Result<void> identify() {
        if (hasPrefix("conditioner.embedders."))
            return notAModel("SDXL, which is not supported; choose another model");
        if (hasPrefix("lora_unet_") || hasPrefix("lora_te_") || hasPrefix("unet.") ||
            hasPrefix("text_encoder."))
            return notAModel("a LoRA; choose its base model here and add the LoRA when generating");
        const TensorPool::Entry* conv = m_pool.find(kFirstConv);
        if (conv == nullptr && !m_pool.leftOut().empty()) return leftOutError(m_pool.leftOut(), m_model.path);
        if (conv == nullptr && (hasPrefix(kCompVisVaePrefix) || has("encoder.conv_in.weight")))
            return notAModel("a VAE alone; choose the file of the whole model");
        if (conv == nullptr)
            return notAModel("tensors of something else (" + std::to_string(m_pool.entries().size()) +
                             " of them, no " + kFirstConv + "); check that it is the right file");
        if (ownMetadata()) return {};
        const TensorPool::Entry* key = m_pool.find(kTextKey);
        const int64_t width = key != nullptr && key->info->shape.size() == 2 ? key->info->shape[1] : 0;
        UNetConfig probe;
        probe.blockOutChannels = {conv->info->shape.empty() ? 0 : conv->info->shape[0]};
        probe.crossAttentionDim = width;
        m_model.family = familyOf(probe);
        if (m_model.family == ModelFamily::Other) {
            return notAModel("a UNet of " + std::to_string(probe.blockOutChannels.front()) +
                             " first channels that takes text of width " + std::to_string(width) +
                             "; such models can be opened only as a diffusers folder");
        }
        m_inChannels = conv->info->shape.size() == 4 ? conv->info->shape[1] : 4;
        return {};
    }

    void decidePrediction() {
        const auto written = predictionTypeOfMetadata(m_model.metadata);
        if (written) {
            m_model.predictionType = *written;
            return;
        }
        if (m_options.predictionType) {
            m_model.predictionType = *m_options.predictionType;
            return;
        }
        if (m_model.family != ModelFamily::StableDiffusion2) return;
        if (metadata("global_step") == kStepsOfSd2Base) return;
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
        if (ownMetadata()) {
            HOMEBOOTH_CHECK(takeConfig(kUnetConfigKey, m_model.unet, m_model.unetJson));
            HOMEBOOTH_CHECK(takeConfig(kVaeConfigKey, m_model.vae, m_model.vaeJson));
            HOMEBOOTH_CHECK(takeConfig(kTextEncoderConfigKey, m_model.textEncoder, m_model.textEncoderJson));
            m_model.family = familyOf(m_model.unet);
            return checkPlausible(m_model);
        }
        FamilyConfigs configs = originalConfigs(m_model.family, m_model.predictionType);
        configs.unet.inChannels = m_inChannels;
        m_model.unet = configs.unet;
        m_model.vae = configs.vae;
        m_model.textEncoder = configs.textEncoder;
        m_model.unetJson = m_model.unet.toJson();
        m_model.vaeJson = m_model.vae.toJson();
        m_model.textEncoderJson = m_model.textEncoder.toJson();
        // Before the shapes, for a message about inpainting and not about one tensor.
        return checkSupported(m_model, m_options);
    }

    Result<void> takeScheduler() {
        m_model.schedulerJson = metadata(kSchedulerConfigKey);
        if (m_model.schedulerJson.empty()) {
            m_model.schedulerJson = toJson(stableDiffusionSchedulerConfig(m_model.predictionType));
            return {};
        }
        HOMEBOOTH_ASSIGN(const SchedulerConfig config,
                         parseSchedulerConfig(m_model.schedulerJson, m_model.path));
        m_model.predictionType = config.predictionType.value_or(PredictionType::Epsilon);
        return {};
    }

    void takeTokenizer() {
        const std::string prefix = kTokenizerKeyPrefix;
        for (const auto& [key, value] : m_model.metadata) {
            const std::string name = key.starts_with(prefix) ? key.substr(prefix.size()) : "";
            // These become files of a folder that is saved: plain names only.
            if (!name.empty() && !name.starts_with(".") && name.find('/') == std::string::npos)
                m_model.tokenizerFiles[name] = value;
        }
    }

    Result<std::shared_ptr<const TensorSource>> match(const std::string& what, const ComponentLayout& layout,
                                                      const Candidates& candidates,
                                                      const std::vector<std::string>& prefixes) {
        const auto mayRemain = [&](const std::string& name) {
            const bool ours = std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
                return name.starts_with(prefix);
            });
            return !ours || isBuffer(name) || isUnused(name, m_model.textEncoder.layerCount);
        };
        HOMEBOOTH_ASSIGN(MatchedComponent matched,
                         matchComponent(what, layout, m_pool, candidates, mayRemain, m_model.path));
        m_used.merge(matched.used);
        return matched.source;
    }

    Result<void> matchAll() {
        const bool openClip = hasPrefix(kCompVisOpenClipPrefix);
        const auto unetPlaces = [&](const LayoutEntry& entry) {
            return std::vector<CompVisTensor>{compVisUnet(entry, m_model.unet)};
        };
        const auto vaePlaces = [&](const LayoutEntry& entry) {
            return std::vector<CompVisTensor>{compVisVae(entry, m_model.vae)};
        };
        const auto textPlaces = [&](const LayoutEntry& entry) {
            std::vector<CompVisTensor> places{compVisTextEncoder(entry, openClip)};
            constexpr std::string_view kPrefix = "text_model.";
            if (!openClip && entry.name.starts_with(kPrefix))
                places.push_back(
                    {kCompVisTransformersPrefix + entry.name.substr(kPrefix.size()), entry.shape});
            return places;
        };
        HOMEBOOTH_ASSIGN(m_model.unetTensors,
                         match("UNet", unetLayout(m_model.unet), unetPlaces, {kCompVisUnetPrefix}));
        HOMEBOOTH_ASSIGN(m_model.vaeTensors,
                         match("VAE", vaeLayout(m_model.vae), vaePlaces, {kCompVisVaePrefix}));
        HOMEBOOTH_ASSIGN(m_model.textEncoderTensors,
                         match("text encoder", textEncoderLayout(m_model.textEncoder), textPlaces,
                               {kCompVisTransformersPrefix, kCompVisOpenClipPrefix}));
        return {};
    }

    void noteLeftovers() {
        size_t ema = 0;
        size_t unused = 0;
        size_t foreign = 0;
        std::string example;
        for (const auto& [name, entry] : m_pool.entries()) {
            if (m_used.contains(name)) continue;
            if (isEma(name))
                ++ema;
            else if (inComponent(name))
                ++unused;
            else if (name.find('.') != std::string::npos && !isBuffer(name)) {
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
