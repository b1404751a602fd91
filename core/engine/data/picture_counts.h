// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How many pictures and texts a training is made of, for what they will take in RAM (base/plan/
// picture_memory). Free functions; one thread.
#pragma once

#include "core/base/model/model_source.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/engine/data/captions.h"
#include "core/engine/jobs/picture_source.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace homebooth::core {

/// Orders of tags, of all captions together, that are encoded where the text encoder does not learn.
constexpr int64_t kMostTagOrders = 2048;

/// The configuration where no dropped caption is encoded, since zeros stand for it.
[[nodiscard]] TrainConfig encodedTexts(const TrainConfig& config, const ModelSource& model);

/// Different texts that steps may ask for, at most. @param captions  of all pictures, class pictures apart
[[nodiscard]] int64_t mostTexts(std::set<std::string> captions, const TrainConfig& config);

/// From a look at folders and captions, at most: pictures of a data set count as squares. Where shards have
/// very many, these count by the shards' sizes, with a caption each. Nothing of what cannot be read, which a
/// training will say.
/// @param listed  pictures that the training will have in place of those in its folder; null: it has these
[[nodiscard]] PictureCounts countPictures(const TrainConfig& config, const ModelSource& model,
                                          PictureSource& pictures,
                                          const std::vector<CaptionedPicture>* listed = nullptr);

} // namespace homebooth::core
