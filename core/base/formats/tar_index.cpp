// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/tar_index.h"

#include "core/base/formats/tar_header.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace homebooth::core {
namespace {

using namespace std::string_view_literals;

constexpr int64_t kMostExtensionBytes = int64_t{1} << 20; // of one pax header or long name
constexpr size_t kMostNameBytes = 4096;                   // so that a global name cannot fill the memory

bool isZero(std::string_view block) {
    return block.find_first_not_of('\0') == std::string_view::npos;
}

/// Walks from header to header.
class TarWalk {
public:
    TarWalk(const FileReader& file, std::vector<TarMember>& members, int64_t most)
        : m_file(file)
        , m_members(members)
        , m_most(most)
        , m_end(file.identity().bytes) {}

    [[nodiscard]] Result<void> run() {
        if (m_end == 0) return damaged(0, "a tar archive", "an empty file");
        while (m_next < m_end) {
            if (std::ssize(m_members) > m_most) return {};
            HOMEBOOTH_ASSIGN(const std::string block, readBlock());
            if (isZero(block)) return checkEnd();
            HOMEBOOTH_CHECK(takeHeader(block));
        }
        return checkNothingWaits();
    }

private:
    [[nodiscard]] Error damaged(int64_t offset, const std::string& expected, const std::string& found) const {
        return badInput("cannot read the tar archive: expected " + expected + " at byte " +
                            std::to_string(offset) + ", found " + found + "; copy or pack it again",
                        displayName(m_file.path()));
    }

    [[nodiscard]] Result<std::string> readBlock() {
        m_header = m_next;
        HOMEBOOTH_ASSIGN(std::string block, m_file.read(m_header, kTarBlockBytes));
        if (std::ssize(block) < kTarBlockBytes)
            return damaged(m_header, "a header of 512 bytes",
                           std::to_string(block.size()) + " bytes: the file was cut off");
        m_next = m_header + kTarBlockBytes;
        return block;
    }

    [[nodiscard]] Result<void> checkNothingWaits() const {
        return m_extended ? damaged(m_next, "the member that a pax header or long name is for", "the end")
                          : Result<void>();
    }

    /// A block of zeros was read: another one, or nothing, must follow.
    [[nodiscard]] Result<void> checkEnd() {
        if (m_next >= m_end) return checkNothingWaits();
        HOMEBOOTH_ASSIGN(const std::string block, readBlock());
        return isZero(block) ? checkNothingWaits()
                             : damaged(m_header, "a second block of zeros, which ends the archive", "data");
    }

    [[nodiscard]] Result<void> takeHeader(const std::string& block) {
        if (!tarChecksumMatches(block)) {
            const bool gzip = m_header == 0 && block.starts_with("\x1f\x8b");
            return damaged(m_header, "a header with a right checksum",
                           gzip ? "a file compressed by gzip, which has to be unpacked first"
                                : "other or damaged data");
        }
        const TarHeader header = parseTarHeader(block);
        switch (header.type) {
        case 'L':
        case 'K':
        case 'x':
        case 'X':
        case 'g':
            return takeExtension(header);
        case '1':
            return takeHardLink(header);
        case '2': // links, devices, folders, pipes: have no contents, whatever the size says
        case '3':
        case '4':
        case '5':
        case '6':
            forgetExtensions();
            return {};
        case 'S':
            return damaged(m_header, "whole files", "one packed with --sparse");
        default:
            return takeMember(header);
        }
    }

    /// A header for the next member, or for all that follow.
    [[nodiscard]] Result<void> takeExtension(const TarHeader& header) {
        if (!header.bytes || *header.bytes > kMostExtensionBytes)
            return damaged(m_header, "a pax header or long name of at most 1 MiB", "a larger one");
        HOMEBOOTH_ASSIGN(std::string text, m_file.read(m_next, *header.bytes));
        HOMEBOOTH_CHECK(passContents(*header.bytes, "a pax header or long name"));
        if (header.type != 'g') m_extended = true;
        if (header.type == 'L' || header.type == 'K') {
            (header.type == 'L' ? m_longName : m_longLink) = text.substr(0, text.find('\0'));
            return {};
        }
        auto records = parsePaxRecords(text);
        if (!records) return damaged(m_header, "records of a pax header", "other data");
        PaxRecords& kept = header.type == 'g' ? m_global : m_local;
        for (const char* keyword : {"path", "linkpath", "size", "GNU.sparse.major", "GNU.sparse.size"})
            if (const auto record = records->find(keyword); record != records->end())
                kept[keyword] = std::move(record->second);
        return {};
    }

