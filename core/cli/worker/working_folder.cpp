// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/working_folder.h"

#include "core/base/files/plain_path.h"

#include <array>
#include <climits>
#include <filesystem>
#include <unistd.h>
#include <variant>

namespace homebooth::core {

bool hasWorkingFolder() {
    std::array<char, PATH_MAX> path{};
    return ::getcwd(path.data(), path.size()) != nullptr && path[0] == '/';
}

Result<std::string> absolutePath(const std::string& path) {
    const std::filesystem::path given(path);
    if (given.is_absolute()) return plainPath(given).string();
    std::error_code code;
    const std::filesystem::path absolute = std::filesystem::absolute(given, code);
    if (!code && hasWorkingFolder()) return plainPath(absolute).string();
    return badInput("the folder in which this was started is gone, or its path is too long; start it in "
                    "another one, or name a path that begins with /",
                    path);
}

std::string toldPath(const std::string& path) {
    auto whole = absolutePath(path);
    if (!whole || path.empty()) return path;
    while (whole->size() > 1 && whole->back() == '/') whole->pop_back();
    return *whole;
}

Result<void> expectReachable(const std::vector<ConfigField>& fields, const std::vector<std::string>& paths) {
    if (hasWorkingFolder()) return {};
    for (const ConfigField& field : fields) {
        const auto* text = std::get_if<std::string*>(&field.value);
        if (!field.folder || text == nullptr || (*text)->empty()) continue;
        HOMEBOOTH_CHECK(absolutePath(**text));
    }
    for (const std::string& path : paths) HOMEBOOTH_CHECK(absolutePath(path));
    return {};
}

} // namespace homebooth::core
