// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/models/vae_model.h"

#include "core/base/arch/vae_layout.h"
#include "core/engine/models/tiling.h"

namespace homebooth::core {
namespace {

constexpr double kLeastLogVariance = -30.0;
constexpr double kMostLogVariance = 20.0;

/// Runs a pass over a batch as `memory` asks.
at::Tensor runPass(Component& half, const at::Tensor& input, const VaeMemory& memory,
                   const TileSizes& tiles) {
    const at::Tensor prepared = half.prepared(input);
    const TilePass pass = [&](const at::Tensor& tile) { return half.executor().run({tile}).front(); };
    const auto one = [&](const at::Tensor& x) { return memory.tiling ? runTiled(pass, x, tiles) : pass(x); };
    if (!memory.slicing || prepared.size(0) == 1) return one(prepared);
    std::vector<at::Tensor> results;
    for (const at::Tensor& slice : prepared.split(1)) results.push_back(one(slice));
    return at::cat(results);
}

} // namespace

at::Tensor VaePosterior::sample(const at::Tensor& noise) const {
    return mean + (0.5 * logVariance).exp() * noise;
}

VaeModel::VaeModel(const VaeConfig& config, const ParameterStore::Options& options, Part part)
    : m_config(config) {
    if (part != Part::Decoder) setEncoder(std::make_unique<Component>(vaeEncoderSchedule(config), options));
    if (part != Part::Encoder) m_decoder = std::make_unique<Component>(vaeDecoderSchedule(config), options);
}

VaeModel::VaeModel(const VaeConfig& config, Schedule encoder, Schedule decoder,
                   const ParameterStore::Options& options)
    : m_config(config)
    , m_decoder(std::make_unique<Component>(std::move(decoder), options)) {
    setEncoder(std::make_unique<Component>(std::move(encoder), options));
}

/// What it says is kept and trained on for long, so it is worth the time.
void VaeModel::setEncoder(std::unique_ptr<Component> encoder) {
    m_encoder = std::move(encoder);
    m_encoder->executor().setExact(true);
}

std::vector<const ParameterStore*> VaeModel::stores() const {
    std::vector<const ParameterStore*> stores;
    if (m_encoder) stores.push_back(&m_encoder->store());
    if (m_decoder) stores.push_back(&m_decoder->store());
    return stores;
}

VaePosterior VaeModel::encode(const at::Tensor& pixels, const VaeMemory& memory) {
    TORCH_CHECK(m_encoder, "this autoencoder was made without its encoder");
    const int64_t tile = memory.tilePixels > 0 ? memory.tilePixels : m_config.sampleSize;
    const at::Tensor moments =
        runPass(*m_encoder, pixels, memory, TileSizes{tile, tile / m_config.downscale()});
    const std::vector<at::Tensor> parts = moments.chunk(2, 1);
    return {parts[0], parts[1].clamp(kLeastLogVariance, kMostLogVariance)};
}

at::Tensor VaeModel::decode(const at::Tensor& latents, const VaeMemory& memory) {
    TORCH_CHECK(m_decoder, "this autoencoder was made without its decoder");
    const int64_t tile = memory.tilePixels > 0 ? memory.tilePixels : m_config.sampleSize;
    return runPass(*m_decoder, latents, memory, TileSizes{tile / m_config.downscale(), tile});
}

at::Tensor VaeModel::scaled(const at::Tensor& latents) const {
    return (latents - m_config.shiftFactor.value_or(0.0)) * m_config.scalingFactor;
}

at::Tensor VaeModel::unscaled(const at::Tensor& latents) const {
    return latents / m_config.scalingFactor + m_config.shiftFactor.value_or(0.0);
}

at::ScalarType safeVaeType(const VaeConfig& config, at::ScalarType wanted) {
    return wanted == at::kHalf && config.forceUpcast ? at::kFloat : wanted;
}

} // namespace homebooth::core
