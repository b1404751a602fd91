// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/training_pictures.h"

#include "core/base/formats/packed_files.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/util/regular_file.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <algorithm>
#include <filesystem>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
constexpr size_t kMostNamed = 20; // in an error; a list that is longer is read by nobody
constexpr const char* kFormats = "JPEG, PNG, WebP, TIFF, BMP, HEIC or AVIF";

std::string named(const SkippedFile& file) {
    return displayName(file.path.filename()) + " (" + file.reason + ")";
}

std::string listed(const std::vector<SkippedFile>& files) {
    std::string text;
    size_t broken = 0;
    for (const SkippedFile& file : files) {
        if (!file.meantAsPicture || ++broken > kMostNamed) continue;
        text += (text.empty() ? "" : ", ") + named(file);
    }
    if (broken > kMostNamed) text += ", and " + std::to_string(broken - kMostNamed) + " more";
    return text;
}

/// What the heads of pictures say against them, so that all is told at once; of very many the first ones.
std::vector<SkippedFile> withDamagedHeads(const PictureList& list) {
    constexpr size_t kMostRead = 1000;
    std::vector<SkippedFile> broken = list.skipped;
    for (size_t i = 0; i < std::min(list.pictures.size(), kMostRead); ++i)
        if (const auto info = pictureInfo(list.pictures[i]); !info)
            broken.push_back({list.pictures[i], info.error().message, false, true});
    return broken;
}

/// Where a folder has no pictures: a folder in it that has, with how many; empty: none has.
std::string picturesBelow(const std::vector<SkippedFile>& files) {
    for (const SkippedFile& file : files) {
        std::error_code ignored;
        if (file.companion || !fs::is_directory(file.path, ignored)) continue;
        const auto list = listPictures(file.path);
        if (!list || list->pictures.empty()) continue;
        const size_t count = list->pictures.size();
        std::string text = ", but ";
        text.append(std::to_string(count)).append(count == 1 ? " picture in " : " pictures in ");
        return text.append(displayName(file.path.filename())).append(", a folder in it");
    }
    return "";
}

/// Damage of shards is told by the training, before it loads a model.
Result<bool> holdsShards(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const std::vector<std::string> shards, listShards(folder));
    return !shards.empty();
}

/// What lies beside pictures and is not used. @param shards  whether shards stand for pictures there
void noteLeftOut(const std::vector<SkippedFile>& files, bool shards, std::vector<std::string>& warnings) {
    for (const SkippedFile& file : files) {
        std::error_code ignored;
        const bool shard = file.path.extension() == ".tar";
        if (file.companion || (shards && (shard || fs::is_directory(file.path, ignored)))) continue;
        warnings.push_back(displayName(file.path.parent_path()) + ": left out " +
                           displayName(file.path.filename()) + ": " +
                           (shard ? "shards are read where no pictures lie beside them" : file.reason));
    }
}

/// What becomes of pictures that cannot be read.
struct Broken {
    bool skip;             ///< they are left out
    const char* otherwise; ///< what to do with them
};

/// @param mayHoldShards  in the place of pictures
Result<void> checkFolder(const std::string& folder, const Broken& allowed, bool mayHoldShards,
                         std::vector<std::string>& warnings) {
    HOMEBOOTH_ASSIGN(const PictureList list, listPictures(folder));
    const std::string broken = listed(list.skipped);
    bool shards = false;
    if (mayHoldShards && list.pictures.empty()) {
        HOMEBOOTH_ASSIGN(shards, holdsShards(folder));
    }
    if (list.pictures.empty() && !shards) {
        const std::string other =
            broken.empty() ? picturesBelow(list.skipped) : std::string(", but ").append(broken);
        return badInput("cannot read the pictures: expected at least one picture (" + std::string(kFormats) +
                            ")" + (mayHoldShards ? " in it, or .tar shards in it or in folders in it" : "") +
                            ", found none" + other + "; put some into the folder or name another one",
                        displayName(folder));
    }
    if (!broken.empty() && !allowed.skip)
        return badInput("cannot read all pictures: expected " + std::string(kFormats) + ", found " +
                            listed(withDamagedHeads(list)) + "; " + allowed.otherwise,
                        displayName(folder));
    noteLeftOut(list.skipped, shards, warnings);
    return {};
}

/// Whether all class pictures are still to be made: at most what belongs beside pictures lies there.
Result<bool> awaitsPictures(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const PictureList list, listPictures(folder));
    return list.pictures.empty() && std::ranges::all_of(list.skipped, &SkippedFile::companion);
}

} // namespace

Result<std::vector<std::string>> checkTrainingPictures(const DataConfig& data, bool middle) {
    const Broken broken{data.skipBrokenImages,
                        middle ? kPutPicturesBack
                               : "replace them, or go on without them by --skip-broken-images"};
    std::vector<std::string> warnings;
    std::error_code code;
    // A metadata.jsonl names its pictures itself, also in folders further down.
    const bool listedElsewhere = fs::exists(fs::path(data.datasetDir) / "metadata.jsonl", code);
    if (!data.instanceDir.empty()) HOMEBOOTH_CHECK(checkFolder(data.instanceDir, broken, false, warnings));
    if (!data.datasetDir.empty() && !listedElsewhere)
        HOMEBOOTH_CHECK(checkFolder(data.datasetDir, broken, true, warnings));
    const bool ownClass = !data.classPrompt.empty() && !data.classDir.empty();
    if (!ownClass || !fs::is_directory(data.classDir, code)) return warnings;
    HOMEBOOTH_ASSIGN(const bool empty, awaitsPictures(data.classDir));
    if (!empty) HOMEBOOTH_CHECK(checkFolder(data.classDir, broken, false, warnings));
    return warnings;
}

} // namespace homebooth::core
