// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the files of a tar archive lie in it. Headers alone are read, contents are passed over.
// Free function without state; any thread. Nothing is ever unpacked, so names are not judged.
//
// libarchive reads more kinds of archives, but as a stream: it does not say where contents begin, and a
// random picture would cost reading everything before it. Source: POSIX.1-2017 pax, "ustar interchange
// format" and "pax header block"; GNU tar manual, "basic tar format".
#pragma once

#include "core/base/files/file_reader.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace homebooth::core {

struct TarMember {
    std::string name;   ///< as it was packed, without "./" in front
    int64_t offset = 0; ///< of the contents
    int64_t bytes = 0;
};

/// Lists the regular files of a ustar, GNU or pax archive, hard links to files packed before them included;
/// folders, symbolic links and devices are passed over. It ends with two blocks of zeros, or where the file
/// ends behind a whole member.
/// @param members  receives those found, also those ahead of an error
/// @param most     once there are more members than that, the others are not looked for
/// Errors: BadInput with the byte, what was expected there and what was found: a damaged archive or one that
///         was cut off, a sparse member
[[nodiscard]] Result<void> readTarIndex(const FileReader& file, std::vector<TarMember>& members,
                                        int64_t most = std::numeric_limits<int64_t>::max());

} // namespace homebooth::core
