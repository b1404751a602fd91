// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which files of a folder are pictures.
// Free functions without state; any thread. Opens regular files only and reads no more than their first
// bytes.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// The folder beside a dataset's pictures into which what is left out is moved.
inline constexpr const char* kLeftOutFolder = "left out";

/// Part of what is said where the folder of a training's pictures is not there.
inline constexpr std::string_view kNoPictureFolderWords = "expected a folder with pictures, found none";

/// What is said where a photo of a training is not there, behind its path.
inline constexpr std::string_view kPhotoGoneWords = "the photo is gone; find it again or leave it out";

/// An entry of a folder that is not taken as a picture.
struct SkippedFile {
    std::filesystem::path path;
    std::string reason;          ///< in words
    bool companion = false;      ///< belongs beside pictures (captions, hidden files): need not be shown
    bool meantAsPicture = false; ///< a file whose name ends as those of pictures do
};

struct PictureList {
    std::vector<std::filesystem::path> pictures; ///< in natural order: "2.jpg" before "10.jpg"
    std::vector<SkippedFile> skipped;            ///< in natural order
};

/// What the first bytes of a file are.
enum class FileContent { Empty, Picture, Other };

/// Says it of a regular file. Errors: BadInput
[[nodiscard]] Result<FileContent> fileContent(const std::filesystem::path& file);

/// Lists the pictures directly inside `folder`, recognised by content, without masks beside pictures.
/// @param content  as fileContent; one that remembers need not open a file again
/// Errors: BadInput when the folder is missing, not a folder or may not be read. A folder without pictures
///         is not an error here. Never blocks on FIFOs, devices or loops of links.
[[nodiscard]] Result<PictureList>
listPictures(const std::filesystem::path& folder,
             const std::function<Result<FileContent>(const std::filesystem::path&)>& content = fileContent);

/// How names of pictures end, in lower case and with their dot.
[[nodiscard]] const std::vector<std::string>& pictureEndings();

/// Whether a name ends as those of pictures do.
[[nodiscard]] bool hasPictureEnding(const std::filesystem::path& path);

/// The stem of the picture that a file stands beside, by its name, as a mask or the like of another
/// training program: "a" of "a-masklabel.png"; empty: it is none.
[[nodiscard]] std::string pictureOfMask(const std::filesystem::path& path);

/// Natural order of names: runs of digits compare as numbers, letters without regard to ASCII case.
[[nodiscard]] bool naturallyLess(const std::string& left, const std::string& right);

} // namespace homebooth::core
