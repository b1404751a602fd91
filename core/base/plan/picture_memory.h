// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the latents of pictures and the texts that frozen encoders have made of captions take in RAM all
// through a training: known from their sizes and numbers before any of them is encoded. Free functions; any
// thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/run/event.h"
#include "core/base/util/picture_size.h"

#include <cstdint>
#include <map>

namespace homebooth::core {

/// Beyond this, latents of a group of pictures stay on disk and are read for each batch.
inline constexpr int64_t kMostHeldLatentBytes = int64_t{1} << 30;
/// Likewise of all encoded texts.
inline constexpr int64_t kMostHeldTextBytes = int64_t{512} << 20;

/// The decision of a plan about pictures, and what they take in its facts.
inline constexpr const char* kPicturesInRam = "pictures-in-ram";

/// What is learned from.
struct PictureCounts {
    std::map<PictureSize, int64_t> trained; ///< by the sizes that they are learned at
    std::map<PictureSize, int64_t> heldOut; ///< likewise
    int64_t classPictures = 0;              ///< each of which comes in every size of those
    int64_t texts = 0;                      ///< different ones that steps may ask for
};

/// @param mostLatentBytes  of each group: what is trained on, class pictures, both again in the size of the
///                         first steps where that is another one, and what is held out
/// @returns  0 for a language model, whose texts are tokens
[[nodiscard]] int64_t heldPictureBytes(const PictureCounts& counts, const TrainConfig& config,
                                       const ModelSource& model,
                                       int64_t mostLatentBytes = kMostHeldLatentBytes);

[[nodiscard]] PlanDecision aboutPictures(int64_t bytes);

} // namespace homebooth::core
