// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/picture_counts.h"

#include "core/base/config/training_size.h"
#include "core/base/formats/packed_files.h"
#include "core/engine/data/captions.h"
#include "core/engine/data/tag_shuffle.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSmallPictureBytes = int64_t{16} << 10; // in a shard, with its caption

std::set<std::string> captionsOf(const std::vector<CaptionedPicture>& pictures) {
    std::set<std::string> captions;
    for (const CaptionedPicture& picture : pictures)
        captions.insert(picture.captions.begin(), picture.captions.end());
    return captions;
}

int64_t picturesIn(const std::vector<std::string>& shards) {
    int64_t bytes = 0;
    for (const std::string& shard : shards) {
        std::error_code code;
        const uintmax_t size = fs::file_size(shard, code);
        if (!code) bytes += static_cast<int64_t>(size);
    }
    return bytes / kSmallPictureBytes + std::ssize(shards);
}

/// Few enough to look at each.
PictureCounts countPhotos(const TrainConfig& config, const ModelSource& model, PictureSource& pictures) {
    const DataConfig& data = config.data;
    const int64_t multiple = bucketMultiple(model.vae.downscale(), model.unet.blockOutChannels.size());
    PictureCounts counts;
    BrokenPictures broken;
    const auto photos = readPhotos(data.instanceDir, data.instancePrompt, pictures, broken);
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

PictureCounts countDataSet(const TrainConfig& config, PictureSource& pictures) {
    const DataConfig& data = config.data;
    PictureCounts counts;
    int64_t count = 0;
    if (const std::vector<std::string> shards = shardsOf(data.datasetDir, pictures); !shards.empty()) {
        counts.texts = count = picturesIn(shards);
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

int64_t mostTexts(std::set<std::string> captions, const TrainConfig& config) {
    const int64_t count = std::ssize(captions);
    int64_t texts = count;
    if (config.data.shuffleTags) texts += std::min(count * kMostTagVariants, std::max(count, kMostTagOrders));
    if (config.usesClassPictures() && captions.insert(config.data.classPrompt).second) ++texts;
    if (config.data.captionDropout > 0.0 && captions.insert("").second) ++texts;
    return texts;
}

PictureCounts countPictures(const TrainConfig& config, const ModelSource& model, PictureSource& pictures) {
    if (model.language) return {};
    const bool photos = config.mode == TrainMode::DreamBooth;
    PictureCounts counts = photos ? countPhotos(config, model, pictures) : countDataSet(config, pictures);
    if (config.usesClassPictures()) counts.classPictures = config.data.classImageCount;
    return counts;
}

} // namespace homebooth::core
