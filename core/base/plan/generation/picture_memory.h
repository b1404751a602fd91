// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the latents of pictures and the texts that frozen encoders have made of captions take in RAM all
// through a training: known from their sizes and numbers before any of them is encoded. Free functions; any
// thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/model_source.h"
#include "core/base/run/journal/event.h"
#include "core/base/util/picture_size.h"

#include <cstdint>
#include <map>
#include <vector>

namespace homebooth::core {

/// Beyond this, latents of a group of pictures stay on disk and are read for each batch.
inline constexpr int64_t kMostHeldLatentBytes = int64_t{1} << 30;
/// Likewise of all encoded texts.
inline constexpr int64_t kMostHeldTextBytes = int64_t{512} << 20;

/// The decision of a plan about pictures, and in its facts what they take ("heldBytes") and, where RAM has no
/// room for all that might be held, what that would take ("allBytes").
inline constexpr const char* kPicturesInRam = "pictures-in-ram";

/// What is learned from.
struct PictureCounts {
    std::map<PictureSize, int64_t> trained; ///< by the sizes that they are learned at
    std::map<PictureSize, int64_t> heldOut; ///< likewise
    int64_t classPictures = 0;              ///< each of which comes in every size of those
    int64_t texts = 0;                      ///< different ones that steps may ask for
    [[nodiscard]] int64_t trainedPictures() const;
};

/// The most that is held.
struct HeldLimits {
    /// Of each group: what is trained on, class pictures, both again in the size of the first steps where
    /// that is another one, and what is held out.
    int64_t latentBytes = kMostHeldLatentBytes;
    int64_t textBytes = kMostHeldTextBytes; ///< of all encoded texts
};

/// @returns  0 for a language model, whose texts are tokens
[[nodiscard]] int64_t heldPictureBytes(const PictureCounts& counts, const TrainConfig& config,
                                       const ModelSource& model, const HeldLimits& most = {});

/// One way to hold them. What it has no room for is read from the cache, or encoded again, by each step that
/// needs it.
struct HeldPictures {
    HeldLimits most;
    int64_t bytes = 0;    ///< that it takes at most
    int64_t allBytes = 0; ///< that are held where RAM has room for them
    size_t way = 0;       ///< its number; 0: all are held
    /// That a step reads from the cache at most, where not all are held.
    int64_t readBytesPerStep = 0;
    [[nodiscard]] bool isFewer() const { return bytes < allBytes; }
};

/// How many ways there may be.
inline constexpr size_t kWaysToHold = 5;

/// The ways to hold them, of which the first one is taken that RAM has room for: all, ever fewer, none.
/// @param most      that the first one holds
/// @param readable  a cache keeps what is not held; else there is the first way alone
[[nodiscard]] std::vector<HeldPictures> waysToHold(const PictureCounts& counts, const TrainConfig& config,
                                                   const ModelSource& model, const HeldLimits& most,
                                                   bool readable);

[[nodiscard]] PlanDecision aboutPictures(const HeldPictures& held);

} // namespace homebooth::core
