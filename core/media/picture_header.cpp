// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_header.h"

#include "core/base/util/regular_file.h"
#include "core/media/byte_view.h"

#include <algorithm>
#include <utility>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

constexpr uint64_t kWebpHeaderBytes = 32;
constexpr uint64_t kFirstChunkData = 20; // behind "RIFF", length, "WEBP", name and length of the chunk
constexpr uint64_t kExtendedBytes = 10;
constexpr uint64_t kMaxProfileBytes = 8 << 20;

struct Extent {
    int64_t width = 0;
    int64_t height = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// What a WebP file says of its size. A decoder takes the canvas only from the very first chunk, and else the
/// first frame: a canvas further down must not make a huge picture look small.
struct WebpExtents {
    std::optional<Extent> canvas;
    std::optional<Extent> frame;

    [[nodiscard]] Extent size(bool animated) const {
        if (!canvas) return frame.value_or(Extent{});
        return animated || !frame || *frame == *canvas ? *canvas : Extent{};
    }
};

void readRiffChunk(const ByteView& view, std::string_view name, uint64_t data, uint64_t length,
                   PictureHeader& header, WebpExtents& extents) {
    PictureInfo& info = header.info;
    if (name == "VP8X" && data == kFirstChunkData && length >= kExtendedBytes) {
        const uint8_t flags = view.u8(data);
        info.alpha = (flags & 0x10) != 0;
        info.animated = (flags & 0x02) != 0;
        extents.canvas = Extent{1 + (view.u32(data + 4) & 0xFFFFFF), 1 + (view.u32(data + 7) & 0xFFFFFF)};
    } else if (name == "VP8 " && !extents.frame) {
        extents.frame = Extent{view.u16(data + 6) & 0x3FFF, view.u16(data + 8) & 0x3FFF};
    } else if (name == "VP8L" && !extents.frame) {
        const uint32_t bits = view.u32(data + 1);
        extents.frame = Extent{1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)};
        if (!extents.canvas) info.alpha = (bits >> 28 & 1) != 0;
    } else if (name == "ICCP" && length <= kMaxProfileBytes) {
        header.iccProfile = view.part(data, length);
    } else if (name == "EXIF") {
        std::string_view exif = view.part(data, length);
        if (exif.starts_with("Exif\0\0"sv)) exif.remove_prefix(6);
        info.orientation = orientationOfExif(exif);
        header.userComment = commentOfExif(exif);
    }
}

void parseByFormat(std::string_view file, PictureHeader& header) {
    switch (header.info.format) {
    case PictureFormat::Jpeg:
        return readJpegHeader(file, header);
    case PictureFormat::Png:
        return readPngHeader(file, header);
    case PictureFormat::WebP:
        return readWebpHeader(file, header);
    case PictureFormat::Tiff:
        return readTiffHeader(file, header);
    case PictureFormat::Bmp:
        return readBmpHeader(file, header);
    case PictureFormat::Gif:
        return readGifHeader(file, header);
    case PictureFormat::Heif:
    case PictureFormat::Avif:
        return readHeifHeader(file, header);
    }
}

} // namespace

std::string_view pictureFormatName(PictureFormat format) {
    switch (format) {
    case PictureFormat::Jpeg:
        return "JPEG";
    case PictureFormat::Png:
        return "PNG";
    case PictureFormat::WebP:
        return "WebP";
    case PictureFormat::Tiff:
        return "TIFF";
    case PictureFormat::Bmp:
        return "BMP";
    case PictureFormat::Gif:
        return "GIF";
    case PictureFormat::Heif:
        return "HEIC";
    case PictureFormat::Avif:
        return "AVIF";
    }
    return "";
}

Error pictureError(const std::string& expected, const std::string& found, const std::string& advice,
                   const std::string& name) {
    return badInput("cannot read the picture: expected " + expected + ", found " + found + "; " + advice,
                    name);
}

