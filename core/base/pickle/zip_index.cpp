// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/pickle/zip_index.h"

#include "core/base/formats/safetensors_header.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

constexpr int64_t kEndBytes = 22; // of the record behind the directory, without a comment
constexpr int64_t kMostCommentBytes = 0xffff;
constexpr int64_t kLocatorBytes = 20; // of ZIP64, in front of that
constexpr int64_t kWideEndBytes = 56;
constexpr size_t kEntryBytes = 46; // of the directory, without names
constexpr int64_t kHeaderBytes = 30;
constexpr int64_t kMostDirectoryBytes = int64_t{16} << 20;
constexpr uint64_t kSeeWide = 0xffffffff; // where a number has no room

uint64_t numberAt(std::string_view bytes, size_t offset, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i)
        value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    return value;
}

/// Where the directory lies, and how many members it lists.
struct Directory {
    uint64_t offset = 0;
    uint64_t bytes = 0;
    uint64_t members = 0;
};

struct Entry {
    std::string name;
    uint64_t stored = 0; // bytes in the file
    uint64_t bytes = 0;
    uint64_t header = 0;
};

class ZipWalk {
public:
    explicit ZipWalk(const FileReader& file)
        : m_file(file)
        , m_end(static_cast<uint64_t>(file.identity().bytes)) {}

    Result<std::map<std::string, ZipMember>> run() {
        HOMEBOOTH_ASSIGN(const Directory directory, findDirectory());
        if (directory.bytes > kMostDirectoryBytes || !isWithin(directory.offset, directory.bytes))
            return damaged("a directory within the file", std::to_string(directory.bytes) + " bytes from " +
                                                              std::to_string(directory.offset) + " on");
        HOMEBOOTH_ASSIGN(const std::string text, read(directory.offset, directory.bytes));
        size_t at = 0;
        for (uint64_t member = 0; member < directory.members; ++member) {
            HOMEBOOTH_ASSIGN(const Entry entry, entryAt(text, at));
            HOMEBOOTH_CHECK(addMember(entry));
        }
        HOMEBOOTH_CHECK(checkApart());
        return std::move(m_members);
    }

private:
    [[nodiscard]] Error damaged(const std::string& expected, const std::string& found) const {
        return badInput("cannot read this ZIP archive: expected " + expected + ", found " + found +
                            "; copy or download it again",
                        displayName(m_file.path()));
    }
    [[nodiscard]] bool isWithin(uint64_t offset, uint64_t bytes) const {
        return bytes <= m_end && offset <= m_end - bytes;
    }
    Result<std::string> read(uint64_t offset, uint64_t bytes) const {
        std::string text(bytes, '\0');
        HOMEBOOTH_CHECK(
            m_file.readInto(static_cast<int64_t>(offset), std::as_writable_bytes(std::span(text))));
        return text;
    }

    Result<Directory> findDirectory() const {
        const uint64_t tailBytes = std::min<uint64_t>(m_end, kEndBytes + kMostCommentBytes);
        HOMEBOOTH_ASSIGN(const std::string tail, read(m_end - tailBytes, tailBytes));
        const size_t at = tail.rfind("PK\5\6");
        if (at == std::string::npos || tail.size() - at < kEndBytes)
            return damaged("its directory at the end",
                           "other data: the file is damaged or " + std::string(kCutOffWords));
        const Directory found{numberAt(tail, at + 16, 4), numberAt(tail, at + 12, 4),
                              numberAt(tail, at + 10, 2)};
        if (found.offset != kSeeWide && found.bytes != kSeeWide && found.members != 0xffff) return found;
        return findWideDirectory(m_end - tailBytes + at);
    }

    /// That of ZIP64. @param end  where the record lies that has no room
    Result<Directory> findWideDirectory(uint64_t end) const {
        const auto noPlace = [this] { return damaged("the place of a directory of ZIP64", "other data"); };
        if (end < kLocatorBytes) return noPlace();
        HOMEBOOTH_ASSIGN(const std::string locator, read(end - kLocatorBytes, kLocatorBytes));
        if (!locator.starts_with("PK\6\7")) return noPlace();
        const uint64_t place = numberAt(locator, 8, 8);
        if (!isWithin(place, kWideEndBytes)) return noPlace();
        HOMEBOOTH_ASSIGN(const std::string record, read(place, kWideEndBytes));
        if (!record.starts_with("PK\6\6")) return noPlace();
        return Directory{numberAt(record, 48, 8), numberAt(record, 40, 8), numberAt(record, 32, 8)};
    }

