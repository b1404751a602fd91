// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the members of a ZIP archive lie in it, of archives that store them as they are, like those of
// torch.save. Free function without state; any thread. Nothing is unpacked, so names are not judged.
//
// libzip reads more kinds, but as streams: it does not say where a member begins, and tensors are read from
// their middle. Checksums are not looked at: torch.save may be told to write none.
// What is checked: members are stored and not encrypted, no name comes twice, the header in front of each
// says what the directory does, and members lie within the file and do not overlap. Source: PKWARE,
// APPNOTE.TXT 6.3.10, 4.3 and 4.5.3.
#pragma once

#include "core/base/files/file_reader.h"

#include <map>

namespace homebooth::core {

struct ZipMember {
    int64_t offset = 0; ///< of its contents in the file
    int64_t bytes = 0;
};

/// Errors: BadInput naming the file, what was expected and what was found, with kCutOffWords where the
///         directory, which lies at the end, is missing
[[nodiscard]] Result<std::map<std::string, ZipMember>> readZipIndex(const FileReader& file);

} // namespace homebooth::core
