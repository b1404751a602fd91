// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/user_folders.h"

#include <array>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace homebooth::core {

void settleUserFolders() {
    constexpr std::array kFolders{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"};
    for (const char* name : kFolders)
        if (const char* place = std::getenv(name); place != nullptr && place[0] != '/') ::unsetenv(name);
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] != '\0') return;
    const passwd* user = ::getpwuid(::getuid());
    if (user != nullptr && user->pw_dir != nullptr && user->pw_dir[0] == '/')
        ::setenv("HOME", user->pw_dir, /*overwrite=*/1);
}

} // namespace homebooth::core
