// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/header_bytes.h"

#include "core/base/files/file_reader.h"
#include "core/base/util/regular_file.h"
#include "core/media/byte_view.h"
#include "core/media/picture_header.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

constexpr int64_t kStartBytes = 64;         // what a picture is recognised by
constexpr int64_t kPlainHeaderBytes = 4096; // more than is looked at of BMP and GIF
constexpr int64_t kPageBytes = 4096;
constexpr int64_t kManyBytes = int64_t{64} << 10; // JPEGs usually have less before their pixels

Result<std::string> piece(const FileReader& file, int64_t offset, int64_t count) {
    std::string bytes(static_cast<size_t>(count), '\0');
    HOMEBOOTH_CHECK(file.readInto(offset, std::as_writable_bytes(std::span(bytes))));
    return bytes;
}

/// Heads of chunks, which may lie side by side or far from each other.
class ChunkHeads {
public:
    static constexpr int64_t kBytes = 8;

    explicit ChunkHeads(const FileReader& file)
        : m_file(file) {}

    /// The head at an offset at which the file has one; valid until the next call.
    [[nodiscard]] Result<std::string_view> at(int64_t offset) {
        if (offset < m_begin || offset + kBytes > m_begin + std::ssize(m_page)) {
            const int64_t count = std::min(kPageBytes, m_file.identity().bytes - offset);
            HOMEBOOTH_ASSIGN(m_page, piece(m_file, offset, count));
            m_begin = offset;
        }
        return std::string_view(m_page).substr(static_cast<size_t>(offset - m_begin), kBytes);
    }

private:
    const FileReader& m_file;
    std::string m_page;
    int64_t m_begin = 0;
};

Result<std::string> jpegHeader(const FileReader& file) {
    const int64_t size = file.identity().bytes;
    for (int64_t count = kManyBytes;; count *= 4) {
        HOMEBOOTH_ASSIGN(std::string start, piece(file, 0, std::min(count, size)));
        if (count >= size || jpegHeaderEndsIn(start)) return start;
    }
}

/// The last chunk of pixels before the end of a PNG file, so that the many before it need not be walked over;
/// `first` where it cannot be told. What lies between may be damaged: whoever decodes it will say so.
Result<int64_t> lastPixels(const FileReader& file, int64_t first) {
    const int64_t size = file.identity().bytes;
    const int64_t begin = std::max(first, size - kManyBytes);
    HOMEBOOTH_ASSIGN(const std::string end, piece(file, begin, size - begin));
    const ByteView view(end);
    for (size_t name = end.find("IDAT"); name != std::string::npos; name = end.find("IDAT", name + 1)) {
        if (name < 4) continue;
        uint64_t offset = name - 4;
        while (view.has(offset, 12) && !view.startsWith("IEND"sv, offset + 4))
            offset += 12 + uint64_t{view.u32(offset)};
        if (view.has(offset, 12) && offset + 12 == end.size()) return begin + static_cast<int64_t>(name) - 4;
    }
    return first;
}

/// The chunks that say something of the picture, those behind its pixels included, and one of no pixels.
Result<std::string> pngHeader(const FileReader& file) {
    constexpr int64_t kSignatureBytes = 8, kCheckBytes = 4, kLeastChunk = 12;
    const int64_t size = file.identity().bytes;
    ChunkHeads heads(file);
    HOMEBOOTH_ASSIGN(std::string kept, piece(file, 0, kSignatureBytes));
    bool pixels = false;
    for (int64_t offset = kSignatureBytes; offset + kLeastChunk <= size;) {
        HOMEBOOTH_ASSIGN(const std::string_view head, heads.at(offset));
        const std::string_view type = head.substr(4);
        const int64_t length = ByteView(head).u32(0);
        if (type == "IEND"sv) break;
        if (type == "IDAT"sv && !pixels) {
            pixels = true;
            kept.append("\0\0\0\0IDAT\0\0\0\0"sv);
            HOMEBOOTH_ASSIGN(const int64_t last, lastPixels(file, offset));
            if (last > offset) {
                offset = last;
                continue;
            }
        } else if (type == "IHDR"sv || type == "eXIf"sv || type == "tRNS"sv || type == "acTL"sv ||
                   type == "iCCP"sv) {
            const bool whole = length <= size - offset - ChunkHeads::kBytes;
            HOMEBOOTH_ASSIGN(const std::string data,
                             piece(file, offset + ChunkHeads::kBytes, whole ? length : 0));
            kept.append(whole ? head.substr(0, 4) : "\0\0\0\0"sv).append(type).append(data);
            kept.append(kCheckBytes, '\0');
        }
        offset += kLeastChunk + length;
    }
    return kept;
}