    /// @param at  of the entry in the directory; becomes that of the next one
    Result<Entry> entryAt(std::string_view directory, size_t& at) const {
        const auto fault = [this] { return damaged("another member in its directory", "other data"); };
        if (directory.size() - at < kEntryBytes || !directory.substr(at).starts_with("PK\1\2"))
            return fault();
        const std::string_view record = directory.substr(at);
        const size_t name = numberAt(record, 28, 2);
        const size_t extra = numberAt(record, 30, 2);
        const size_t comment = numberAt(record, 32, 2);
        if (record.size() - kEntryBytes < name + extra + comment) return fault();
        Entry entry{std::string(record.substr(kEntryBytes, name)), numberAt(record, 20, 4),
                    numberAt(record, 24, 4), numberAt(record, 42, 4)};
        takeWide(record.substr(kEntryBytes + name, extra), entry);
        const bool encrypted = (numberAt(record, 8, 2) & 1U) != 0;
        if (encrypted || numberAt(record, 10, 2) != 0 || entry.stored != entry.bytes)
            return damaged("members stored as they are, as torch.save writes them",
                           std::string(encrypted ? "an encrypted one: " : "a compressed one: ") +
                               printable(entry.name));
        at += kEntryBytes + name + extra + comment;
        return entry;
    }

    /// Numbers that have no room in the entry, in their order.
    static void takeWide(std::string_view extra, Entry& entry) {
        constexpr uint64_t kWideField = 1;
        while (extra.size() >= 4) {
            const size_t bytes = std::min<size_t>(numberAt(extra, 2, 2), extra.size() - 4);
            std::string_view field = extra.substr(4, bytes);
            if (numberAt(extra, 0, 2) == kWideField) {
                for (uint64_t* const value : {&entry.bytes, &entry.stored, &entry.header}) {
                    if (*value != kSeeWide || field.size() < 8) continue;
                    *value = numberAt(field, 0, 8);
                    field.remove_prefix(8);
                }
            }
            extra.remove_prefix(4 + bytes);
        }
    }

    Result<void> addMember(const Entry& entry) {
        const auto fault = [&](const std::string& expected) {
            return damaged(expected, "something else for the member " + printable(entry.name));
        };
        const uint64_t named = kHeaderBytes + entry.name.size();
        if (!isWithin(entry.header, named)) return fault("a member within the file");
        HOMEBOOTH_ASSIGN(const std::string header, read(entry.header, named));
        const bool described = (numberAt(header, 6, 2) & 8U) != 0; // its size stands behind it
        const uint64_t bytes = numberAt(header, 22, 4);
        if (!header.starts_with("PK\3\4") || numberAt(header, 8, 2) != 0 ||
            numberAt(header, 26, 2) != entry.name.size() || !header.ends_with(entry.name) ||
            (!described && bytes != kSeeWide && bytes != entry.bytes))
            return fault("the same in a member's header as in the directory");
        const uint64_t begin = entry.header + named + numberAt(header, 28, 2);
        if (!isWithin(begin, entry.bytes)) return fault("a member within the file");
        m_places.emplace_back(entry.header, begin + entry.bytes);
        const ZipMember member{static_cast<int64_t>(begin), static_cast<int64_t>(entry.bytes)};
        if (!m_members.emplace(entry.name, member).second)
            return damaged("every name once", printable(entry.name) + " twice");
        return {};
    }

    Result<void> checkApart() {
        std::sort(m_places.begin(), m_places.end());
        for (size_t i = 1; i < m_places.size(); ++i)
            if (m_places[i].first < m_places[i - 1].second)
                return damaged("members behind each other", "two that overlap");
        return {};
    }

    const FileReader& m_file;
    uint64_t m_end;
    std::map<std::string, ZipMember> m_members;
    std::vector<std::pair<uint64_t, uint64_t>> m_places; // first byte of its header, first behind it
};

} // namespace

Result<std::map<std::string, ZipMember>> readZipIndex(const FileReader& file) {
    return ZipWalk(file).run();
}

} // namespace homebooth::core
