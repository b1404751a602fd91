// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures of a run with their captions, sizes and content hashes. Plain values.
#pragma once

#include "core/base/config/colour.h"
#include "core/base/config/train_config.h"
#include "core/base/util/picture_size.h"
#include "core/engine/data/broken_pictures.h"
#include "core/engine/data/captions.h"
#include "core/engine/jobs/picture_source.h"

#include <string>
#include <vector>

namespace homebooth::core {

struct JobContext;

struct TrainingSample {
    std::string path;
    std::vector<std::string> captions;
    std::string contentHash;         ///< SHA-256 of the file
    PictureSize original;            ///< the picture's own, upright
    PictureSize size;                ///< what the picture is scaled and cropped to
    int64_t bucket = 0;              ///< samples of one size share a bucket
    uint32_t backgroundRgb = kWhite; ///< behind transparent parts, 0xRRGGBB
};

/// Turns pictures into samples: size, bucket, content hash. Unreadable ones go to `broken`. What the job's
/// cache knows of files that have not changed is not read again (PictureExaminer). Progress goes out as state
/// "reading". When stop is requested, what was read up to then.
/// @param multiple  pixels that sides must be divisible by
[[nodiscard]] std::vector<TrainingSample> makeSamples(const JobContext& job,
                                                      const std::vector<CaptionedPicture>& pictures,
                                                      int64_t multiple, BrokenPictures& broken);

/// Numbers the buckets anew after samples were taken out.
void assignBuckets(std::vector<TrainingSample>& samples);

/// SHA-256 over contents, captions and sizes in order.
[[nodiscard]] std::string dataSetHash(const std::vector<TrainingSample>& samples);

} // namespace homebooth::core
