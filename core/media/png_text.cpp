// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/png_text.h"

#include "core/base/util/regular_file.h"
#include "core/media/picture_header.h"
#include "core/media/png_chunks.h"

namespace homebooth::core {

Result<PngText> readPngText(const std::filesystem::path& path) {
    HOMEBOOTH_ASSIGN(const std::string file, readRegularFile(path, kMaxPictureFileBytes));
    if (recognisePicture(std::string_view(file).substr(0, 64)) != PictureFormat::Png) {
        return pictureError("a PNG picture", "another kind of file", "choose a PNG file", displayName(path));
    }
    return pngTextOf(file);
}

PngText decodePngText(std::string_view file) {
    return recognisePicture(file.substr(0, 64)) == PictureFormat::Png ? pngTextOf(file) : PngText();
}

} // namespace homebooth::core
