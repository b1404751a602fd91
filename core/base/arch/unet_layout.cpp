// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/unet_layout.h"

#include "core/base/arch/block_builder.h"
#include "core/base/arch/common_blocks.h"
#include "core/base/arch/transformer_blocks.h"

#include <cassert>

namespace homebooth::core {
namespace {

constexpr int64_t kContextTokens = 77; // what a CLIP text encoder gives; only used to predict sizes

/// Walks through the network once and appends every block.
class UNetLayout {
public:
    explicit UNetLayout(const UNetConfig& config)
        : m_config(config) {}

    Schedule build() {
        addInputs();
        addTimeEmbedding();
        m_hidden = appendConvolution("conv_in", m_sample, m_config.inChannels,
                                     m_config.blockOutChannels.front(), m_config.convInKernel);
        m_schedule.blocks().back().attributes["centerInput"] = m_config.centerInputSample;
        m_skips.push_back(m_hidden);
        for (size_t stage = 0; stage < m_config.downStages.size(); ++stage) addDownStage(stage);
        addMid();
        for (size_t stage = 0; stage < m_config.upStages.size(); ++stage) addUpStage(stage);
        assert(m_skips.empty());
        addHead();
        return std::move(m_schedule);
    }

private:
    void addInputs() {
        m_sample = m_schedule.addInput({"sample", m_config.inChannels, 1, 0});
        m_timestep = m_schedule.addInput({"timestep", 1, 0, 0});
        m_context = m_schedule.addInput({"context", m_config.crossAttentionDim, 0, kContextTokens});
    }

    void addTimeEmbedding() {
        const int64_t channels = m_config.blockOutChannels.front();
        const int64_t width = m_config.timeEmbeddingChannels();
        BlockSpec block = BlockBuilder("time_embedding", "time_embedding")
                              .attribute("channels", static_cast<double>(channels))
                              .attribute("flipSinToCos", m_config.flipSinToCos)
                              .attribute("freqShift", m_config.freqShift)
                              .label("activation", m_config.activation)
                              .linear("linear_1", channels, width)
                              .linear("linear_2", width, width)
                              .take();
        m_time = m_schedule.add(std::move(block), {m_timestep}, {{"time_embedding", width, 0, 0}}).front();
        if (m_config.textTimeEmbedding) addTextTimeEmbedding(width);
    }

    void addTextTimeEmbedding(int64_t width) {
        const ValueId text = m_schedule.addInput({"pooled_text", m_config.pooledTextChannels(), 0, 0});
        const ValueId ids = m_schedule.addInput({"time_ids", UNetConfig::kTimeIds, 0, 0});
        BlockSpec block =
            BlockBuilder("text_time_embedding", "add_embedding")
                .attribute("channels", static_cast<double>(m_config.additionTimeEmbedDim))
                .attribute("flipSinToCos", m_config.flipSinToCos)
                .attribute("freqShift", m_config.freqShift)
                .label("activation", "silu") // diffusers does not pass its own activation on here
                .linear("linear_1", m_config.additionInputDim, width)
                .linear("linear_2", width, width)
                .take();
        m_time =
            m_schedule.add(std::move(block), {m_time, text, ids}, {{"add_embedding", width, 0, 0}}).front();
    }

    ValueId appendConvolution(const std::string& name, ValueId input, int64_t in, int64_t out,
                              int64_t kernel) {
        return m_schedule.add(convolutionBlock(name, in, out, kernel), {input}, {{name, out, m_downscale, 0}})
            .front();
    }

    [[nodiscard]] int64_t channelsOf(ValueId value) const { return m_schedule.values()[value].channels; }

    /// Appends a resnet; joins the newest skip where `joinsSkip` says so.
    void addResnet(const std::string& name, int64_t out, bool joinsSkip, double outputScale) {
        ResnetOptions options;
        options.in = channelsOf(m_hidden) + (joinsSkip ? channelsOf(m_skips.back()) : 0);
        options.out = out;
        options.timeChannels = m_config.timeEmbeddingChannels();
        options.groups = m_config.normGroups;
        options.epsilon = m_config.normEpsilon;
        options.outputScale = outputScale;
        options.joinsSkip = joinsSkip;
        options.scaleShift = m_config.timeScaleShift == TimeScaleShift::ScaleShift;
        options.activation = m_config.activation;
        std::vector<ValueId> inputs{m_hidden};
        if (joinsSkip) {
            inputs.push_back(m_skips.back());
            m_skips.pop_back();
        }
        inputs.push_back(m_time);
        m_hidden =
            m_schedule.add(resnetBlock(name, options), std::move(inputs), {{name, out, m_downscale, 0}})
                .front();
    }

