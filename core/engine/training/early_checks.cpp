// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/early_checks.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/engine/data/captions.h"
#include "core/engine/data/picture_examiner.h"

#include <sys/stat.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

Result<std::vector<std::string>> photosOf(const JobContext& job, BrokenPictures& broken) {
    const DataConfig& data = job.config.data;
    HOMEBOOTH_ASSIGN(
        const std::vector<CaptionedPicture> captioned,
        job.config.mode == TrainMode::DreamBooth
            ? readPhotos(data.instanceDir, data.instancePrompt, job.pictures, broken)
            : readCaptions(data.datasetDir, job.pictures, broken, captionColumns(data.captionColumns)));
    std::vector<std::string> paths;
    for (const CaptionedPicture& picture : captioned) paths.push_back(picture.path);
    return paths;
}

/// Those that may be left out are named when they are.
Result<void> checkPhotoHeaders(const JobContext& job) {
    const bool none = job.config.mode == TrainMode::Language;
    if (none || job.config.data.skipBrokenImages) return {};
    BrokenPictures broken;
    HOMEBOOTH_ASSIGN(const std::vector<std::string> photos, photosOf(job, broken));
    PictureExaminer examiner(job, photos.size());
    for (const std::string& path : photos) {
        if (examiner.stopped()) break;
        static_cast<void>(examiner.next(path, broken));
    }
    examiner.save();
    if (examiner.stopped()) return {};
    return broken.settleAtStart(job);
}

Result<void> checkCheckpoints(const JobContext& job) {
    HOMEBOOTH_CHECK(expectSavedThere(job.run)); // begun anew, it would lose them
    if (listCheckpoints(job.run.checkpointsDir()).empty()) return {};
    const auto valid = newestValidCheckpoint(job.run.checkpointsDir(), VerifyDepth::Sizes);
    return valid ? Result<void>() : valid.error();
}

} // namespace

void removeLeftOvers(const JobContext& job) {
    const RunFolder& run = job.run;
    for (const std::string& folder :
         {run.path(), run.checkpointsDir(), run.samplesDir(), run.resultDir(), run.path() + "/charts"})
        if (const auto removed = removePartials(folder); !removed)
            job.events.emit(WarningEvent{"left-over", removed.error().text()});
}

void warnOfAnothersRun(const JobContext& job) {
    struct stat facts {};
    if (::geteuid() != 0 || ::stat(job.run.path().c_str(), &facts) != 0 || facts.st_uid == 0) return;
    job.events.emit(WarningEvent{"run-of-another",
                                 "the administrator (root) goes on with another user's run, who can neither "
                                 "change nor remove what is saved from here on: go on as that user, or give "
                                 "it to that one afterwards (chown -R --reference RUN RUN)"});
}

Result<void> checkBeforeLoading(const JobContext& job) {
    HOMEBOOTH_CHECK(checkCheckpoints(job));
    return checkPhotoHeaders(job);
}

} // namespace homebooth::core
