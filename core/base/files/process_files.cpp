// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/process_files.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours kOld(24);

bool isNumber(std::string_view text) {
    const bool digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    return digits && !text.empty() && (text == "0" || text.front() != '0');
}

bool isUuid(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const std::string_view expected = dash ? "-" : "0123456789abcdef";
        if (expected.find(text[i]) == std::string_view::npos) return false;
    }
    return text.size() == 36;
}

/// Whether a name's middle is one that is made here. Of a UUID alone, the part up to the first dash is none
/// of a process.
bool isOwn(std::string_view middle) {
    if (isNumber(middle) || isUuid(middle)) return true;
    const size_t dash = middle.find('-');
    if (dash == std::string_view::npos || !isNumber(middle.substr(0, dash))) return false;
    const std::string_view rest = middle.substr(dash + 1);
    return isNumber(rest) || isUuid(rest);
}

bool isOld(const fs::path& path) {
    std::error_code code;
    const fs::file_time_type written = fs::last_write_time(path, code);
    return !code && written < fs::file_time_type::clock::now() - kOld;
}

/// Whether a name's middle names a process that lives.
bool isOfLiving(std::string_view middle) {
    pid_t process = 0;
    const char* end = middle.data() + middle.size();
    const auto [rest, failed] = std::from_chars(middle.data(), end, process);
    if (failed != std::errc{} || rest == end || *rest != '-' || process <= 0 || isUuid(middle)) return false;
    return ::kill(process, 0) == 0 || errno != ESRCH;
}

} // namespace

std::string ownFileName(std::string_view prefix, std::string_view rest) {
    std::string name(prefix);
    return name.append(std::to_string(::getpid())).append("-").append(rest);
}

void removeFilesOfDead(const std::string& folder, std::string_view prefix, std::string_view ending) {
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code)) {
        const std::string name = it->path().filename().string();
        if (name.size() < prefix.size() + ending.size() || !name.starts_with(prefix) ||
            !name.ends_with(ending))
            continue;
        const std::string_view middle =
            std::string_view(name).substr(prefix.size(), name.size() - prefix.size() - ending.size());
        if (isOwn(middle) && !isOfLiving(middle) && isOld(it->path())) found.push_back(it->path());
    }
    for (const fs::path& path : found) fs::remove(path, code);
}

} // namespace homebooth::core
