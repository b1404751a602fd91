// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/file_names.h"

#include "core/base/text/unicode.h"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

/// Whether a name can be composed in one way only.
bool isPlain(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

std::string composed(std::string_view name) {
    std::string text;
    for (const char32_t letter : toNfc(decodeUtf8(name))) appendUtf8(text, letter);
    return text;
}

} // namespace

const FileNames::Names& FileNames::namesIn(const fs::path& folder) {
    const auto [listed, isNew] = m_folders.try_emplace(folder.native());
    Names& names = listed->second;
    if (!isNew) return names;
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) {
        const std::string name = entry->path().filename().native();
        if (isPlain(name) || !isUtf8(name)) continue;
        const auto [known, first] = names.try_emplace(composed(name), name);
        if (!first) known->second.clear();
    }
    return names;
}

fs::path FileNames::find(const fs::path& folder, const fs::path& name) {
    fs::path whole = folder / name;
    if (isPlain(name.native()) || isThere(whole)) return whole;
    fs::path path = folder;
    for (const fs::path& part : name) {
        fs::path next = path / part;
        if (!isPlain(part.native()) && isUtf8(part.native()) && !isThere(next)) {
            const Names& names = namesIn(path);
            const auto same = names.find(composed(part.native()));
            if (same != names.end() && !same->second.empty()) next = path / same->second;
        }
        path = std::move(next);
    }
    return path;
}

} // namespace homebooth::core
