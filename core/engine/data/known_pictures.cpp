// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/known_pictures.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/sha256.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"
#include "core/engine/data/cache_bound.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace homebooth::core {
namespace {

constexpr std::string_view kFileFormat = "homebooth pictures 2\n"; // another meaning gets another name
constexpr size_t kDigestBytes = 32;
constexpr size_t kHeadBytes = kFileFormat.size() + sizeof(uint64_t);
constexpr size_t kSumDigits = 2 * kDigestBytes;

std::string_view bytesOf(const void* data, size_t count) {
    return {static_cast<const char*>(data), count};
}

int nibble(char digit) {
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

std::string textOf(std::span<const std::byte> digest) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : digest) {
        text += kHex[std::to_integer<size_t>(byte >> 4)];
        text += kHex[std::to_integer<size_t>(byte & std::byte{15})];
    }
    return text;
}

} // namespace

size_t KnownPictures::DigestHash::operator()(const Digest& digest) const {
    size_t value = 0;
    std::memcpy(&value, digest.data(), sizeof value);
    return value;
}

KnownPictures::Digest KnownPictures::digestOf(const std::string& hexadecimal) {
    Digest digest{};
    for (size_t i = 0; i < digest.size() && 2 * i + 1 < hexadecimal.size(); ++i)
        digest[i] = static_cast<std::byte>(16 * nibble(hexadecimal[2 * i]) + nibble(hexadecimal[2 * i + 1]));
    return digest;
}

KnownPictures::Digest KnownPictures::keyOf(const std::string& path, const FileIdentity& identity) {
    std::string text = path + '\0';
    for (const auto number :
         {static_cast<int64_t>(identity.inode), identity.bytes, identity.changedNs, identity.statusChangedNs})
        text += std::to_string(number) + ' ';
    return digestOf(sha256Text(text));
}

KnownPictures::KnownPictures(std::string file, std::chrono::nanoseconds settled)
    : m_file(std::move(file))
    , m_settled(settled) {
    if (!m_file.empty()) read();
}

void KnownPictures::read() {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) == 2 * kDigestBytes + 8);
    const auto text = readRegularFile(m_file, std::numeric_limits<int64_t>::max());
    if (!text || text->size() < kHeadBytes + kSumDigits || !text->starts_with(kFileFormat)) return;
    uint64_t count = 0;
    std::memcpy(&count, text->data() + kFileFormat.size(), sizeof count);
    const size_t bytes = text->size() - kHeadBytes - kSumDigits;
    if (bytes % sizeof(Record) != 0 || bytes / sizeof(Record) != count) return;
    const std::string_view told = std::string_view(*text).substr(text->size() - kSumDigits);
    if (sha256Text(std::string_view(*text).substr(0, text->size() - kSumDigits)) != told) return;
    m_records.resize(count);
    if (count > 0) std::memcpy(m_records.data(), text->data() + kHeadBytes, bytes);
    m_used.assign(count, false);
    for (size_t i = 0; i < count; ++i) m_places.emplace(m_records[i].key, i);
}

std::optional<KnownPicture> KnownPictures::find(const std::string& path, const FileIdentity& identity) {
    const auto found = m_places.find(keyOf(path, identity));
    if (found == m_places.end()) return std::nullopt;
    m_used[found->second] = true;
    const Record& record = m_records[found->second];
    return KnownPicture{{record.width, record.height}, textOf(record.hash)};
}

void KnownPictures::add(const std::string& path, const FileIdentity& identity, const KnownPicture& picture) {
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    const std::chrono::nanoseconds last(std::max(identity.changedNs, identity.statusChangedNs));
    if (m_file.empty() || now - last < m_settled) return;
    const Record record{keyOf(path, identity), digestOf(picture.contentHash),
                        static_cast<uint32_t>(picture.size.widthPixels),
                        static_cast<uint32_t>(picture.size.heightPixels)};
    const auto [place, isNew] = m_places.try_emplace(record.key, m_records.size());
    if (!isNew) return;
    m_records.push_back(record);
    m_used.push_back(true);
    m_added = true;
}

/// What this run uses first, so that it is the oldest that goes.
std::string KnownPictures::packed() const {
    std::string records;
    uint64_t count = 0;
    for (const bool used : {true, false})
        for (size_t i = 0; i < m_records.size(); ++i) {
            if (m_used[i] != used || (!used && count >= kMostOthers)) continue;
            records += bytesOf(&m_records[i], sizeof(Record));
            ++count;
        }
    std::string text(kFileFormat);
    text += bytesOf(&count, sizeof count);
    text += records;
    return text + sha256Text(text);
}

void KnownPictures::save() {
    if (m_file.empty()) return;
    if (!m_added) return markUsed(m_file);
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(m_file).parent_path(), ignored);
    if (const auto written = writeFileAtomically(m_file, packed()); !written)
        log(LogLevel::Warning, "pictures are read again at the next start: " + written.error().text());
    m_added = false;
}

} // namespace homebooth::core
