// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/user_folders.h"

#include <array>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>
#include <utility>

namespace homebooth::core {
namespace {

std::string absoluteOf(const char* variable) {
    const char* place = std::getenv(variable);
    return place != nullptr && place[0] == '/' ? place : "";
}

/// @param usual  below the home folder
std::string ownFolderIn(const char* variable, const char* usual) {
    std::string place = absoluteOf(variable);
    if (place.empty()) {
        place = absoluteOf("HOME");
        if (!place.empty()) place += usual;
    }
    return place.empty() ? place : place + "/homebooth";
}

} // namespace

void settleUserFolders() {
    constexpr std::array kFolders{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"};
    for (const char* name : kFolders)
        if (const char* place = std::getenv(name); place != nullptr && place[0] != '/') ::unsetenv(name);
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0') return;
    const passwd* user = ::getpwuid(::getuid());
    if (user != nullptr && user->pw_dir != nullptr && user->pw_dir[0] == '/')
        ::setenv("HOME", user->pw_dir, /*overwrite=*/1);
}

std::string ownCacheFolder() {
    return ownFolderIn("XDG_CACHE_HOME", "/.cache");
}

std::vector<std::string> ownFolders() {
    std::string home = absoluteOf("HOMEBOOTH_HOME");
    if (home.empty() && !absoluteOf("HOME").empty()) home = absoluteOf("HOME") + "/Homebooth";
    std::vector<std::string> folders{std::move(home), ownFolderIn("XDG_DATA_HOME", "/.local/share"),
                                     ownFolderIn("XDG_CONFIG_HOME", "/.config"), ownCacheFolder(),
                                     ownFolderIn("XDG_STATE_HOME", "/.local/state")};
    std::erase(folders, std::string());
    return folders;
}

} // namespace homebooth::core