std::optional<PictureFormat> recognisePicture(std::string_view start) {
    const ByteView view(start);
    if (view.startsWith("\xFF\xD8\xFF"sv)) return PictureFormat::Jpeg;
    if (view.startsWith("\x89PNG\r\n\x1A\n"sv)) return PictureFormat::Png;
    if (view.startsWith("RIFF"sv) && view.startsWith("WEBP"sv, 8)) return PictureFormat::WebP;
    if (view.startsWith("II*\0"sv) || view.startsWith("MM\0*"sv)) return PictureFormat::Tiff;
    if (isBigTiff(start)) return PictureFormat::Tiff;
    if (view.startsWith("GIF87a"sv) || view.startsWith("GIF89a"sv)) return PictureFormat::Gif;
    if (view.startsWith("BM"sv) && ByteView(start, false).u32(14) >= 12 &&
        ByteView(start, false).u32(14) <= 124) {
        return PictureFormat::Bmp;
    }
    if (view.startsWith("ftyp"sv, 4)) {
        const std::string_view brand = view.part(8, 4);
        for (auto heif : {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "mif1"sv, "hevc"sv, "msf1"sv}) {
            // A file of the general brand is AVIF where its list of brands says so.
            const bool avif = start.substr(0, 64).find("avif") != std::string_view::npos;
            if (brand == heif) return avif ? PictureFormat::Avif : PictureFormat::Heif;
        }
        if (brand == "avif"sv || brand == "avis"sv) return PictureFormat::Avif;
    }
    return std::nullopt;
}

bool isBigTiff(std::string_view start) {
    return start.starts_with("II+\0"sv) || start.starts_with("MM\0+"sv);
}

Result<PictureHeader> readPictureHeader(std::string_view file) {
    if (file.empty()) return pictureError("a picture", "an empty file", "copy the file again");
    const std::optional<PictureFormat> format = recognisePicture(file.substr(0, 64));
    if (!format) {
        return pictureError("JPEG, PNG, WebP, TIFF, BMP, HEIC or AVIF", "another kind of file",
                            "save it as JPEG or PNG, or take it out of the folder");
    }
    if (isBigTiff(file))
        return pictureError("a TIFF of less than 4 GB", "a BigTIFF", "save it as PNG or JPEG");
    PictureHeader header;
    header.info.format = *format;
    parseByFormat(file, header);
    if (header.info.widthPixels <= 0 || header.info.heightPixels <= 0) {
        return pictureError("a width and a height",
                            "a damaged " + std::string(pictureFormatName(*format)) + " header",
                            "copy or save the file again");
    }
    if (header.info.orientation < 1 || header.info.orientation > 8) header.info.orientation = 1;
    header.info.colourProfile = !header.iccProfile.empty();
    return header;
}

Result<PictureInfo> decodePictureInfo(std::string_view file, const std::filesystem::path& name) {
    const auto header = readPictureHeader(file);
    if (!header) return Error{header.error().code, header.error().message, displayName(name)};
    PictureInfo info = header->info;
    if (info.orientation >= 5) std::swap(info.widthPixels, info.heightPixels);
    return info;
}

void readWebpHeader(std::string_view file, PictureHeader& header) {
    const ByteView view(file, false);
    WebpExtents extents;
    for (uint64_t offset = 12; view.has(offset, 8);) {
        const uint64_t length = view.u32(offset + 4);
        readRiffChunk(view, view.part(offset, 4), offset + 8, length, header, extents);
        offset += 8 + length + (length & 1);
    }
    const Extent size = extents.size(header.info.animated);
    header.info.widthPixels = size.width;
    header.info.heightPixels = size.height;
    if (header.info.animated) header.unsupported = "an animated WebP";
    // A file that was cut off would make the decoder print on standard error.
    if (view.size() < kWebpHeaderBytes || !view.has(8, view.u32(4))) header.info.widthPixels = 0;
}

void readBmpHeader(std::string_view file, PictureHeader& header) {
    const ByteView view(file, false);
    const bool old = view.u32(14) == 12;
    // A negative height means that the rows run downwards.
    const int64_t height = old ? view.u16(20) : static_cast<int32_t>(view.u32(22));
    header.info.widthPixels = old ? view.u16(18) : static_cast<int32_t>(view.u32(18));
    header.info.heightPixels = std::max(height, -height);
    // Of 32 bits the last 8 mean something only where the header has a mask for them.
    constexpr uint32_t kWithAlphaMask = 56, kBitFields = 3;
    header.info.alpha = view.u32(14) >= kWithAlphaMask && view.u16(28) == 32 && view.u32(30) == kBitFields &&
                        view.u32(66) != 0;
}

void readGifHeader(std::string_view file, PictureHeader& header) {
    const ByteView view(file, false);
    header.info.widthPixels = view.u16(6);
    header.info.heightPixels = view.u16(8);
    header.info.animated = file.substr(0, 4096).find("NETSCAPE2.0") != std::string_view::npos;
    header.unsupported = header.info.animated ? "an animated GIF" : "a GIF";
}

} // namespace homebooth::core
