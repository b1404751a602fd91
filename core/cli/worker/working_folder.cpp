// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/working_folder.h"

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
    if (given.is_absolute()) return given.lexically_normal().string();
    std::error_code code;
    const std::filesystem::path absolute = std::filesystem::absolute(given, code);
    if (!code && hasWorkingFolder()) return absolute.lexically_normal().string();
    return badInput("the folder in which this was started is gone, or its path is too long; start it in "
                    "another one, or name a path that begins with /",
                    path);
}

Result<void> expectReachable(const std::vector<ConfigField>& fields) {
    if (hasWorkingFolder()) return {};
    for (const ConfigField& field : fields) {
        const auto* text = std::get_if<std::string*>(&field.value);
        if (!field.folder || text == nullptr || (*text)->empty()) continue;
        HOMEBOOTH_CHECK(absolutePath(**text));
    }
    return {};
}

} // namespace homebooth::core
