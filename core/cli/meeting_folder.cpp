// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/meeting_folder.h"

#include "core/base/files/atomic_file.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>

namespace homebooth::core {

MeetingFolder::~MeetingFolder() {
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
}

Result<void> MeetingFolder::make() {
    // Where a login's own files lie in memory; a killed program's are gone with the login.
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code code;
    std::filesystem::path root = runtime != nullptr ? runtime : "";
    if (!std::filesystem::is_directory(root, code)) root = std::filesystem::temp_directory_path(code);
    std::string pattern = (root / "homebooth-ranks-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        return systemError("make a folder in which the processes meet", pattern, errno);
    m_path = pattern;
    return {};
}

std::vector<std::string> MeetingFolder::argumentsOf(int64_t rank, int64_t ranks) const {
    if (ranks == 1) return {};
    return {"--rank", std::to_string(rank), "--ranks", std::to_string(ranks), "--meeting", file()};
}

} // namespace homebooth::core
