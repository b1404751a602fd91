// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/png_chunks.h"

#include "core/base/text/unicode.h"
#include "core/media/byte_view.h"
#include "core/media/picture_header.h"

#include <algorithm>
#include <zlib.h>

namespace homebooth::core {
namespace {

constexpr size_t kSignatureBytes = 8;
constexpr size_t kMaxTextBytes = 16 << 20; // of all texts of a file, packed and unpacked
constexpr size_t kMaxProfileBytes = 8 << 20;
constexpr size_t kMaxKeywordBytes = 79;

void appendU32(std::string& out, uint64_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFF);
}

std::string chunk(std::string_view type, std::string_view data) {
    std::string out;
    appendU32(out, data.size());
    const size_t begin = out.size();
    out.append(type).append(data);
    appendU32(out, crc32(0, reinterpret_cast<const Bytef*>(out.data() + begin),
                         static_cast<uInt>(out.size() - begin)));
    return out;
}

std::string latin1ToUtf8(std::string_view text) {
    std::string out;
    for (char c : text) appendUtf8(out, static_cast<unsigned char>(c));
    return out;
}

/// Cuts `data` behind the next zero byte and returns what stood before it.
std::string_view takeUpToZero(std::string_view& data) {
    const size_t end = std::min(data.find('\0'), data.size());
    const std::string_view taken = data.substr(0, end);
    data.remove_prefix(std::min(end + 1, data.size()));
    return taken;
}

std::string internationalText(std::string_view data, size_t& roomBytes) {
    const bool packed = !data.empty() && data[0] == 1;
    data.remove_prefix(std::min<size_t>(2, data.size()));
    takeUpToZero(data); // language
    takeUpToZero(data); // translated keyword
    return packed ? unpackZlib(data, roomBytes) : std::string(data);
}

bool isKeyword(std::string_view keyword) {
    const auto allowed = [](char c) { return c >= 32 && c <= 126; };
    return !keyword.empty() && keyword.size() <= kMaxKeywordBytes &&
           std::all_of(keyword.begin(), keyword.end(), allowed) && keyword.front() != ' ' &&
           keyword.back() != ' ' && keyword.find("  ") == std::string_view::npos;
}

} // namespace

void forEachPngChunk(std::string_view file,
                     const std::function<bool(std::string_view, std::string_view)>& take) {
    const ByteView view(file);
    for (uint64_t offset = kSignatureBytes; view.has(offset, 12);) {
        const uint64_t length = view.u32(offset);
        const std::string_view type = view.part(offset + 4, 4);
        // A chunk that ends behind the file shows what there is of nothing: its data is empty.
        if (!take(type, view.part(offset + 8, length)) || type == "IEND") return;
        offset += 12 + length;
    }
}

std::string unpackZlib(std::string_view packed, size_t& roomBytes) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return {};
    std::string out;
    char buffer[16384];
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    int state = Z_OK;
    while (state == Z_OK && out.size() <= roomBytes) {
        stream.next_out = reinterpret_cast<Bytef*>(buffer);
        stream.avail_out = sizeof buffer;
        state = inflate(&stream, Z_NO_FLUSH);
        out.append(buffer, sizeof buffer - stream.avail_out);
    }
    inflateEnd(&stream);
    const bool whole = state == Z_STREAM_END && out.size() <= roomBytes;
    roomBytes -= std::min(out.size(), roomBytes);
    return whole ? out : std::string();
}

PngText pngTextOf(std::string_view file) {
    PngText text;
    // One for all: a file of a few MB may hold hundreds of texts that unpack to a thousand times their size.
    size_t roomBytes = kMaxTextBytes;
    forEachPngChunk(file, [&text, &roomBytes](std::string_view type, std::string_view data) {
        if (type != "tEXt" && type != "zTXt" && type != "iTXt") return true;
        if (data.size() > roomBytes) return true;
        roomBytes -= data.size();
        const std::string keyword = latin1ToUtf8(takeUpToZero(data));
        if (type == "tEXt") text[keyword] = latin1ToUtf8(data);
        if (type == "iTXt") text[keyword] = internationalText(data, roomBytes);
        if (type == "zTXt" && !data.empty())
            text[keyword] = latin1ToUtf8(unpackZlib(data.substr(1), roomBytes));
        return true;
    });
    return text;
}

Result<std::string> withPngText(std::string_view file, const PngText& text) {
    constexpr size_t kHeaderEnd = kSignatureBytes + 12 + 13; // signature and IHDR
    std::string out(file.substr(0, kHeaderEnd));
    for (const auto& [keyword, value] : text) {
        if (!isKeyword(keyword)) {
            return badInput(
                "cannot write PNG text: expected a keyword of 1 to 79 plain characters, found \"" + keyword +
                "\"; choose another keyword");
        }
        const bool ascii = std::all_of(value.begin(), value.end(),
                                       [](char c) { return c == '\n' || (c >= 32 && c <= 126); });
        std::string data = keyword;
        data.append(ascii ? 1 : 5, '\0'); // iTXt: end of keyword, two flags, two empty texts
        data += value;
        out += chunk(ascii ? "tEXt" : "iTXt", data);
    }
    out.append(file.substr(kHeaderEnd));
    return out;
}

void readPngHeader(std::string_view file, PictureHeader& header) {
    bool inPixels = false;
    bool profileSeen = false;
    forEachPngChunk(file, [&](std::string_view type, std::string_view data) {
        const ByteView view(data);
        // The orientation alone may stand behind the pixels, where ImageMagick writes it.
        if (type == "eXIf") header.info.orientation = orientationOfExif(data);
        inPixels = inPixels || type == "IDAT";
        if (inPixels) return true;
        if (type == "IHDR") {
            header.info.widthPixels = view.u32(0);
            header.info.heightPixels = view.u32(4);
            header.info.alpha = (view.u8(9) & 4) != 0;
        }
        if (type == "tRNS") header.info.alpha = true;
        if (type == "acTL") header.info.animated = view.u32(0) > 1;
        if (type == "iCCP" && !profileSeen) {
            profileSeen = true; // one is allowed; to unpack any number could take minutes
            size_t roomBytes = kMaxProfileBytes;
            const size_t name = std::min(data.find('\0'), data.size());
            if (name + 2 <= data.size()) header.iccProfile = unpackZlib(data.substr(name + 2), roomBytes);
        }
        return true;
    });
    if (header.info.widthPixels > INT32_MAX || header.info.heightPixels > INT32_MAX)
        header.info.widthPixels = 0;
}

} // namespace homebooth::core
