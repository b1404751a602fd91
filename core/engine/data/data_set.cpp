// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/data_set.h"

#include "core/base/config/training_size.h"
#include "core/base/files/sha256.h"
#include "core/engine/data/picture_examiner.h"

#include <map>

namespace homebooth::core {

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
