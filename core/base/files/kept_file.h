// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A file that goes into a result hours after it was looked at: it is kept from the beginning, so that
// the result is whole though its folder was moved or removed meanwhile. Small ones are held in memory,
// where a drive that is unplugged does no harm either; large ones stay open. One that perhaps goes nowhere
// is only noted, and may be one that cannot be read.
// Value type, never empty; copies share what is kept. Any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace homebooth::core {

class FileReader;

class KeptFile {
public:
    /// Errors: BadInput naming the file: missing, not regular, not readable
    [[nodiscard]] static Result<KeptFile> open(const std::filesystem::path& path);
    /// Not kept: whether it can be read shows when it is kept or written.
    [[nodiscard]] static KeptFile noted(const std::filesystem::path& path);

    /// Itself, or what was noted as it is now. Errors: as open
    [[nodiscard]] Result<KeptFile> kept() const;

    /// As it was when it was opened or noted.
    [[nodiscard]] int64_t bytes() const { return m_bytes; }
    /// Whether it needs neither its folder nor its drive any more.
    [[nodiscard]] bool isHeld() const { return m_text != nullptr; }
    /// Its contents; null where it is not held.
    [[nodiscard]] const std::string* text() const { return m_text.get(); }

    /// Writes a copy into a folder that is there.
    /// Errors: BadInput, naming the file that cannot be read or written; OutOfResources (disk full)
    [[nodiscard]] Result<void> writeTo(const std::filesystem::path& place) const;

private:
    KeptFile() = default;

    int64_t m_bytes = 0;
    std::shared_ptr<const std::string> m_text; ///< null: it stays open, or is only noted
    std::shared_ptr<const FileReader> m_file;  ///< null: it is held, or only noted
    std::filesystem::path m_noted;             ///< empty: it is kept
};

/// By their places in the folder that is written: "LICENSE.md", "unet/config.json".
using KeptFiles = std::map<std::string, KeptFile>;

/// The Error of what goes along and cannot be read or listed, with what to do.
[[nodiscard]] Error toldWhatGoesAlong(Error cause);

/// All of them, kept. Errors: as KeptFile::open, with what to do
[[nodiscard]] Result<KeptFiles> keptNow(const KeptFiles& files);

/// Writes all of them below a folder that is there. Errors: as KeptFile::writeTo
[[nodiscard]] Result<void> writeKept(const KeptFiles& files, const std::filesystem::path& folder);

} // namespace homebooth::core
