// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/generation/picture_memory.h"

#include "core/base/config/byte_size.h"
#include "core/base/config/training_size.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/training/train_sizes.h"

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

/// Of the latents of each group, all of them.
std::vector<int64_t> latentGroups(const PictureCounts& counts, const TrainConfig& config,
                                  const ModelSource& model) {
    const auto bytesOfAll = [&](const Sizes& sizes) {
        int64_t bytes = 0;
        for (const auto& [size, count] : sizes) bytes += count * latentBytes(size, config, model.vae);
        return bytes;
    };
    const auto classesFor = [&counts](Sizes sizes) {
        for (auto& [size, count] : sizes) count = counts.classPictures;
        return sizes;
    };
    std::vector<int64_t> groups{bytesOfAll(counts.heldOut)};
    std::vector<Sizes> stages{counts.trained};
    if (config.data.startSteps > 0) stages.push_back(startSizes(counts.trained, config, model));
    for (const Sizes& sizes : stages) {
        groups.push_back(bytesOfAll(sizes));
        groups.push_back(bytesOfAll(classesFor(sizes)));
    }
    return groups;
}

/// With the largest latents, mirrored ones as well, and a caption for each.
int64_t mostReadBytesPerStep(const PictureCounts& counts, const TrainConfig& config,
                             const ModelSource& model) {
    int64_t ofPicture = 0;
    for (const auto& [size, count] : counts.trained)
        ofPicture = std::max(ofPicture, latentBytes(size, config, model.vae));
    const int64_t pictures =
        config.ownBatchSize() * config.optimizer.accumulationSteps * (config.usesClassPictures() ? 2 : 1);
    return pictures * (ofPicture + textBytes(config, model));
}

} // namespace

int64_t PictureCounts::trainedPictures() const {
    int64_t pictures = 0;
    for (const auto& [size, count] : trained) pictures += count;
    return pictures;
}

int64_t heldPictureBytes(const PictureCounts& counts, const TrainConfig& config, const ModelSource& model,
                         const HeldLimits& most) {
    if (model.language) return 0;
    int64_t bytes = std::min(counts.texts * textBytes(config, model), most.textBytes);
    for (const int64_t group : latentGroups(counts, config, model))
        bytes += std::min(group, most.latentBytes);
    return bytes;
}

std::vector<HeldPictures> waysToHold(const PictureCounts& counts, const TrainConfig& config,
                                     const ModelSource& model, const HeldLimits& most, bool readable) {
    const int64_t all = heldPictureBytes(counts, config, model, most);
    std::vector<HeldPictures> ways{{most, all, all, 0}};
    if (!readable || all == 0) return ways;
    const std::vector<int64_t> groups = latentGroups(counts, config, model);
    const int64_t latents = std::min(*std::max_element(groups.begin(), groups.end()), most.latentBytes);
    const int64_t texts = std::min(counts.texts * textBytes(config, model), most.textBytes);
    const int64_t read = mostReadBytesPerStep(counts, config, model);
    while (ways.size() + 1 < kWaysToHold) {
        const int64_t part = int64_t{1} << ways.size(); // a half, a quarter, an eighth
        const HeldLimits fewer{latents / part, texts / part};
        ways.push_back({fewer, heldPictureBytes(counts, config, model, fewer), all, ways.size(), read});
    }
    ways.push_back({{0, 0}, 0, all, ways.size(), read});
    return ways;
}

PlanDecision aboutPictures(const HeldPictures& held) {
    const auto heldBytes = static_cast<double>(held.bytes);
    if (!held.isFewer())
        return {"pictures: up to " + byteSizeText(held.bytes) +
                    " in RAM all through the training, as latents and encoded captions",
                kPicturesInRam,
                {{"heldBytes", heldBytes}}};
    return {"pictures: up to " + byteSizeText(held.bytes) + " of " + byteSizeText(held.allBytes) +
                " in RAM all through the training, as latents and encoded captions: there is no room for "
                "more beside the steps, which read the others from the cache or encode them again",
            kPicturesInRam,
            {{"heldBytes", heldBytes}, {"allBytes", static_cast<double>(held.allBytes)}}};
}

} // namespace homebooth::core