    /// A file; or of a type that is unknown, whose contents are passed over.
    [[nodiscard]] Result<void> takeMember(const TarHeader& header) {
        if (recordOf("GNU.sparse.major") || recordOf("GNU.sparse.size"))
            return damaged(m_header, "whole files", "one packed with --sparse");
        const std::string* size = recordOf("size");
        const std::optional<int64_t> bytes = size != nullptr ? parseDecimal(*size) : header.bytes;
        if (!bytes) return damaged(m_header, "a header with a size", "one without");
        HOMEBOOTH_ASSIGN(std::string name, nameBy("path", m_longName, header.name));
        const int64_t contents = m_next;
        HOMEBOOTH_CHECK(passContents(*bytes, "the contents of \"" + displayName(name) + "\""));
        forgetExtensions();
        // Before ustar, a folder was a file whose name ends with a slash.
        const bool file = header.type == '0' || header.type == '\0' || header.type == '7';
        if (file && !name.empty() && !name.ends_with('/'))
            m_members.push_back({std::move(name), contents, *bytes});
        return {};
    }

    /// Another name for a file that was packed before; where that is missing, nothing.
    [[nodiscard]] Result<void> takeHardLink(const TarHeader& header) {
        HOMEBOOTH_ASSIGN(std::string name, nameBy("path", m_longName, header.name));
        HOMEBOOTH_ASSIGN(const std::string target, nameBy("linkpath", m_longLink, header.linkName));
        forgetExtensions();
        for (; m_indexed < m_members.size(); ++m_indexed) m_places[m_members[m_indexed].name] = m_indexed;
        const auto found = m_places.find(target);
        if (found == m_places.end() || name.empty()) return {};
        const TarMember& file = m_members[found->second];
        m_members.push_back({std::move(name), file.offset, file.bytes});
        return {};
    }

    /// A name as a pax header, a long name or the header itself says it, without "./" in front.
    [[nodiscard]] Result<std::string> nameBy(const char* keyword, const std::string& longName,
                                             const std::string& shortName) const {
        const std::string* record = recordOf(keyword);
        std::string name = record != nullptr ? *record : !longName.empty() ? longName : shortName;
        if (name.size() > kMostNameBytes)
            return damaged(m_header, "a name of at most 4096 bytes", "one of " + std::to_string(name.size()));
        while (name.starts_with("./")) name.erase(0, 2);
        return name;
    }

    /// Goes on behind the contents, which fill whole blocks but for the last of a file that was not padded.
    [[nodiscard]] Result<void> passContents(int64_t bytes, const std::string& what) {
        if (bytes > m_end - m_next)
            return damaged(m_next, what + " of " + std::to_string(bytes) + " bytes",
                           std::to_string(m_end - m_next) + " bytes: the file was cut off");
        const int64_t padding = (kTarBlockBytes - bytes % kTarBlockBytes) % kTarBlockBytes;
        m_next += bytes;
        m_next += std::min(padding, m_end - m_next);
        return {};
    }

    /// An empty record takes a global one back.
    [[nodiscard]] const std::string* recordOf(const std::string& keyword) const {
        for (const PaxRecords* records : {&m_local, &m_global})
            if (const auto found = records->find(keyword); found != records->end())
                return found->second.empty() ? nullptr : &found->second;
        return nullptr;
    }

    void forgetExtensions() {
        m_longName.clear();
        m_longLink.clear();
        m_local.clear();
        m_extended = false;
    }

    const FileReader& m_file;
    std::vector<TarMember>& m_members;
    const int64_t m_most;
    const int64_t m_end;
    int64_t m_header = 0; // where the header that is looked at begins
    int64_t m_next = 0;   // where the next one begins
    bool m_extended = false;
    std::string m_longName;
    std::string m_longLink;
    std::unordered_map<std::string, size_t> m_places; // of the first m_indexed members, by name
    size_t m_indexed = 0;
    PaxRecords m_local;
    PaxRecords m_global;
};

} // namespace

Result<void> readTarIndex(const FileReader& file, std::vector<TarMember>& members, int64_t most) {
    return TarWalk(file, members, most).run();
}

} // namespace homebooth::core
