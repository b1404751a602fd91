// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Picture files for the tests, made in memory: every kind that people's folders hold, and hostile ones.
#pragma once

#include "core/base/util/picture.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace homebooth::test {

using Colour = std::array<uint8_t, 3>;

/// One colour all over.
core::Picture plain(int64_t width, int64_t height, Colour colour);

/// Four colours: red and green above, blue and white below.
core::Picture quadrants(int64_t width, int64_t height);

/// The pixels that a camera held in EXIF `orientation` stores for what should be seen.
core::Picture storedAs(const core::Picture& seen, int orientation);

Colour colourAt(const core::Picture& picture, int64_t x, int64_t y);

/// The greatest difference of a channel.
int distance(const Colour& a, const Colour& b);

/// Encodes by OpenCV. @param ending  such as ".png"
std::string encoded(const core::Picture& picture, const std::string& ending);

// PNG
std::string pngOfSamples(uint32_t width, uint32_t height, uint8_t bits, uint8_t colourType,
                         const std::string& samples, const std::string& extraChunks = {});
std::string pngChunk(const std::string& type, const std::string& data);
std::string withPngChunk(const std::string& png, const std::string& chunk); ///< behind the header
std::string zlibPacked(const std::string& data);

// JPEG
std::string withExif(const std::string& jpeg, const std::string& exif);
std::string withJpegProfile(const std::string& jpeg, const std::string& profile, size_t segmentBytes);
std::string progressiveJpegOfScans(int count); ///< the same scan again and again
std::string cmykJpeg(int width, int height, std::array<uint8_t, 4> samples, bool adobeMarker);

// TIFF and EXIF
std::string exifBlock(int orientation, bool bigEndian);
struct TiffContent {
    core::Picture picture;
    int orientation = 1;
    std::string profile;
    int bits = 8;               ///< or 16
    int alpha = -1;             ///< of every pixel; -1: no such channel
    bool premultiplied = false; ///< colours hold what is left of them behind the alpha
};
std::string tiffFile(const TiffContent& content); ///< uncompressed
std::string floatingPointTiff();
/// 400 x 400 pixels, as its first two entries say in numbers of `firstType`; others behind them say 4 x 4.
std::string tiffOfTwoSizes(int firstType);
std::string tiffOfTwoOrientations(); ///< to be turned by a quarter, and not at all
/// Its one picture says that it is the preview of another.
std::string smallTiffAlone();
/// As cameras write them, each with a preview of 4 x 4 pixels in front: two of Nikon, in DNG, of Canon.
std::vector<std::string> rawPhotos();

// BMP
/// 2 x 2 pixels of 32 bits, all of them `pixel`, with masks in the usual order.
std::string bmpOfBitFields(uint32_t headerBytes, const std::string& pixel, uint32_t alphaMask);

// WebP and HEIC
std::string webpWithProfile(const core::Picture& picture, const std::string& profile);
std::string animatedWebp();
/// A header alone: a canvas and the square frame of a lossless picture, one of them first.
std::string webpClaiming(int64_t width, int64_t height, int64_t frameSide, bool canvasFirst);
std::string heicFile(const core::Picture& picture, const std::string& profile = {}, int quarterTurns = 0);

// Colour profiles
std::string redAndGreenSwappedProfile();
std::string linearProfileCalledSrgb();
std::string greyProfileOfGammaOne();
std::string cmykProfileWhereCyanIsBlack();

std::filesystem::path write(const std::filesystem::path& path, const std::string& content);

} // namespace homebooth::test
