// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// WebP, TIFF and BMP through OpenCV. It throws above 2^30 pixels and on some damaged files; that ends
// here.
#include "core/media/picture_decoder.h"
#include "core/media/quiet_errors.h"

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace homebooth::core {
namespace {

Error damaged(const DecodeRequest& request) {
    const std::string format(pictureFormatName(request.header.info.format));
    return pictureError("a " + format + " picture", "a damaged or unknown one",
                        "copy the file again, or save it as PNG with 8 or 16 bits");
}

/// Whether the size is the one that the header says, which has been checked.
bool hasSizeOf(const PictureInfo& info, const cv::Mat& stored) {
    // OpenCV turns TIFF upright by itself, whatever it is asked for; WebP it leaves.
    const bool turned = info.format == PictureFormat::Tiff && info.orientation >= 5;
    return stored.cols == (turned ? info.heightPixels : info.widthPixels) &&
           stored.rows == (turned ? info.widthPixels : info.heightPixels);
}

/// 8 bits per channel; empty for other depths.
cv::Mat toEightBits(const cv::Mat& pixels) {
    cv::Mat out;
    if (pixels.depth() == CV_8U) return pixels;
    if (pixels.depth() == CV_16U) pixels.convertTo(out, CV_8U, 1.0 / 257.0);
    return out;
}

/// Colour and alpha apart; `pixels` has 1, 3 or 4 channels in OpenCV's order.
DecodedPicture split(const cv::Mat& pixels) {
    DecodedPicture out;
    out.picture.widthPixels = pixels.cols;
    out.picture.heightPixels = pixels.rows;
    const size_t count = static_cast<size_t>(pixels.cols) * static_cast<size_t>(pixels.rows);
    out.picture.rgb.resize(count * 3);
    cv::Mat rgb(pixels.rows, pixels.cols, CV_8UC3, out.picture.rgb.data());
    const int conversion = pixels.channels() == 1   ? cv::COLOR_GRAY2RGB
                           : pixels.channels() == 3 ? cv::COLOR_BGR2RGB
                                                    : cv::COLOR_BGRA2RGB;
    cv::cvtColor(pixels, rgb, conversion);
    if (pixels.channels() == 4) {
        out.alpha.resize(count);
        cv::Mat alpha(pixels.rows, pixels.cols, CV_8UC1, out.alpha.data());
        cv::extractChannel(pixels, alpha, 3);
    }
    return out;
}

void divideByAlpha(DecodedPicture& decoded) {
    for (size_t i = 0; i < decoded.alpha.size(); ++i) {
        const int alpha = std::max<int>(decoded.alpha[i], 1);
        for (size_t k = 0; k < 3; ++k) {
            uint8_t& value = decoded.picture.rgb[i * 3 + k];
            value = static_cast<uint8_t>(std::min((value * 255 + alpha / 2) / alpha, 255));
        }
    }
}

} // namespace

Result<DecodedPicture> decodeWithOpenCv(const DecodeRequest& request) {
    // What OpenCV prints about a damaged file would stand beside our own message; older ones log some of it,
    // and write the rest themselves.
    const QuietErrors quiet;
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    try {
        const cv::Mat file(1, static_cast<int>(request.file.size()), CV_8UC1,
                           const_cast<char*>(request.file.data()));
        const cv::Mat stored = cv::imdecode(file, cv::IMREAD_UNCHANGED);
        if (!hasSizeOf(request.header.info, stored)) return damaged(request);
        const cv::Mat pixels = toEightBits(stored);
        if (pixels.empty() || pixels.channels() == 2 || pixels.channels() > 4) return damaged(request);
        DecodedPicture out = split(pixels);
        const bool isTiff = request.header.info.format == PictureFormat::Tiff;
        // BMP arrives with an alpha of whatever lies beside its colours, mostly zeros.
        if (request.header.info.format == PictureFormat::Bmp && !request.header.info.alpha) out.alpha.clear();
        // Through libtiff, 8-bit TIFF arrives multiplied by its alpha, whatever the file holds.
        if (isTiff && (request.header.premultiplied || stored.depth() == CV_8U)) divideByAlpha(out);
        out.upright = isTiff;
        return out;
    } catch (const cv::Exception&) {
        return damaged(request);
    }
}

} // namespace homebooth::core