    void addTransformer(const std::string& name, int64_t heads, int64_t layers) {
        TransformerOptions options;
        options.channels = channelsOf(m_hidden);
        options.contextChannels = m_config.crossAttentionDim;
        options.heads = heads;
        options.layers = layers;
        options.groups = m_config.normGroups;
        options.downscale = m_downscale;
        options.linearProjection = m_config.useLinearProjection;
        options.upcastAttention = m_config.upcastAttention;
        m_hidden = appendTransformer(m_schedule, name, options, m_hidden, m_context);
    }

    void addDownStage(size_t stage) {
        const std::string prefix = "down_blocks." + std::to_string(stage) + ".";
        const int64_t channels = m_config.blockOutChannels[stage];
        for (int64_t layer = 0; layer < m_config.layersPerBlock[stage]; ++layer) {
            const std::string number = std::to_string(layer);
            addResnet(prefix + "resnets." + number, channels, /*joinsSkip=*/false, 1.0);
            if (m_config.downStages[stage] == UNetStage::CrossAttention)
                addTransformer(prefix + "attentions." + number, m_config.attentionHeads[stage],
                               m_config.transformerLayers[stage]);
            m_skips.push_back(m_hidden);
        }
        if (stage + 1 == m_config.downStages.size()) return;
        m_downscale *= 2;
        const std::string name = prefix + "downsamplers.0";
        m_hidden = m_schedule
                       .add(downsampleBlock(name, channels, m_config.downsamplePadding), {m_hidden},
                            {{name, channels, m_downscale, 0}})
                       .front();
        m_skips.push_back(m_hidden);
    }

    void addMid() {
        if (m_config.mid == UNetMid::None) return;
        const int64_t channels = m_config.blockOutChannels.back();
        addResnet("mid_block.resnets.0", channels, /*joinsSkip=*/false, m_config.midBlockScaleFactor);
        if (m_config.mid == UNetMid::Plain) return;
        addTransformer("mid_block.attentions.0", m_config.attentionHeads.back(),
                       m_config.transformerLayers.back());
        addResnet("mid_block.resnets.1", channels, /*joinsSkip=*/false, m_config.midBlockScaleFactor);
    }

    void addUpStage(size_t stage) {
        const size_t mirrored = m_config.blockOutChannels.size() - 1 - stage;
        const std::string prefix = "up_blocks." + std::to_string(stage) + ".";
        const int64_t channels = m_config.blockOutChannels[mirrored];
        for (int64_t layer = 0; layer <= m_config.layersPerBlock[mirrored]; ++layer) {
            const std::string number = std::to_string(layer);
            addResnet(prefix + "resnets." + number, channels, /*joinsSkip=*/true, 1.0);
            if (m_config.upStages[stage] == UNetStage::CrossAttention)
                addTransformer(prefix + "attentions." + number, m_config.attentionHeads[mirrored],
                               m_config.upTransformerLayers[stage]);
        }
        if (mirrored == 0) return;
        m_downscale /= 2;
        const std::string name = prefix + "upsamplers.0";
        // The next skip says the size: where a size was odd, doubling would miss it.
        m_hidden = m_schedule
                       .add(upsampleBlock(name, channels, /*sizeFromInput=*/true), {m_hidden, m_skips.back()},
                            {{name, channels, m_downscale, 0}})
                       .front();
    }

    void addHead() {
        BlockSpec head =
            headBlock("", m_config.blockOutChannels.front(), m_config.outChannels, m_config.convOutKernel,
                      m_config.normGroups, m_config.normEpsilon, m_config.activation);
        m_schedule.addOutput(
            m_schedule.add(std::move(head), {m_hidden}, {{"prediction", m_config.outChannels, 1, 0}})
                .front());
    }

    const UNetConfig& m_config;
    Schedule m_schedule;
    ValueId m_sample = -1;
    ValueId m_timestep = -1;
    ValueId m_context = -1;
    ValueId m_time = -1;
    ValueId m_hidden = -1;
    int64_t m_downscale = 1;
    std::vector<ValueId> m_skips;
};

} // namespace

Schedule unetSchedule(const UNetConfig& config) {
    return UNetLayout(config).build();
}

} // namespace homebooth::core
