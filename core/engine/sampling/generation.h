// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a generation is asked for and what it gives back. Plain values; tensors are shared.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/util/picture.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace homebooth::core {

class GuidanceHalves;

/// How intermediate pictures are made.
enum class PreviewQuality {
    Projected, ///< a linear map from latents to colours, at latent size; nearly free
    Decoded,   ///< by the autoencoder, at full size; costs a decode each
};

/// One batch of pictures of one prompt.
struct GenerationRequest {
    std::string prompt;
    std::string negativePrompt;
    /// Whether brackets in them weigh words (prompt_weights.h). What is learned is read as it stands, and so
    /// is what shows how well.
    bool weighsWords = false;
    std::vector<uint64_t> seeds{0}; ///< one picture each; a picture depends on its own seed alone
    int64_t steps = 30;
    SamplerKind sampler = SamplerKind::DpmPlusPlus2M;
    bool karrasSigmas = false;
    StepSpacing stepSpacing = StepSpacing::Model;
    double guidanceScale = 7.5; ///< at most 1: the prompt alone, no negative prompt, half the work
    int64_t widthPixels = 0;    ///< 0: the model's own size, or that of initPixels
    int64_t heightPixels = 0;   ///< 0: likewise
    /// img2img when defined: [1, 3, H, W] fp32 in -1..1 (see pixels.h); scaled to the size asked for.
    at::Tensor initPixels;
    double strength = 0.75; ///< with initPixels: part of the noise that is added, (0, 1]
    int64_t previewEverySteps = 0;
    PreviewQuality previewQuality = PreviewQuality::Projected;
    bool vaeSlicing = true; ///< decode one picture at a time
    /// Encode and decode in tiles: less memory, slight differences. Where memory runs out it is done, too.
    bool vaeTiling = false;
    /// Another process makes the other half of each step; borrowed. Only with guidance.
    const GuidanceHalves* halves = nullptr;
    std::string additions; ///< to the model's own numbers, in words: they may be what is not finite
};

struct GenerationResult {
    bool cancelled = false;        ///< then there are no pictures
    std::vector<Picture> pictures; ///< one for each seed; none where another process leads this one
    at::Tensor latents;            ///< [B, C, h, w] fp32 on the CPU, at the UNet's scale
    int64_t widthPixels = 0;
    int64_t heightPixels = 0;
};

/// What a generation tells while it runs; each may be empty. Called on the generating thread.
struct GenerationListener {
    /// Steps done of all; the autoencoder counts as one more.
    std::function<void(int64_t done, int64_t total)> progress;
    /// After step `step` (1 for the first): one picture for each seed.
    std::function<void(int64_t step, const std::vector<Picture>& pictures)> preview;
    /// Something unusual in words, e.g. a prompt that was cut.
    std::function<void(const std::string& code, const std::string& message)> warning;
    /// Goes on, after each block of a network: on slow machines a step takes minutes.
    std::function<void()> alive;
};

} // namespace homebooth::core
