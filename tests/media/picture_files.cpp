// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "picture_files.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <zlib.h>

namespace homebooth::test {

using core::Picture;

namespace {

std::string number(uint64_t value, int bytes, bool bigEndian) {
    std::string out;
    for (int i = 0; i < bytes; ++i) {
        const int shift = 8 * (bigEndian ? bytes - 1 - i : i);
        out += static_cast<char>(value >> shift & 0xFF);
    }
    return out;
}

std::string tiffEntry(int tag, int type, uint64_t count, uint64_t value, bool bigEndian) {
    // A SHORT stands at the beginning of its four bytes.
    const std::string data = type == 3 && count == 1 ? number(value, 2, bigEndian) + number(0, 2, bigEndian)
                                                     : number(value, 4, bigEndian);
    return number(static_cast<uint64_t>(tag), 2, bigEndian) +
           number(static_cast<uint64_t>(type), 2, bigEndian) + number(count, 4, bigEndian) + data;
}

std::string riffChunk(const std::string& type, const std::string& data) {
    return type + number(data.size(), 4, false) + data + (data.size() % 2 ? std::string(1, '\0') : "");
}

} // namespace

Picture plain(int64_t width, int64_t height, Colour colour) {
    Picture out{width, height, {}};
    for (int64_t i = 0; i < width * height; ++i) out.rgb.insert(out.rgb.end(), colour.begin(), colour.end());
    return out;
}

Picture quadrants(int64_t width, int64_t height) {
    Picture out{width, height, {}};
    for (int64_t y = 0; y < height; ++y) {
        for (int64_t x = 0; x < width; ++x) {
            const bool right = x >= width / 2, below = y >= height / 2;
            const Colour colour = below ? (right ? Colour{255, 255, 255} : Colour{0, 0, 255})
                                        : (right ? Colour{0, 255, 0} : Colour{255, 0, 0});
            out.rgb.insert(out.rgb.end(), colour.begin(), colour.end());
        }
    }
    return out;
}

Picture storedAs(const Picture& seen, int orientation) {
    // EXIF names the sides of the seen picture at which the stored row 0 and column 0 lie.
    const bool turned = orientation >= 5;
    Picture out{
        turned ? seen.heightPixels : seen.widthPixels, turned ? seen.widthPixels : seen.heightPixels, {}};
    for (int64_t row = 0; row < out.heightPixels; ++row) {
        for (int64_t column = 0; column < out.widthPixels; ++column) {
            int64_t x = turned ? row : column, y = turned ? column : row;
            const bool fromRight =
                orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
            const bool fromBottom =
                orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
            if (fromRight) x = seen.widthPixels - 1 - x;
            if (fromBottom) y = seen.heightPixels - 1 - y;
            const Colour colour = colourAt(seen, x, y);
            out.rgb.insert(out.rgb.end(), colour.begin(), colour.end());
        }
    }
    return out;
}

Colour colourAt(const Picture& picture, int64_t x, int64_t y) {
    const auto at = static_cast<size_t>(3 * (y * picture.widthPixels + x));
    return {picture.rgb.at(at), picture.rgb.at(at + 1), picture.rgb.at(at + 2)};
}

int distance(const Colour& a, const Colour& b) {
    int greatest = 0;
    for (size_t k = 0; k < 3; ++k) greatest = std::max(greatest, std::abs(int{a[k]} - int{b[k]}));
    return greatest;
}

std::string encoded(const Picture& picture, const std::string& ending) {
    const cv::Mat rgb(static_cast<int>(picture.heightPixels), static_cast<int>(picture.widthPixels), CV_8UC3,
                      const_cast<uint8_t*>(picture.rgb.data()));
    cv::Mat bgr;
    cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
    std::vector<uint8_t> bytes;
    cv::imencode(ending, bgr, bytes);
    return std::string(bytes.begin(), bytes.end());
}

std::string zlibPacked(const std::string& data) {
    uLongf length = compressBound(data.size());
    std::string out(length, '\0');
    compress(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(data.data()),
             data.size());
    out.resize(length);
    return out;
}

std::string pngChunk(const std::string& type, const std::string& data) {
    const std::string body = type + data;
    const uLong sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
    return number(data.size(), 4, true) + body + number(sum, 4, true);
}

std::string pngOfSamples(uint32_t width, uint32_t height, uint8_t bits, uint8_t colourType,
                         const std::string& samples, const std::string& extraChunks) {
    std::string header = number(width, 4, true) + number(height, 4, true);
    header += static_cast<char>(bits);
    header += static_cast<char>(colourType);
    header.append(3, '\0');
    std::string rows;
    for (uint32_t y = 0; y < height && !samples.empty(); ++y) {
        const size_t rowBytes = samples.size() / height;
        rows += '\0' + samples.substr(y * rowBytes, rowBytes);
    }
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + extraChunks + pngChunk("IDAT", zlibPacked(rows)) +
           pngChunk("IEND", "");
}

std::string withPngChunk(const std::string& png, const std::string& chunk) {
    return png.substr(0, 33) + chunk + png.substr(33);
}

std::string withExif(const std::string& jpeg, const std::string& exif) {
    const std::string data = std::string("Exif\0\0", 6) + exif;
    return jpeg.substr(0, 2) + "\xFF\xE1" + number(data.size() + 2, 2, true) + data + jpeg.substr(2);
}

std::string withJpegProfile(const std::string& jpeg, const std::string& profile, size_t segmentBytes) {
    const size_t count = (profile.size() + segmentBytes - 1) / segmentBytes;
    std::string segments;
    for (size_t i = 0; i < count; ++i) {
        std::string data =
            std::string("ICC_PROFILE\0", 12) + static_cast<char>(i + 1) + static_cast<char>(count);
        data += profile.substr(i * segmentBytes, segmentBytes);
        segments += "\xFF\xE2" + number(data.size() + 2, 2, true) + data;
    }
    return jpeg.substr(0, 2) + segments + jpeg.substr(2);
}

std::string exifBlock(int orientation, bool bigEndian) {
    return std::string(bigEndian ? "MM" : "II") + number(42, 2, bigEndian) + number(8, 4, bigEndian) +
           number(1, 2, bigEndian) + tiffEntry(274, 3, 1, static_cast<uint64_t>(orientation), bigEndian) +
           number(8, 4, bigEndian); // the "next" directory is this one again: a loop
}

std::string tiffFile(const TiffContent& content) {
    const Picture& picture = content.picture;
    std::string samples;
    for (size_t i = 0; i < picture.rgb.size(); ++i) {
        samples.append(content.bits == 16 ? 2 : 1, static_cast<char>(picture.rgb[i]));
        if (content.alpha >= 0 && i % 3 == 2) {
            samples.append(content.bits == 16 ? 2 : 1, static_cast<char>(content.alpha));
        }
    }
    const uint64_t channels = content.alpha >= 0 ? 4 : 3;
    constexpr bool kBig = false;
    const uint64_t directory = 8,
                   entries = 11 + (content.alpha >= 0 ? 1 : 0) + (content.profile.empty() ? 0 : 1);
    const uint64_t bits = directory + 2 + entries * 12 + 4, pixels = bits + 2 * channels;
    const uint64_t profile = pixels + samples.size();
    std::string out =
        std::string("II") + number(42, 2, kBig) + number(directory, 4, kBig) + number(entries, 2, kBig);
    out += tiffEntry(256, 4, 1, static_cast<uint64_t>(picture.widthPixels), kBig);
    out += tiffEntry(257, 4, 1, static_cast<uint64_t>(picture.heightPixels), kBig);
    out += tiffEntry(258, 3, channels, bits, kBig);
    out += tiffEntry(259, 3, 1, 1, kBig); // uncompressed
    out += tiffEntry(262, 3, 1, 2, kBig); // RGB
    out += tiffEntry(273, 4, 1, pixels, kBig);
    out += tiffEntry(274, 3, 1, static_cast<uint64_t>(content.orientation), kBig);
    out += tiffEntry(277, 3, 1, channels, kBig);
    out += tiffEntry(278, 4, 1, static_cast<uint64_t>(picture.heightPixels), kBig);
    out += tiffEntry(279, 4, 1, samples.size(), kBig);
    out += tiffEntry(284, 3, 1, 1, kBig); // interleaved
    if (content.alpha >= 0) out += tiffEntry(338, 3, 1, content.premultiplied ? 1 : 2, kBig);
    if (!content.profile.empty()) out += tiffEntry(34675, 7, content.profile.size(), profile, kBig);
    out += number(0, 4, kBig);
    for (uint64_t i = 0; i < channels; ++i) out += number(static_cast<uint64_t>(content.bits), 2, kBig);
    return out + samples + content.profile;
}

std::string floatingPointTiff() {
    std::string out = tiffFile({plain(4, 4, {1, 2, 3}), 1, {}, 8, 255, false});
    // The entry of the alpha channel becomes the one of the sample format.
    const std::string entry = tiffEntry(338, 3, 1, 2, false);
    return out.replace(out.find(entry), entry.size(), tiffEntry(339, 3, 1, 3, false));
}

std::string tiffOfTwoSizes(int firstType) {
    constexpr uint64_t kSide = 400;
    std::string out = tiffFile({plain(kSide, kSide, {1, 2, 3}), 1, {}});
    const auto replace = [&out](const std::string& entry, const std::string& other) {
        out.replace(out.find(entry), entry.size(), other);
    };
    for (const int tag : {256, 257})
        replace(tiffEntry(tag, 4, 1, kSide, false), tiffEntry(tag, firstType, 1, kSide, false));
    replace(tiffEntry(274, 3, 1, 1, false), tiffEntry(256, 4, 1, 4, false));
    replace(tiffEntry(284, 3, 1, 1, false), tiffEntry(257, 4, 1, 4, false));
    return out;
}

std::string tiffOfTwoOrientations() {
    std::string out = tiffFile({quadrants(40, 24), 6, {}});
    const std::string entry = tiffEntry(284, 3, 1, 1, false);
    return out.replace(out.find(entry), entry.size(), tiffEntry(274, 3, 1, 1, false));
}

std::string smallTiffAlone() {
    const std::string tiff = tiffFile({plain(4, 4, {1, 2, 3}), 1, {}});
    const std::string entry = tiffEntry(274, 3, 1, 1, false);
    return std::string(tiff).replace(tiff.find(entry), entry.size(), tiffEntry(254, 4, 1, 1, false));
}

std::vector<std::string> rawPhotos() {
    const std::string tiff = tiffFile({plain(4, 4, {1, 2, 3}), 1, {}, 8, 255, false});
    const std::string entry = tiffEntry(338, 3, 1, 2, false);
    const auto with = [&](const std::string& other) {
        return std::string(tiff).replace(tiff.find(entry), entry.size(), other);
    };
    const std::string canon = std::string("II*\0\x10\0\0\0CR\2\0\0\0\0\0", 16) + number(2, 2, false) +
                              tiffEntry(256, 3, 1, 4, false) + tiffEntry(257, 3, 1, 4, false) +
                              number(0, 4, false);
    const std::string preview = with(tiffEntry(254, 4, 1, 1, false));
    constexpr size_t kNext = 8 + 2 + 12 * 12; // says where another directory is
    std::string followed = preview;
    followed.replace(kNext, 4, number(8, 4, false));
    std::string holding = preview; // others, as the place of the orientation says now
    const std::string orientation = tiffEntry(274, 3, 1, 1, false);
    holding.replace(holding.find(orientation), orientation.size(), tiffEntry(330, 4, 1, 8, false));
    return {followed, holding, with(tiffEntry(50706, 1, 4, 0x0401, false)), canon};
}

std::string bmpOfBitFields(uint32_t headerBytes, const std::string& pixel, uint32_t alphaMask) {
    constexpr uint32_t kSide = 2, kBitFields = 3;
    std::string header = number(headerBytes, 4, false) + number(kSide, 4, false) + number(kSide, 4, false) +
                         number(1, 2, false) + number(32, 2, false) + number(kBitFields, 4, false) +
                         std::string(20, '\0');
    for (const uint32_t mask : {0xFF0000U, 0xFF00U, 0xFFU}) header += number(mask, 4, false);
    if (headerBytes > header.size()) header += number(alphaMask, 4, false);
    if (headerBytes > header.size()) header.append(headerBytes - header.size(), '\0');
    const std::string pixels = pixel + pixel + pixel + pixel;
    const uint64_t begin = 14 + header.size();
    return "BM" + number(begin + pixels.size(), 4, false) + number(0, 4, false) + number(begin, 4, false) +
           header + pixels;
}

std::string webpWithProfile(const Picture& picture, const std::string& profile) {
    const std::string simple = encoded(picture, ".webp");
    std::string extended(1, '\x20'); // a profile follows
    extended += std::string(3, '\0') + number(static_cast<uint64_t>(picture.widthPixels - 1), 3, false) +
                number(static_cast<uint64_t>(picture.heightPixels - 1), 3, false);
    const std::string body =
        "WEBP" + riffChunk("VP8X", extended) + riffChunk("ICCP", profile) + simple.substr(12);
    return "RIFF" + number(body.size(), 4, false) + body;
}

std::string webpClaiming(int64_t width, int64_t height, int64_t frameSide, bool canvasFirst) {
    const std::string canvas =
        riffChunk("VP8X", std::string(4, '\0') + number(static_cast<uint64_t>(width - 1), 3, false) +
                              number(static_cast<uint64_t>(height - 1), 3, false));
    const auto side = static_cast<uint64_t>(frameSide - 1);
    const std::string frame =
        riffChunk("VP8L", "\x2F" + number(side | side << 14, 4, false) + std::string(8, '\0'));
    const std::string body = "WEBP" + (canvasFirst ? canvas + frame : frame + canvas);
    return "RIFF" + number(body.size(), 4, false) + body;
}

std::string animatedWebp() {
    std::string extended(1, '\x02');
    extended += std::string(3, '\0') + number(15, 3, false) + number(15, 3, false);
    const std::string body = "WEBP" + riffChunk("VP8X", extended) + riffChunk("ANIM", std::string(6, '\0'));
    return "RIFF" + number(body.size(), 4, false) + body;
}

std::filesystem::path write(const std::filesystem::path& path, const std::string& content) {
    std::filesystem::remove(path); // to overwrite makes some file systems wait for the disk
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

} // namespace homebooth::test
