// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a LoRA's file says of its training, under the names by which other programs show it: facts alone.
// Source (names only): kohya-ss/sd-scripts library/train_util.py. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/model/lora/lora_file.h"

#include <cstdint>
#include <map>
#include <string>

namespace homebooth::core {

/// How often each caption stands beside a picture.
using CaptionCounts = std::map<std::string, int64_t>;

/// The captions that lie beside the pictures of a folder; of very many the first ones. None where it is
/// gone.
[[nodiscard]] CaptionCounts captionFilesIn(const std::string& folder);

/// The words that call what was learned: the photos' sentence, or those of several subjects with commas
/// between. Empty where the captions are a data set's, most of them of one picture, or very long.
[[nodiscard]] std::string triggerOf(const TrainConfig& config, const CaptionCounts& captions);

/// The fact of a run that is the hash of the model to start from (modelHash).
constexpr const char* kModelFact = "modelSha256";

/// Notes model, steps and speeds. @param facts  of the run
void noteTraining(const TrainConfig& config, const std::map<std::string, std::string>& facts, int64_t steps,
                  LoraDescription& description);

/// Notes the number of pictures, and how often each tag was learned: the commonest ones.
void noteCaptions(const TrainConfig& config, const CaptionCounts& captions, int64_t pictures,
                  LoraDescription& description);

} // namespace homebooth::core
