// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// TIFF structures: the header of TIFF files, and the EXIF blocks of the other formats.
// Only the first directory is read, and EXIF's own: loops of directories cannot trap it.
// Source: TIFF 6.0 (Adobe, 1992); EXIF 2.32 (CIPA DC-008).
#include "core/base/text/text_pieces.h"
#include "core/base/text/unicode.h"
#include "core/media/byte_view.h"
#include "core/media/picture_header.h"

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

enum Tag : uint16_t {
    kSubfileType = 254,
    kWidth = 256,
    kHeight = 257,
    kBitsPerSample = 258,
    kOrientation = 274,
    kSubDirectories = 330,
    kExtraSamples = 338,
    kSampleFormat = 339,
    kIccProfile = 34675,
    kExifDirectory = 34665,
    kUserComment = 37510,
    kDngVersion = 50706,
};
constexpr const char* kRawPhoto = "a raw photo of a camera, or another file that begins with a small preview";
constexpr uint64_t kEntryBytes = 12;
constexpr uint64_t kMaxProfileBytes = 8 << 20;

uint64_t elementBytes(uint16_t type) {
    switch (type) {
    case 3:
        return 2; // SHORT
    case 4:
        return 4; // LONG
    case 1:
    case 2:
    case 7:
        return 1; // BYTE, ASCII, UNDEFINED
    default:
        return 0;
    }
}

/// One entry of a directory; its first number, and its bytes.
struct Entry {
    uint16_t tag = 0;
    uint64_t count = 0;
    uint32_t value = 0;
    std::string_view bytes;
};

Entry entryAt(const ByteView& view, uint64_t offset) {
    Entry entry;
    entry.tag = view.u16(offset);
    const uint64_t element = elementBytes(view.u16(offset + 2));
    entry.count = view.u32(offset + 4);
    const uint64_t length = element * entry.count;
    const uint64_t data = length <= 4 ? offset + 8 : view.u32(offset + 8);
    entry.bytes = view.part(data, length);
    if (element == 2) entry.value = view.u16(data);
    if (element == 4) entry.value = view.u32(data);
    if (element == 1) entry.value = view.u8(data);
    return entry;
}

/// Calls `take(entry)` for each entry of a directory, by default the first. @returns  whether another one
/// follows
template <class Take>
bool forEachEntry(std::string_view tiff, Take take, uint64_t directory = 0) {
    if (!tiff.starts_with("II*\0"sv) && !tiff.starts_with("MM\0*"sv)) return false;
    const ByteView view(tiff, tiff.starts_with("MM"));
    if (directory == 0) directory = view.u32(4);
    const uint64_t count = view.u16(directory);
    for (uint64_t i = 0; i < count && view.has(directory + 2 + i * kEntryBytes, kEntryBytes); ++i) {
        take(entryAt(view, directory + 2 + i * kEntryBytes));
    }
    return view.u32(directory + 2 + count * kEntryBytes) != 0;
}

/// Whether the first byte of two is the greater one: by its mark, else by the zeros of plain letters.
/// Programs take the one order or the other, whatever the block's own is.
bool isBigEndian(std::string_view text, bool blockIs) {
    if (text.starts_with("\xFE\xFF"sv) || text.starts_with("\xFF\xFE"sv)) return text[0] == '\xFE';
    int64_t more = 0; // zeros in front than behind
    for (size_t at = 0; at + 1 < text.size(); at += 2) more += (text[at] == 0) - (text[at + 1] == 0);
    return more == 0 ? blockIs : more > 0;
}

} // namespace

std::string commentOfExif(std::string_view tiff) {
    constexpr size_t kCodeBytes = 8, kMostBytes = 1 << 20;
    uint64_t directory = 0;
    std::string_view comment;
    forEachEntry(tiff, [&directory](const Entry& entry) {
        if (entry.tag == kExifDirectory) directory = entry.value;
    });
    if (directory == 0) return {};
    forEachEntry(
        tiff,
        [&comment](const Entry& entry) {
            if (entry.tag == kUserComment) comment = entry.bytes;
        },
        directory);
    if (comment.size() < kCodeBytes || comment.size() > kMostBytes) return {};
    const std::string_view code = comment.substr(0, kCodeBytes);
    comment.remove_prefix(kCodeBytes);
    if (code == "UNICODE\0"sv) {
        const std::string text = fromUtf16(comment, isBigEndian(comment, tiff.starts_with("MM")));
        return text.substr(0, text.find('\0'));
    }
    if (!code.starts_with("ASCII"sv) && code != "\0\0\0\0\0\0\0\0"sv) return {};
    return wellFormedUtf8(comment.substr(0, comment.find('\0')));
}

int orientationOfExif(std::string_view tiff) {
    int orientation = 1;
    forEachEntry(tiff, [&orientation](const Entry& entry) {
        if (entry.tag == kOrientation) orientation = static_cast<int>(entry.value);
    });
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

void readTiffHeader(std::string_view file, PictureHeader& header) {
    bool preview = false;
    bool others = false;
    bool sizeIsClear = true;
    // Of two entries decoders take the first, and they read more types of numbers than we do: what is not
    // clear here could be another size than the one that is checked.
    const auto takeSide = [&sizeIsClear](const Entry& entry, int64_t& side) {
        sizeIsClear = sizeIsClear && side == 0 && !entry.bytes.empty();
        side = entry.value;
    };
    const bool follows = forEachEntry(file, [&](const Entry& entry) {
        if (entry.tag == kWidth) takeSide(entry, header.info.widthPixels);
        if (entry.tag == kHeight) takeSide(entry, header.info.heightPixels);
        if (entry.tag == kOrientation) header.info.orientation = static_cast<int>(entry.value);
        if (entry.tag == kExtraSamples) {
            header.info.alpha = entry.value == 1 || entry.value == 2;
            header.premultiplied = entry.value == 1;
        }
        if (entry.tag == kIccProfile && entry.bytes.size() <= kMaxProfileBytes)
            header.iccProfile = entry.bytes;
        if (entry.tag == kSampleFormat && entry.value == 3)
            header.unsupported = "a TIFF of floating-point numbers";
        if (entry.tag == kBitsPerSample && entry.value > 16)
            header.unsupported = "a TIFF of more than 16 bits";
        if (entry.tag == kDngVersion) header.unsupported = kRawPhoto;
        if (entry.tag == kSubfileType) preview = (entry.value & 1) != 0;
        if (entry.tag == kSubDirectories) others = true;
    });
    if (!sizeIsClear) header.info.widthPixels = 0;
    // What could be decoded of it is the preview alone, which may have 160 x 120 pixels. One by itself is
    // what there is.
    if (preview && (others || follows)) header.unsupported = kRawPhoto;
    if (ByteView(file).startsWith("II*\0\x10\0\0\0CR\2"sv)) header.unsupported = kRawPhoto; // of Canon
}

} // namespace homebooth::core
