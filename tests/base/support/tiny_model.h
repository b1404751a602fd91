// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Models small enough to be made in a test: every structural feature of SD 1.x, 2.x or SDXL, a few thousand
// bytes.
#pragma once

#include "core/base/model/component_layout.h"
#include "core/base/model/model_writer.h"

#include <cstring>
#include <memory>
#include <random>

namespace homebooth::core::test {

/// Tensors in memory.
class MemorySource final : public TensorSource {
public:
    void add(const TensorInfo& info, std::vector<std::byte> bytes) {
        m_index[info.name] = m_infos.size();
        m_infos.push_back(info);
        m_bytes.push_back(std::move(bytes));
    }
    void addRandom(const TensorInfo& info, std::mt19937& random) {
        std::vector<std::byte> bytes(static_cast<size_t>(info.byteCount));
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0x3fU); // small finite numbers
        add(info, std::move(bytes));
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo* find(std::string_view name) const override {
        const auto found = m_index.find(name);
        return found == m_index.end() ? nullptr : &m_infos[found->second];
    }
    [[nodiscard]] Result<void> read(std::string_view name, std::span<std::byte> destination) const override {
        const auto found = m_index.find(name);
        if (found == m_index.end()) return badInput("no tensor " + std::string(name));
        std::memcpy(destination.data(), m_bytes[found->second].data(), destination.size());
        return {};
    }

private:
    std::vector<TensorInfo> m_infos;
    std::vector<std::vector<std::byte>> m_bytes;
    std::map<std::string, size_t, std::less<>> m_index;
};

inline std::shared_ptr<MemorySource> randomSource(const ComponentLayout& layout, DataType type,
                                                  unsigned seed) {
    auto source = std::make_shared<MemorySource>();
    std::mt19937 random(seed);
    for (const LayoutEntry& entry : layout)
        source->addRandom(makeTensorInfo(entry.name, type, entry.shape), random);
    return source;
}

/// A whole model. @param second laid out like SD 2.x (OpenCLIP, linear projections) instead of 1.x
inline ModelSource tinyModel(bool second, DataType type = DataType::F32) {
    ModelSource model;
    model.unet.sampleSize = 8;
    model.unet.downStages = {UNetStage::CrossAttention, UNetStage::CrossAttention, UNetStage::Plain};
    model.unet.upStages = {UNetStage::Plain, UNetStage::CrossAttention, UNetStage::CrossAttention};
    model.unet.blockOutChannels = {8, 12, 16};
    model.unet.layersPerBlock = {2, 2, 2};
    model.unet.attentionHeads = {2, 2, 2};
    model.unet.transformerLayers = {1, 1, 1};
    model.unet.upTransformerLayers = {1, 1, 1};
    model.unet.normGroups = 4;
    model.unet.crossAttentionDim = 12;
    model.unet.useLinearProjection = second;
    model.vae.blockOutChannels = {4, 8, 8};
    model.vae.layersPerBlock = 1;
    model.vae.normGroups = 4;
    model.vae.sampleSize = 32;
    model.text.config.hiddenSize = 12;
    model.text.config.intermediateSize = 20;
    model.text.config.layerCount = 2;
    model.text.config.headCount = 2;
    model.text.config.vocabularySize = 30;
    model.text.config.maxPositions = 7;
    model.text.config.activation = second ? "gelu" : "quick_gelu";
    model.unetJson = model.unet.toJson();
    model.vaeJson = model.vae.toJson();
    model.text.json = model.text.config.toJson();
    model.predictionType = second ? PredictionType::VPrediction : PredictionType::Epsilon;
    model.schedulerJson = toJson(stableDiffusionSchedulerConfig(model.predictionType));
    model.text.tokenizerFiles = {{"merges.txt", "#version: 0.2\na b</w>\n"}, {"vocab.json", "{\"a\": 0}\n"}};
    model.unetTensors = randomSource(unetLayout(model.unet), type, 1);
    model.vaeTensors = randomSource(vaeLayout(model.vae), type, 2);
    model.text.tensors = randomSource(textEncoderLayout(model.text.config), type, 3);
    return model;
}

/// A whole model with all that SDXL has more: pooled text, and a text encoder that gives it.
inline ModelSource tinyXlModel(DataType type = DataType::F32) {
    ModelSource model = tinyModel(false, type);
    model.family = ModelFamily::StableDiffusionXl;
    model.unet.downStages = {UNetStage::Plain, UNetStage::CrossAttention, UNetStage::CrossAttention};
    model.unet.upStages = {UNetStage::CrossAttention, UNetStage::CrossAttention, UNetStage::Plain};
    model.unet.transformerLayers = {1, 1, 2};
    model.unet.upTransformerLayers = {2, 1, 1};
    model.unet.crossAttentionDim = 12 + 8;
    model.unet.useLinearProjection = true;
    model.unet.textTimeEmbedding = true;
    model.unet.additionTimeEmbedDim = 4;
    model.unet.additionInputDim = 10 + UNetConfig::kTimeIds * 4;
    model.unetJson = model.unet.toJson();
    model.unetTensors = randomSource(unetLayout(model.unet), type, 1);
    TextPart& second = model.secondText.emplace(model.text);
    second.config.hiddenSize = 8;
    second.config.intermediateSize = 14;
    second.config.projectionDim = 10; // another than the width: a transposed matrix shows
    second.config.layerCount = 3;
    second.config.activation = "gelu";
    second.config.withProjection = true;
    second.json = second.config.toJson();
    second.tokenizerFiles["merges.txt"] = "#version: 0.2\na c</w>\n";
    second.tensors = randomSource(projectingTextEncoderLayout(second.config), type, 4);
    model.zeroEmptyPrompt = true;
    model.schedulerJson = toJson(originalScheduler(model.family, model.predictionType));
    return model;
}

/// A model of full-size shapes without weights that could be read: for names and headers only.
inline ModelSource fullSizeModel(ModelFamily family, PredictionType prediction) {
    ModelSource model;
    const FamilyConfigs configs = originalConfigs(family, prediction);
    model.family = family;
    model.unet = configs.unet;
    model.vae = configs.vae;
    model.text.config = configs.textEncoder;
    if (configs.secondTextEncoder) model.secondText.emplace().config = *configs.secondTextEncoder;
    return model;
}

} // namespace homebooth::core::test
