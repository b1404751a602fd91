// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/media_pictures.h"

#include "core/base/util/regular_file.h"
#include "core/media/header_bytes.h"
#include "core/media/picture_io.h"
#include "core/media/picture_limits.h"
#include "core/media/picture_list.h"
#include "core/media/picture_ops.h"
#include "core/media/png_check.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace homebooth::core {
namespace {

/// What a decoder could read, but nobody wants to train on or start from.
Result<void> checkUsable(const PictureInfo& info, const std::string& path) {
    if (info.animated)
        return badInput("cannot use the picture: expected a still one, found an animated " +
                            std::string(pictureFormatName(info.format)) + "; save one of its pictures as PNG",
                        displayName(path));
    if (std::min(info.widthPixels, info.heightPixels) < kLeastPictureSide)
        return badInput("cannot use the picture: expected sides of at least " +
                            std::to_string(kLeastPictureSide) + " pixels, found " +
                            std::to_string(info.widthPixels) + " x " + std::to_string(info.heightPixels) +
                            "; take a larger one",
                        displayName(path));
    return {};
}

} // namespace

Result<std::vector<std::string>> MediaPictureSource::list(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const PictureList found, listPictures(folder));
    std::vector<std::string> paths;
    for (const auto& path : found.pictures) paths.push_back(path.string());
    return paths;
}

bool MediaPictureSource::isPictureName(const std::string& name) const {
    return hasPictureEnding(name);
}

Result<std::string> MediaPictureSource::headOf(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) return headerBytes(path);
    return m_files.read(path, kMaxPictureFileBytes);
}

Result<PictureSize> MediaPictureSource::size(const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::string head, headOf(path));
    HOMEBOOTH_ASSIGN(const PictureInfo info, decodePictureInfo(head, path));
    HOMEBOOTH_CHECK(checkUsable(info, path));
    HOMEBOOTH_CHECK(checkPictureHeader(head, path)); // else found in the middle of a training
    return PictureSize{info.widthPixels, info.heightPixels};
}

Result<Picture> MediaPictureSource::load(const std::string& path, PictureSize size) {
    HOMEBOOTH_ASSIGN(const std::string file, m_files.read(path, kMaxPictureFileBytes));
    ReadPictureOptions options;
    options.background = m_background;
    HOMEBOOTH_ASSIGN(const Picture picture, decodePicture(file, path, options));
    return resizeAndCrop(picture, size.widthPixels, size.heightPixels);
}

Result<void> MediaPictureSource::expectWhole(const std::string& path) {
    HOMEBOOTH_ASSIGN(const std::string file, m_files.read(path, kMaxPictureFileBytes));
    HOMEBOOTH_ASSIGN(const PictureInfo info, decodePictureInfo(file, path));
    HOMEBOOTH_CHECK(checkUsable(info, path));
    HOMEBOOTH_CHECK(checkPictureHeader(file, path));
    if (isWholePng(file)) return {};
    const auto picture = decodePicture(file, path);
    return picture ? Result<void>() : Result<void>(picture.error());
}

Result<void> MediaPictureWriter::write(const std::string& path, const Picture& picture,
                                       const std::map<std::string, std::string>& text) {
    return writePng(path, picture, text);
}

} // namespace homebooth::core
