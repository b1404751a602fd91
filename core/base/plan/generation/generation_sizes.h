// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the networks of a picture model take while pictures are made, from schedules and settings alone.
// Private to core/base/plan. Plain values; any thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/model/model_source.h"
#include "core/base/plan/generation/streamed_network.h"
#include "core/base/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace homebooth::core {

/// The networks beside the autoencoder, as they are kept.
struct GenerationNetworks {
    Schedule unet;
    std::vector<Schedule> texts; ///< those with layers left out come beside the others

    /// Of a model that is sampled from: frozen, each built once, with whole weights.
    [[nodiscard]] static GenerationNetworks whole(const SampleConfig& config, const ModelSource& model);
    /// Of a model that learns meanwhile, whose text encoders stay whole unless they learn.
    /// @param learning  as learningSchedules has it: the denoiser and, where it learns, the text encoder
    [[nodiscard]] static GenerationNetworks ofTraining(const std::vector<Schedule>& learning,
                                                       const ModelSource& model);

    [[nodiscard]] GenerationNetworks quantized(Quantization quantization) const; ///< None: as they are
    [[nodiscard]] int64_t parameterBytes(int64_t elementBytes) const;
};

/// What computes, and what lies there.
struct SizesOn {
    bool gpu = false;
    bool padded = false; ///< padding of chunks takes memory, as on a GPU and what stands for one
};

/// The autoencoder. Pictures go through it one at a time.
struct AutoencoderSizes {
    PlannedNetwork encoder;
    PlannedNetwork decoder;
    int64_t parameterBytes = 0; ///< of both halves
    int64_t wholeBytes = 0;     ///< while it runs
    int64_t tiledBytes = 0;     ///< the same in tiles

    AutoencoderSizes(const SampleConfig& config, const ModelSource& model, SizesOn on);

private:
    AutoencoderSizes(const Schedule& encoderHalf, const Schedule& decoderHalf, const SampleConfig& config,
                     const ModelSource& model, SizesOn on);
    void addRunning(const Schedule& half, const SampleConfig& config, const ModelSource& model, bool gpu);
};

/// What a generation consists of.
struct GenerationSizes {
    PlannedNetwork unet;
    std::vector<PlannedNetwork> texts;
    AutoencoderSizes vae;
    int64_t denoisingBytes = 0;

    GenerationSizes(const GenerationNetworks& networks, const SampleConfig& config, const ModelSource& model,
                    SizesOn on);
};

} // namespace homebooth::core
