// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/regular_file.h"

#include "core/base/files/file_reader.h"
#include "core/base/util/terminal_text.h"

#include <algorithm>

namespace homebooth::core {
namespace {

Result<std::string> readChecked(const std::filesystem::path& path, int64_t limitBytes, bool whole) {
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    const int64_t bytes = file.identity().bytes;
    if (whole && bytes > limitBytes) {
        return badInput("cannot read the file: expected at most " + std::to_string(limitBytes) +
                            " bytes, found " + std::to_string(bytes) + "; choose another file",
                        displayName(path));
    }
    HOMEBOOTH_ASSIGN(std::string content, file.read(0, std::min(bytes, limitBytes)));
    if (whole && static_cast<int64_t>(content.size()) != bytes) {
        return badInput("cannot read the file: it became shorter while it was read; try again when no other "
                        "program writes it",
                        displayName(path));
    }
    return content;
}

} // namespace

Result<std::string> readRegularFile(const std::filesystem::path& path, int64_t limitBytes) {
    return readChecked(path, limitBytes, true);
}

Result<std::string> readFileStart(const std::filesystem::path& path, int64_t count) {
    return readChecked(path, count, false);
}

std::string displayName(const std::filesystem::path& path) {
    return terminalName(path.native());
}

} // namespace homebooth::core
