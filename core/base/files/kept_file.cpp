// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/kept_file.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/file_reader.h"
#include "core/base/util/regular_file.h"

#include <algorithm>
#include <span>
#include <system_error>

namespace homebooth::core {

namespace {

constexpr int64_t kMostHeldBytes = int64_t{32} << 20; // large vocabularies have 15 MB, weights far more
constexpr int64_t kPieceBytes = int64_t{4} << 20;

} // namespace

Result<KeptFile> KeptFile::open(const std::filesystem::path& path) {
    HOMEBOOTH_ASSIGN(FileReader file, FileReader::open(path));
    KeptFile kept;
    kept.m_bytes = file.identity().bytes;
    if (kept.m_bytes > kMostHeldBytes) {
        kept.m_file = std::make_shared<const FileReader>(std::move(file));
        return kept;
    }
    HOMEBOOTH_ASSIGN(std::string text, readRegularFile(path, kMostHeldBytes));
    kept.m_bytes = static_cast<int64_t>(text.size());
    kept.m_text = std::make_shared<const std::string>(std::move(text));
    return kept;
}

KeptFile KeptFile::noted(const std::filesystem::path& path) {
    KeptFile file;
    file.m_noted = path;
    std::error_code code;
    const uintmax_t bytes = std::filesystem::file_size(path, code);
    if (!code) file.m_bytes = static_cast<int64_t>(bytes);
    return file;
}

Result<KeptFile> KeptFile::kept() const {
    if (m_noted.empty()) return *this;
    return open(m_noted);
}

Result<void> KeptFile::writeTo(const std::filesystem::path& place) const {
    if (!m_noted.empty()) {
        HOMEBOOTH_ASSIGN(const KeptFile now, open(m_noted));
        return now.writeTo(place);
    }
    if (m_text) return writeFileAtomically(place.string(), *m_text);
    HOMEBOOTH_ASSIGN(AtomicFile copy, AtomicFile::create(place.string()));
    std::string piece;
    for (int64_t done = 0; done < m_bytes; done += std::ssize(piece)) {
        piece.resize(static_cast<size_t>(std::min(kPieceBytes, m_bytes - done)));
        HOMEBOOTH_CHECK(m_file->readInto(done, std::as_writable_bytes(std::span(piece))));
        HOMEBOOTH_CHECK(copy.write(piece));
    }
    return copy.commit();
}

Result<KeptFiles> keptNow(const KeptFiles& files) {
    KeptFiles all;
    for (const auto& [name, file] : files) {
        auto kept = file.kept();
        if (!kept) return toldWhatGoesAlong(kept.error());
        all.emplace(name, std::move(*kept));
    }
    return all;
}

Error toldWhatGoesAlong(Error cause) {
    cause.message += ". It goes along into the saved model: make it readable, or take a copy of the model "
                     "without it";
    return cause;
}

Result<void> writeKept(const KeptFiles& files, const std::filesystem::path& folder) {
    for (const auto& [name, file] : files) {
        const std::filesystem::path place = folder / name;
        std::error_code code;
        std::filesystem::create_directories(place.parent_path(), code);
        if (code) return systemError("make a folder", place.parent_path().string(), code.value());
        HOMEBOOTH_CHECK(file.writeTo(place));
    }
    return {};
}

} // namespace homebooth::core
