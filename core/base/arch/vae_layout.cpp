// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/arch/vae_layout.h"

#include "core/base/arch/block_builder.h"
#include "core/base/arch/common_blocks.h"

namespace homebooth::core {
namespace {

constexpr double kNormEpsilon = 1e-6;

/// Appends blocks one after another: an autoencoder half has no branches.
class VaeLayout {
public:
    VaeLayout(const VaeConfig& config, std::string prefix, int64_t downscale)
        : m_config(config)
        , m_prefix(std::move(prefix))
        , m_downscale(downscale) {}

    void addInput(const std::string& name, int64_t channels) {
        m_hidden = m_schedule.addInput({name, channels, m_downscale, 0});
    }

    void append(BlockSpec block, const std::string& name, int64_t channels) {
        m_hidden = m_schedule.add(std::move(block), {m_hidden}, {{name, channels, m_downscale, 0}}).front();
    }

    void addConvolution(const std::string& name, int64_t out, int64_t kernel) {
        append(convolutionBlock(name, channels(), out, kernel), name, out);
    }

    void addResnet(const std::string& name, int64_t out) {
        ResnetOptions options;
        options.in = channels();
        options.out = out;
        options.groups = m_config.normGroups;
        options.epsilon = kNormEpsilon;
        options.activation = m_config.activation;
        append(resnetBlock(m_prefix + name, options), m_prefix + name, out);
    }

    void addMid() {
        const int64_t width = m_config.blockOutChannels.back();
        addResnet("mid_block.resnets.0", width);
        if (m_config.midBlockAttention) addAttention("mid_block.attentions.0", width);
        addResnet("mid_block.resnets.1", width);
    }

    void addDownsample(const std::string& name) {
        m_downscale *= 2;
        append(downsampleBlock(m_prefix + name, channels(), /*padding=*/0), m_prefix + name, channels());
    }

    void addUpsample(const std::string& name) {
        m_downscale /= 2;
        append(upsampleBlock(m_prefix + name, channels(), /*sizeFromInput=*/false), m_prefix + name,
               channels());
    }

    void addHead(int64_t out) {
        const std::string prefix = m_prefix.substr(0, m_prefix.size() - 1);
        append(headBlock(prefix, channels(), out, 3, m_config.normGroups, kNormEpsilon, m_config.activation),
               m_prefix + "conv_out", out);
    }

    Schedule take() {
        m_schedule.addOutput(m_hidden);
        return std::move(m_schedule);
    }

private:
    [[nodiscard]] int64_t channels() const { return m_schedule.values()[m_hidden].channels; }

    void addAttention(const std::string& name, int64_t width) {
        BlockSpec block = BlockBuilder("vae_attention", m_prefix + name)
                              .attribute("groups", static_cast<double>(m_config.normGroups))
                              .attribute("epsilon", kNormEpsilon)
                              .norm("group_norm", width)
                              .linear("to_q", width, width)
                              .linear("to_k", width, width)
                              .linear("to_v", width, width)
                              .linear("to_out.0", width, width)
                              .take();
        append(std::move(block), m_prefix + name, width);
    }

    const VaeConfig& m_config;
    std::string m_prefix; // with the final dot
    int64_t m_downscale;
    Schedule m_schedule;
    ValueId m_hidden = -1;
};

} // namespace

Schedule vaeEncoderSchedule(const VaeConfig& config) {
    VaeLayout layout(config, "encoder.", 1);
    layout.addInput("pixels", config.inChannels);
    layout.addConvolution("encoder.conv_in", config.blockOutChannels.front(), 3);
    for (size_t stage = 0; stage < config.blockOutChannels.size(); ++stage) {
        const std::string prefix = "down_blocks." + std::to_string(stage) + ".";
        for (int64_t layer = 0; layer < config.layersPerBlock; ++layer)
            layout.addResnet(prefix + "resnets." + std::to_string(layer), config.blockOutChannels[stage]);
        if (stage + 1 < config.blockOutChannels.size()) layout.addDownsample(prefix + "downsamplers.0");
    }
    layout.addMid();
    layout.addHead(2 * config.latentChannels);
    if (config.useQuantConv) layout.addConvolution("quant_conv", 2 * config.latentChannels, 1);
    return layout.take();
}

Schedule vaeDecoderSchedule(const VaeConfig& config) {
    VaeLayout layout(config, "decoder.", config.downscale());
    layout.addInput("latents", config.latentChannels);
    if (config.usePostQuantConv) layout.addConvolution("post_quant_conv", config.latentChannels, 1);
    layout.addConvolution("decoder.conv_in", config.blockOutChannels.back(), 3);
    layout.addMid();
    for (size_t stage = 0; stage < config.blockOutChannels.size(); ++stage) {
        const std::string prefix = "up_blocks." + std::to_string(stage) + ".";
        const int64_t width = config.blockOutChannels[config.blockOutChannels.size() - 1 - stage];
        for (int64_t layer = 0; layer <= config.layersPerBlock; ++layer)
            layout.addResnet(prefix + "resnets." + std::to_string(layer), width);
        if (stage + 1 < config.blockOutChannels.size()) layout.addUpsample(prefix + "upsamplers.0");
    }
    layout.addHead(config.outChannels);
    return layout.take();
}

} // namespace homebooth::core
