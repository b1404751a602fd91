// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a generation was asked for. Plain values.
#pragma once

#include "core/base/config/train_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

enum class SamplerKind {
    Ddpm,
    Ddim,
    Pndm,
    Euler,
    EulerAncestral,
    DpmPlusPlus2M,
    DpmPlusPlus2MSde,
    UniPc,
    Lcm
};

/// How the steps of a sampler lie between noise and picture.
enum class StepSpacing {
    Model,   ///< as the model's scheduler says
    Trailing ///< counted from the noisiest timestep, as models for few steps have learned them
};

struct LoraReference {
    std::string file;
    double weight = 1.0;
};

struct SampleConfig {
    std::string model;
    std::vector<LoraReference> loras;
    std::vector<std::string> embeddings; ///< files of textual inversions, which the prompts name
    std::string prompt;
    std::string negativePrompt;
    int64_t steps = 30;
    SamplerKind sampler = SamplerKind::DpmPlusPlus2M;
    bool karrasSigmas = false;
    StepSpacing stepSpacing = StepSpacing::Model;
    double guidanceScale = 7.5;
    uint64_t seed = 0; ///< picture i uses seed + i
    int64_t count = 1;
    int64_t batchSize = 1;
    int64_t widthPixels = 0; ///< 0: the model's own size; divisible by 8
    int64_t heightPixels = 0;
    std::string predictionType; ///< empty: what the model says, else what is assumed
    /// Pictures begin with noise alone, whatever the model says: of one that predicts v.
    bool zeroTerminalSnr = false;
    int64_t clipSkip = 0;   ///< layers of the text encoders left out at the end, of SDXL beyond one
    std::string initImage;  ///< img2img when not empty
    double strength = 0.75; ///< img2img: part of the noise that is added, (0, 1]
    int64_t previewEverySteps = 0;
    bool vaeTiling = false;
    Precision precision = Precision::Fp32;
    Quantization quantization = Quantization::None;
    ComputeDevice device = ComputeDevice::Auto;
    int64_t deviceBytes = 0; ///< of the GPU; 0: what is free. On the CPU host memory then stands for one
    int64_t threads = 0;
    std::string outputDir;
};

} // namespace homebooth::core
