// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/data_set.h"

#include "core/base/config/training_size.h"
#include "core/base/files/sha256.h"
#include "core/engine/data/picture_examiner.h"

#include <algorithm>
#include <map>

namespace homebooth::core {
namespace {

/// Where a training is refused for the sake of pictures: what is wrong with others is told at once. Of
/// many the first ones are read, by one of a machine's ranks: the refusal waits for it.
void addDamaged(const JobContext& job, const std::vector<TrainingSample>& samples, BrokenPictures& broken) {
    constexpr size_t kMostRead = 32;
    if (broken.empty() || job.config.data.skipBrokenImages || !job.ranks().leadsMachine()) return;
    for (size_t i = 0; i < std::min(samples.size(), kMostRead); ++i) {
        if (job.control.stop.requested()) return;
        const auto picture = job.pictures.load(samples[i].path, samples[i].size);
        if (!picture) broken.add(samples[i].path, picture.error().message);
    }
}

} // namespace

std::vector<TrainingSample> makeSamples(const JobContext& job, const std::vector<CaptionedPicture>& pictures,
                                        int64_t multiple, BrokenPictures& broken) {
    const DataConfig& data = job.config.data;
    PictureExaminer examiner(job, pictures.size());
    std::vector<TrainingSample> samples;
    for (const CaptionedPicture& picture : pictures) {
        if (examiner.stopped()) break;
        const auto found = examiner.next(picture.path, broken);
        if (!found) continue;
        TrainingSample sample;
        sample.path = picture.path;
        sample.captions = picture.captions;
        sample.contentHash = found->contentHash;
        sample.backgroundRgb = parseColour(data.background).value_or(kWhite);
        sample.original = found->size;
        sample.size = trainingSize(found->size, data.resolutionPixels, data.framing, multiple);
        samples.push_back(std::move(sample));
    }
    examiner.save();
    addDamaged(job, samples, broken);
    assignBuckets(samples);
    return samples;
}

void assignBuckets(std::vector<TrainingSample>& samples) {
    std::map<PictureSize, int64_t> numbers;
    for (const TrainingSample& sample : samples) numbers.emplace(sample.size, 0);
    int64_t next = 0;
    for (auto& [size, number] : numbers) number = next++;
    for (TrainingSample& sample : samples) sample.bucket = numbers.at(sample.size);
}

std::string dataSetHash(const std::vector<TrainingSample>& samples) {
    Sha256 hash;
    const auto add = [&](const std::string& text) { hash.update(std::to_string(text.size()) + ":" + text); };
    for (const TrainingSample& sample : samples) {
        add(sample.contentHash);
        add(std::to_string(sample.size.widthPixels) + "x" + std::to_string(sample.size.heightPixels));
        for (const std::string& caption : sample.captions) add(caption);
    }
    return hash.finish();
}

} // namespace homebooth::core
