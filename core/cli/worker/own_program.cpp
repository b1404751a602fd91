// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/own_program.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/proc/self/exe";
constexpr const char* kName = "homebooth-engine";

/// Where the program's file is, or another one has come in its place since.
std::string fileName() {
    constexpr std::string_view kReplaced = " (deleted)"; // the kernel's mark
    std::error_code code;
    std::string name = fs::read_symlink(kProgram, code).string();
    if (name.ends_with(kReplaced) && !fs::exists(name, code)) name.resize(name.size() - kReplaced.size());
    return name;
}

/// What a shell finds under that name; empty: nothing.
fs::path foundByPath(const std::string& name) {
    const char* set = std::getenv("PATH");
    std::string_view folders = set == nullptr ? "" : set;
    while (!folders.empty()) {
        const size_t end = std::min(folders.find(':'), folders.size());
        fs::path file = fs::path(folders.substr(0, end)) / name;
        // A folder that hangs on where the shell is may be another one there.
        if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file;
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
}

bool needsQuotes(const std::string& text) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-";
    return text.empty() || text.find_first_not_of(kPlain) != std::string::npos;
}

} // namespace

std::string ownPath() {
    std::error_code code;
    const fs::path self = fs::read_symlink(kProgram, code);
    return !code && ::access(self.c_str(), X_OK) == 0 ? self.string() : kProgram;
}

Result<void> checkProc() {
    std::error_code code;
    const bool there = fs::is_symlink(kProgram, code) && fs::exists("/proc/meminfo", code);
    return there ? Result<void>()
                 : badInput("expected /proc to be mounted, found nothing of this program or of the memory in "
                            "it; mount it: mount -t proc proc /proc");
}

std::string ownCommand() {
    const std::string file = fileName();
    if (file.empty()) return kName;
    std::error_code code;
    std::string name = fs::path(file).filename().string();
    if (fs::equivalent(foundByPath(name), file, code) && !code) return name;
    return needsQuotes(file) ? quoted(file) : file;
}

std::string quoted(const std::string& text) {
    std::string word = "'";
    for (const char one : text)
        if (one == '\'')
            word += "'\\''";
        else
            word += one;
    return word + "'";
}

} // namespace homebooth::core
