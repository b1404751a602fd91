// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/picture_counts.h"

#include "core/base/config/training_size.h"
#include "core/base/formats/packed_files.h"
#include "core/engine/data/captions.h"
#include "core/engine/data/shard_captions.h"
#include "core/engine/data/tag_shuffle.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSmallPictureBytes = int64_t{16} << 10; // in a shard, with its caption
// More pictures than have room in RAM; to look at those of all data sets would take a slow disk minutes.
constexpr int64_t kMostMembers = int64_t{1} << 15;

std::set<std::string> captionsOf(const std::vector<CaptionedPicture>& pictures) {
    std::set<std::string> captions;
    for (const CaptionedPicture& picture : pictures)
        captions.insert(picture.captions.begin(), picture.captions.end());
    return captions;
}

/// How many pictures there are in shards that have more members than are looked at; nothing for all others.
std::optional<int64_t> veryManyIn(const std::vector<std::string>& shards, const PictureSource& source) {
    int64_t pictures = 0;
    int64_t mostMembers = kMostMembers;
    bool tooMany = false;
    for (const std::string& shard : shards) {
        const auto named = picturesNamedIn(shard, source, mostMembers);
        pictures += named.value_or(0);
        if (named || mostMembers > 0) continue;
        std::error_code code;
        const uintmax_t bytes = fs::file_size(shard, code);
        if (code) continue;
        tooMany = true;
        pictures += static_cast<int64_t>(bytes) / kSmallPictureBytes + 1;
    }
    return tooMany ? std::optional(pictures) : std::nullopt;
}

/// With the orders that their tags may have.
int64_t withOrders(int64_t captions, const TrainConfig& config) {
    if (!config.data.shuffleTags) return captions;
    return captions + std::min(captions * kMostTagVariants, std::max(captions, kMostTagOrders));
}

/// Of pictures whose captions nobody has read: one each, as a rule more than are held.
int64_t textsOfVeryMany(int64_t pictures, const TrainConfig& config) {
    const int64_t noText = config.data.captionDropout > 0.0 ? 1 : 0;
    return withOrders(pictures, config) + (config.usesClassPictures() ? 1 : 0) + noText;
}

/// Few enough to look at each.
PictureCounts countPhotos(const TrainConfig& config, const ModelSource& model, PictureSource& pictures,
                          const std::vector<CaptionedPicture>* listed) {
    const DataConfig& data = config.data;
    const int64_t multiple = bucketMultiple(model.vae.downscale(), model.unet.blockOutChannels.size());
    PictureCounts counts;
    BrokenPictures broken;
    const auto photos = listed != nullptr
                            ? Result<std::vector<CaptionedPicture>>(*listed)
                            : readPhotos(data.instanceDir, data.instancePrompt, pictures, broken);
    if (!photos) return counts;
    for (const CaptionedPicture& photo : *photos)
        if (const auto size = pictures.size(photo.path))
            ++counts.trained[trainingSize(*size, data.resolutionPixels, data.framing, multiple)];
    counts.texts = mostTexts(captionsOf(*photos), config);
    return counts;
}

/// Shards that are read in the place of pictures.
std::vector<std::string> shardsOf(const std::string& folder, PictureSource& pictures) {
    std::error_code ignored;
    if (fs::exists(fs::path(folder) / "metadata.jsonl", ignored)) return {};
    auto shards = listShards(folder);
    if (!shards || shards->empty()) return {};
    const auto beside = pictures.list(folder);
    return beside && beside->empty() ? std::move(*shards) : std::vector<std::string>();
}

PictureCounts countDataSet(const TrainConfig& config, PictureSource& pictures,
                           const std::vector<CaptionedPicture>* listed) {
    const DataConfig& data = config.data;
    PictureCounts counts;
    int64_t count = 0;
    if (listed != nullptr) {
        count = std::ssize(*listed);
        counts.texts = mostTexts(captionsOf(*listed), config);
    } else if (const auto veryMany = veryManyIn(shardsOf(data.datasetDir, pictures), pictures)) {
        count = *veryMany;
        counts.texts = textsOfVeryMany(count, config);
    } else {
        BrokenPictures broken(/*mayLeaveOut=*/true);
        const auto found =
            readCaptions(data.datasetDir, pictures, broken, captionColumns(data.captionColumns));
        if (!found) return counts;
        count = std::ssize(*found);
        counts.texts = mostTexts(captionsOf(*found), config);
    }
    const auto heldOut = static_cast<int64_t>(std::ceil(static_cast<double>(count) * data.validationShare));
    const PictureSize size{data.resolutionPixels, data.resolutionPixels};
    counts.trained[size] = count - heldOut;
    counts.heldOut[size] = heldOut;
    return counts;
}

} // namespace

TrainConfig encodedTexts(const TrainConfig& config, const ModelSource& model) {
    TrainConfig encoded = config;
    if (model.zeroEmptyPrompt) encoded.data.captionDropout = 0.0;
    return encoded;
}

int64_t mostTexts(std::set<std::string> captions, const TrainConfig& config) {
    int64_t texts = withOrders(std::ssize(captions), config);
    if (config.usesClassPictures() && captions.insert(config.data.classPrompt).second) ++texts;
    if (config.data.captionDropout > 0.0 && captions.insert("").second) ++texts;
    return texts;
}

PictureCounts countPictures(const TrainConfig& config, const ModelSource& model, PictureSource& pictures,
                            const std::vector<CaptionedPicture>* listed) {
    if (model.language) return {};
    const bool photos = config.mode == TrainMode::DreamBooth;
    const TrainConfig encoded = encodedTexts(config, model);
    PictureCounts counts =
        photos ? countPhotos(encoded, model, pictures, listed) : countDataSet(encoded, pictures, listed);
    if (config.usesClassPictures()) counts.classPictures = config.data.classImageCount;
    return counts;
}

} // namespace homebooth::core
