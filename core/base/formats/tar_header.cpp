// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/tar_header.h"

#include <charconv>
#include <limits>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

struct Field {
    size_t offset;
    size_t length;
};
constexpr Field kName{0, 100};
constexpr Field kSize{124, 12};
constexpr Field kChecksum{148, 8};
constexpr size_t kType = 156;
constexpr Field kLinkName{157, 100};
constexpr Field kMagic{257, 6};
constexpr Field kPrefix{345, 155};

std::string_view bytesOf(std::string_view block, Field field) {
    return block.substr(field.offset, field.length);
}

std::string textOf(std::string_view block, Field field) {
    const std::string_view bytes = bytesOf(block, field);
    return std::string(bytes.substr(0, bytes.find('\0')));
}

std::optional<int64_t> parseNumber(std::string_view text, int base) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

/// Octal digits between blanks; none of them stand for zero.
std::optional<int64_t> parseOctal(std::string_view field) {
    field = field.substr(0, field.find('\0'));
    const size_t begin = field.find_first_not_of(' ');
    if (begin == std::string_view::npos) return 0;
    return parseNumber(field.substr(begin, field.find_last_not_of(' ') + 1 - begin), 8);
}

/// GNU's form of sizes beyond 8 GiB: the first bit is set, the others are the number. Negative ones are none.
std::optional<int64_t> parseBase256(std::string_view field) {
    if (static_cast<uint8_t>(field.front()) != 0x80) return std::nullopt;
    uint64_t value = 0;
    for (const char byte : field.substr(1)) {
        if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) >> 8) return std::nullopt;
        value = value << 8 | static_cast<uint8_t>(byte);
    }
    return static_cast<int64_t>(value);
}

} // namespace

bool tarChecksumMatches(std::string_view block) {
    const std::optional<int64_t> expected = parseOctal(bytesOf(block, kChecksum));
    int64_t asUnsigned = 0;
    int64_t asSigned = 0;
    for (size_t i = 0; i < block.size(); ++i) {
        const bool counted = i < kChecksum.offset || i >= kChecksum.offset + kChecksum.length;
        const char byte = counted ? block[i] : ' ';
        asUnsigned += static_cast<uint8_t>(byte);
        asSigned += static_cast<int8_t>(byte);
    }
    return expected && (*expected == asUnsigned || *expected == asSigned);
}

TarHeader parseTarHeader(std::string_view block) {
    TarHeader header;
    header.name = textOf(block, kName);
    const bool posix = bytesOf(block, kMagic) == "ustar\0"sv; // GNU keeps other things where the prefix lies
    if (const std::string prefix = posix ? textOf(block, kPrefix) : ""; !prefix.empty())
        header.name = prefix + "/" + header.name;
    header.linkName = textOf(block, kLinkName);
    header.type = block[kType];
    const std::string_view size = bytesOf(block, kSize);
    header.bytes = (static_cast<uint8_t>(size.front()) & 0x80) != 0 ? parseBase256(size) : parseOctal(size);
    return header;
}

std::optional<int64_t> parseDecimal(std::string_view text) {
    return parseNumber(text, 10);
}

std::optional<PaxRecords> parsePaxRecords(std::string_view text) {
    PaxRecords records;
    while (!text.empty()) {
        const size_t blank = text.find(' ');
        if (blank == std::string_view::npos) return std::nullopt;
        const std::optional<int64_t> length = parseDecimal(text.substr(0, blank));
        if (!length || *length > static_cast<int64_t>(text.size())) return std::nullopt;
        const auto end = static_cast<size_t>(*length);
        if (end < blank + 3 || text[end - 1] != '\n') return std::nullopt; // "=" and the line's end at least
        const std::string_view record = text.substr(blank + 1, end - blank - 2);
        const size_t equals = record.find('=');
        if (equals == std::string_view::npos) return std::nullopt;
        records[std::string(record.substr(0, equals))] = record.substr(equals + 1);
        text.remove_prefix(end);
    }
    return records;
}

} // namespace homebooth::core
