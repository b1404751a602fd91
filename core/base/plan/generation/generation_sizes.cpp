// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/generation_sizes.h"

#include "core/base/arch/unet_layout.h"
#include "core/base/arch/vae_layout.h"
#include "core/base/config/start_size.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/generation/forward_sizes.h"
#include "core/base/plan/generation/sample_plan.h"
#include "core/base/plan/training/train_sizes.h"
#include "core/base/schedule/quantized_weights.h"

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

PictureSize sizeOf(const SampleConfig& config, const ModelSource& model) {
    const int64_t own = ownSidePixels(model.unet, model.vae);
    return {config.widthPixels > 0 ? config.widthPixels : own,
            config.heightPixels > 0 ? config.heightPixels : own};
}

/// Of an element of the autoencoder.
int64_t vaeElementBytes(const SampleConfig& config, const ModelSource& model) {
    const bool upcast = config.precision == Precision::Fp16 && model.vae.forceUpcast;
    return upcast ? kFloatBytes : bytesOf(config.precision);
}

/// Latents of a picture in fp32 beside the network: what is denoised, what goes in and comes out, twice with
/// guidance, and what samplers remember of steps.
constexpr int64_t kLatentCopies = 16;

/// Half of an autoencoder while it runs.
int64_t computingBytes(const Schedule& network, const InputShape& shape, int64_t elementBytes, bool gpu) {
    return runningBytes(network, shape, elementBytes) +
           (gpu ? 0 : peakPatchBytes(network, shape, elementBytes));
}

} // namespace

GenerationNetworks GenerationNetworks::whole(const SampleConfig& config, const ModelSource& model) {
    const auto frozen = [](Schedule schedule) {
        return frozenSchedule(std::move(schedule), Quantization::None);
    };
    GenerationNetworks networks{frozen(unetSchedule(model.unet)), {}};
    const int64_t skip = std::min(config.clipSkip, mostClipSkip(model));
    for (size_t part = 0; part < model.textParts().size(); ++part) {
        networks.texts.push_back(frozen(textSchedule(model, part)));
        if (skip > 0) networks.texts.push_back(frozen(textSchedule(model, part, skip)));
    }
    return networks;
}

GenerationNetworks GenerationNetworks::ofTraining(const std::vector<Schedule>& learning,
                                                  const ModelSource& model) {
    GenerationNetworks networks{learning.front(), {}};
    for (size_t part = 0; part < model.textParts().size(); ++part) {
        const bool learns = part + 1 < learning.size();
        networks.texts.push_back(learns ? learning[part + 1] : textSchedule(model, part));
    }
    return networks;
}

GenerationNetworks GenerationNetworks::quantized(Quantization quantization) const {
    GenerationNetworks made = *this;
    if (quantization == Quantization::None) return made;
    quantizeWeights(made.unet, quantization);
    for (Schedule& text : made.texts) quantizeWeights(text, quantization);
    return made;
}

int64_t GenerationNetworks::parameterBytes(int64_t elementBytes) const {
    int64_t bytes = core::parameterBytes(unet, elementBytes);
    for (const Schedule& text : texts) bytes += core::parameterBytes(text, elementBytes);
    return bytes;
}

AutoencoderSizes::AutoencoderSizes(const SampleConfig& config, const ModelSource& model, SizesOn on)
    : AutoencoderSizes(vaeEncoderSchedule(model.vae), vaeDecoderSchedule(model.vae), config, model, on) {}

AutoencoderSizes::AutoencoderSizes(const Schedule& encoderHalf, const Schedule& decoderHalf,
                                   const SampleConfig& config, const ModelSource& model, SizesOn on)
    : encoder(encoderHalf, vaeElementBytes(config, model), on.padded)
    , decoder(decoderHalf, vaeElementBytes(config, model), on.padded)
    , parameterBytes(sumOf(encoder.paddedBytes) + sumOf(decoder.paddedBytes)) {
    if (!config.initImage.empty()) addRunning(encoderHalf, config, model, on.gpu);
    addRunning(decoderHalf, config, model, on.gpu);
    tiledBytes = std::min(tiledBytes, wholeBytes);
}

void AutoencoderSizes::addRunning(const Schedule& half, const SampleConfig& config, const ModelSource& model,
                                  bool gpu) {
    const int64_t elementBytes = vaeElementBytes(config, model);
    const PictureSize size = sizeOf(config, model);
    const int64_t tile = tileSidePixels(model.vae);
    const int64_t pixels = 3 * size.widthPixels * size.heightPixels * elementBytes;
    wholeBytes = std::max(
        wholeBytes, computingBytes(half, {1, size.heightPixels, size.widthPixels, 0}, elementBytes, gpu));
    const InputShape one{1, std::min(size.heightPixels, tile), std::min(size.widthPixels, tile), 0};
    // Beside a tile: the picture, what is joined to it, and the tiles of two rows, which overlap.
    tiledBytes = std::max(tiledBytes, computingBytes(half, one, elementBytes, gpu) + 3 * pixels);
}

GenerationSizes::GenerationSizes(const GenerationNetworks& networks, const SampleConfig& config,
                                 const ModelSource& model, SizesOn on)
    : unet(networks.unet, bytesOf(config.precision), on.padded)
    , vae(config, model, on) {
    const int64_t elementBytes = bytesOf(config.precision);
    for (const Schedule& text : networks.texts) texts.emplace_back(text, elementBytes, on.padded);
    const PictureSize size = sizeOf(config, model);
    const int64_t copies = config.guidanceScale > 1.0 ? 2 : 1; // with and without the prompt
    const InputShape latents{config.batchSize * copies, size.heightPixels / model.vae.downscale(),
                             size.widthPixels / model.vae.downscale(), model.text.config.maxPositions};
    const int64_t latentBytes =
        config.batchSize * model.unet.inChannels * latents.height * latents.width * kFloatBytes;
    denoisingBytes =
        peakForwardBytes(networks.unet, latents, forwardWays(config.precision, on.gpu, config.threads)) +
        quantizedWorkBytes(networks.unet, elementBytes) + kLatentCopies * latentBytes;
}

} // namespace homebooth::core
