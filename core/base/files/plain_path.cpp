// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/plain_path.h"

#include <system_error>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
constexpr const char* kAbove = "..";

/// A path without detours, and one up from there.
fs::path above(const fs::path& path) {
    std::error_code code;
    if (fs::is_symlink(fs::symlink_status(path, code))) {
        const fs::path target = fs::canonical(path, code);
        return code ? path / kAbove : target.parent_path(); // behind one that leads nowhere is nothing
    }
    const fs::path name = path.filename();
    if (path.has_root_path() && name.empty()) return path;
    return name.empty() || name == kAbove ? path / kAbove : path.parent_path();
}

} // namespace

fs::path plainPath(const fs::path& path) {
    fs::path plain;
    for (const fs::path& part : path) {
        if (part == kAbove)
            plain = above(plain);
        else if (part != ".")
            plain /= part; // an empty one is a closing slash
    }
    return plain.empty() && !path.empty() ? fs::path(".") : plain;
}

} // namespace homebooth::core
