// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/picture_memory.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/training_size.h"
#include "core/base/plan/learning_schedule.h"
#include "core/base/plan/train_sizes.h"

#include <algorithm>

namespace homebooth::core {
namespace {

using Sizes = std::map<PictureSize, int64_t>;

/// Of a picture: mean and variance, in fp32.
int64_t latentBytes(PictureSize size, const TrainConfig& config, const VaeConfig& vae) {
    const int64_t places = (size.heightPixels / vae.downscale()) * (size.widthPixels / vae.downscale());
    return 2 * vae.latentChannels * places * kFloatBytes * (config.data.flip ? 2 : 1);
}

/// The sizes of the first steps.
Sizes startSizes(const Sizes& trained, const TrainConfig& config, const ModelSource& model) {
    const int64_t multiple = bucketMultiple(model.vae.downscale(), model.unet.blockOutChannels.size());
    Sizes sizes;
    for (const auto& [size, count] : trained)
        sizes[trainingSize(size, config.data.startResolutionPixels, config.data.framing, multiple)] += count;
    return sizes;
}

/// Of what the text encoders make of a caption; 0 where they learn.
int64_t textBytes(const TrainConfig& config, const ModelSource& model) {
    if (learnsText(config)) return 0;
    int64_t tokens = model.text.config.maxPositions;
    for (const TextPart* part : model.textParts()) tokens = std::min(tokens, part->config.maxPositions);
    const int64_t pooled = model.secondText ? model.secondText->config.projectionDim : 0;
    return (tokens * model.unet.crossAttentionDim + pooled) * bytesOf(config.precision);
}

} // namespace

int64_t heldPictureBytes(const PictureCounts& counts, const TrainConfig& config, const ModelSource& model,
                         int64_t mostLatentBytes) {
    if (model.language) return 0;
    const auto heldOf = [&](const Sizes& sizes) {
        int64_t bytes = 0;
        for (const auto& [size, count] : sizes) bytes += count * latentBytes(size, config, model.vae);
        return std::min(bytes, mostLatentBytes);
    };
    const auto classesFor = [&counts](Sizes sizes) {
        for (auto& [size, count] : sizes) count = counts.classPictures;
        return sizes;
    };
    int64_t bytes = heldOf(counts.heldOut);
    std::vector<Sizes> stages{counts.trained};
    if (config.data.startSteps > 0) stages.push_back(startSizes(counts.trained, config, model));
    for (const Sizes& sizes : stages) bytes += heldOf(sizes) + heldOf(classesFor(sizes));
    return bytes + std::min(counts.texts * textBytes(config, model), kMostHeldTextBytes);
}

PlanDecision aboutPictures(int64_t bytes) {
    return {"pictures: up to " + byteSizeText(bytes) +
                " in RAM all through the training, as latents and encoded captions",
            kPicturesInRam,
            {{"heldBytes", static_cast<double>(bytes)}}};
}

} // namespace homebooth::core
