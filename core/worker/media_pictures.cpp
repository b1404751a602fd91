// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/media_pictures.h"

#include "core/media/picture_io.h"
#include "core/media/picture_list.h"
#include "core/media/picture_ops.h"

namespace homebooth::core {

Result<std::vector<std::string>> MediaPictureSource::list(const std::string& folder) {
    HOMEBOOTH_ASSIGN(const PictureList found, listPictures(folder));
    std::vector<std::string> paths;
    for (const auto& path : found.pictures) paths.push_back(path.string());
    return paths;
}

Result<PictureSize> MediaPictureSource::size(const std::string& path) {
    HOMEBOOTH_ASSIGN(const PictureInfo info, pictureInfo(path));
    return PictureSize{info.widthPixels, info.heightPixels};
}

Result<Picture> MediaPictureSource::load(const std::string& path, PictureSize size) {
    HOMEBOOTH_ASSIGN(const Picture picture, readPicture(path));
    return resizeAndCrop(picture, size.widthPixels, size.heightPixels);
}

Result<void> MediaPictureWriter::write(const std::string& path, const Picture& picture,
                                       const std::map<std::string, std::string>& text) {
    return writePng(path, picture, text);
}

} // namespace homebooth::core