void appendLittleEndian(std::string& bytes, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xFF);
}

/// The chunks that say something of the picture, and the beginnings of its pixels. The first one stays what
/// it is: a canvas counts only there.
Result<std::string> webpHeader(const FileReader& file) {
    constexpr int64_t kLeastBytes = 32, kFirstChunk = 12, kCanvasBytes = 10, kFrameBytes = 16;
    const int64_t size = file.identity().bytes;
    if (size < kLeastBytes) return piece(file, 0, size);
    ChunkHeads heads(file);
    std::string chunks = "WEBP";
    for (int64_t offset = kFirstChunk; offset + ChunkHeads::kBytes <= size;) {
        HOMEBOOTH_ASSIGN(const std::string_view head, heads.at(offset));
        const std::string_view name = head.substr(0, 4);
        const int64_t length = ByteView(head, false).u32(4);
        const int64_t left = size - offset - ChunkHeads::kBytes;
        const bool whole = name == "ICCP"sv || name == "EXIF"sv;
        const bool canvas = name == "VP8X"sv && length >= kCanvasBytes;
        const bool frame = canvas || name == "VP8 "sv || name == "VP8L"sv;
        if (whole || frame || offset == kFirstChunk) {
            const int64_t count = frame ? std::min(left, kFrameBytes) : whole && length <= left ? length : 0;
            HOMEBOOTH_ASSIGN(std::string data, piece(file, offset + ChunkHeads::kBytes, count));
            if (frame) data.resize(kFrameBytes);
            chunks.append(name);
            appendLittleEndian(chunks, static_cast<uint32_t>(data.size()));
            chunks.append(data).append(data.size() & 1, '\0');
        }
        offset += ChunkHeads::kBytes + length + (length & 1);
    }
    HOMEBOOTH_ASSIGN(const std::string_view riff, heads.at(0));
    const bool isWhole = ByteView(riff, false).u32(4) <= size - ChunkHeads::kBytes;
    std::string kept(riff.substr(0, 4));
    appendLittleEndian(kept, isWhole ? static_cast<uint32_t>(chunks.size()) : UINT32_MAX);
    return kept.append(chunks);
}

} // namespace

Result<std::string> headerBytes(const std::filesystem::path& path) {
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    const int64_t size = file.identity().bytes;
    if (size > kMaxPictureFileBytes) return readRegularFile(path, kMaxPictureFileBytes); // which refuses it
    HOMEBOOTH_ASSIGN(std::string start, piece(file, 0, std::min(size, kStartBytes)));
    const std::optional<PictureFormat> format = recognisePicture(start);
    if (!format) return start;
    switch (*format) {
    case PictureFormat::Jpeg:
        return jpegHeader(file);
    case PictureFormat::Png:
        return pngHeader(file);
    case PictureFormat::WebP:
        return webpHeader(file);
    case PictureFormat::Bmp:
    case PictureFormat::Gif:
        return piece(file, 0, std::min(size, kPlainHeaderBytes));
    case PictureFormat::Tiff:
    case PictureFormat::Heif:
    case PictureFormat::Avif:
        break;
    }
    return piece(file, 0, size);
}

// Not in picture_io.cpp: programs that ask for headers alone would load OpenCV.
Result<PictureInfo> pictureInfo(const std::filesystem::path& path) {
    HOMEBOOTH_ASSIGN(const std::string header, headerBytes(path));
    return decodePictureInfo(header, path);
}

} // namespace homebooth::core
