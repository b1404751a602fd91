// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_io.h"

#include "core/base/files/atomic_file.h"
#include "core/base/util/regular_file.h"
#include "core/media/colour_profile.h"
#include "core/media/picture_decoder.h"
#include "core/media/picture_header.h"
#include "core/media/png_chunks.h"

#include <new>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace homebooth::core {
namespace {

Error named(const Error& error, const std::filesystem::path& path) {
    return Error{error.code, error.message, displayName(path)};
}

Result<DecodedPicture> decode(const DecodeRequest& request) {
    switch (request.header.info.format) {
    case PictureFormat::Jpeg:
        return decodeJpeg(request);
    case PictureFormat::Png:
        return decodePng(request);
    case PictureFormat::Heif:
    case PictureFormat::Avif:
        return decodeHeif(request);
    default:
        return decodeWithOpenCv(request);
    }
}

/// Blends transparent pixels with the background.
void flatten(DecodedPicture& decoded, const std::array<uint8_t, 3>& background) {
    for (size_t i = 0; i < decoded.alpha.size(); ++i) {
        const int alpha = decoded.alpha[i];
        for (size_t k = 0; k < 3; ++k) {
            uint8_t& value = decoded.picture.rgb[i * 3 + k];
            value = static_cast<uint8_t>((value * alpha + background[k] * (255 - alpha) + 127) / 255);
        }
    }
    decoded.alpha.clear();
}

/// Turns a picture as EXIF orientation 1-8 says.
void turnUpright(Picture& picture, int orientation) {
    if (orientation <= 1) return;
    Picture out;
    const bool turned = orientation >= 5;
    out.widthPixels = turned ? picture.heightPixels : picture.widthPixels;
    out.heightPixels = turned ? picture.widthPixels : picture.heightPixels;
    out.rgb.resize(picture.rgb.size());
    const cv::Mat from(static_cast<int>(picture.heightPixels), static_cast<int>(picture.widthPixels), CV_8UC3,
                       picture.rgb.data());
    cv::Mat to(static_cast<int>(out.heightPixels), static_cast<int>(out.widthPixels), CV_8UC3,
               out.rgb.data());
    constexpr int kBoth = -1, kUpsideDown = 0, kLeftRight = 1;
    switch (orientation) {
    case 2:
        cv::flip(from, to, kLeftRight);
        break;
    case 3:
        cv::flip(from, to, kBoth);
        break;
    case 4:
        cv::flip(from, to, kUpsideDown);
        break;
    case 5:
        cv::transpose(from, to);
        break;
    case 6:
        cv::rotate(from, to, cv::ROTATE_90_CLOCKWISE);
        break;
    case 7: {
        cv::Mat transposed;
        cv::transpose(from, transposed);
        cv::flip(transposed, to, kBoth);
        break;
    }
    default:
        cv::rotate(from, to, cv::ROTATE_90_COUNTERCLOCKWISE);
        break;
    }
    picture = std::move(out);
}

Result<void> checkSize(const PictureInfo& info, int64_t maxPixels) {
    if (info.widthPixels <= maxPixels / info.heightPixels) return {};
    return pictureError("at most " + std::to_string(maxPixels / 1'000'000) + " million pixels",
                        std::to_string(info.widthPixels) + " x " + std::to_string(info.heightPixels),
                        "save it smaller");
}

/// Of a picture that may be decoded.
Result<PictureHeader> acceptedHeader(std::string_view file, const ReadPictureOptions& options) {
    HOMEBOOTH_ASSIGN(PictureHeader header, readPictureHeader(file));
    HOMEBOOTH_CHECK(checkSize(header.info, options.maxPixels));
    if (header.unsupported.empty()) return header;
    return pictureError("a still picture of 8 or 16 bits", header.unsupported, "save it as PNG or JPEG");
}

Result<Picture> readFrom(std::string_view file, const ReadPictureOptions& options,
                         std::vector<std::string>& warnings) {
    HOMEBOOTH_ASSIGN(const PictureHeader header, acceptedHeader(file, options));
    if (header.info.animated) warnings.emplace_back("only the first frame of the animation is used");
    HOMEBOOTH_ASSIGN(DecodedPicture decoded, decode({file, header, options.minSidePixels, warnings}));
    if (!decoded.inSrgb) profileToSrgb(decoded.picture, header.iccProfile, warnings);
    flatten(decoded, options.background);
    if (!decoded.upright) turnUpright(decoded.picture, header.info.orientation);
    return std::move(decoded.picture);
}

Result<std::string> encodePng(const Picture& picture) {
    const cv::Mat rgb(static_cast<int>(picture.heightPixels), static_cast<int>(picture.widthPixels), CV_8UC3,
                      const_cast<uint8_t*>(picture.rgb.data()));
    std::vector<uint8_t> bytes;
    try {
        cv::Mat bgr;
        cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
        if (cv::imencode(".png", bgr, bytes)) return std::string(bytes.begin(), bytes.end());
    } catch (const cv::Exception&) {
        bytes.clear();
    }
    return Error{ErrorCode::Internal,
                 "cannot encode a picture of " + std::to_string(picture.widthPixels) + " x " +
                     std::to_string(picture.heightPixels) + " pixels as PNG",
                 {}};
}

} // namespace

Result<Picture> readPicture(const std::filesystem::path& path, const ReadPictureOptions& options,
                            std::vector<std::string>* warnings) {
    HOMEBOOTH_ASSIGN(const std::string file, readRegularFile(path, kMaxPictureFileBytes));
    return decodePicture(file, path, options, warnings);
}

Result<Picture> decodePicture(std::string_view file, const std::filesystem::path& name,
                              const ReadPictureOptions& options, std::vector<std::string>* warnings) {
    std::vector<std::string> remarks;
    try {
        auto read = readFrom(file, options, remarks);
        if (!read) return named(read.error(), name);
        if (warnings) {
            for (const std::string& remark : remarks) warnings->push_back(displayName(name) + ": " + remark);
        }
        return read;
    } catch (const std::bad_alloc&) {
        return Error{
            ErrorCode::OutOfResources,
            "cannot read the picture: not enough memory for its size; close other programs or save it "
            "smaller",
            displayName(name)};
    }
}

Result<void> checkPictureHeader(std::string_view file, const std::filesystem::path& name,
                                const ReadPictureOptions& options) {
    const auto header = acceptedHeader(file, options);
    return header ? Result<void>() : named(header.error(), name);
}

Result<void> writePng(const std::filesystem::path& path, const Picture& picture, const PngText& text) {
    const bool whole =
        picture.widthPixels > 0 && picture.heightPixels > 0 &&
        picture.rgb.size() == static_cast<size_t>(3 * picture.widthPixels * picture.heightPixels);
    if (!whole) return badInput("cannot write the picture: it has no pixels", displayName(path));
    HOMEBOOTH_ASSIGN(const std::string bare, encodePng(picture));
    auto file = withPngText(bare, text);
    if (!file) return named(file.error(), path);
    return writeFileAtomically(path.native(), *file);
}

} // namespace homebooth::core
