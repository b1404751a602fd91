// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/formats/caption_file.h"

namespace homebooth::core {

namespace fs = std::filesystem;

fs::path captionFileOf(const fs::path& picture) {
    fs::path usual = picture;
    usual.replace_extension(".txt");
    fs::path shouted = picture;
    shouted.replace_extension(".TXT");
    // Of a link that leads nowhere whoever opens it will say so.
    const auto isThere = [](const fs::path& file) {
        std::error_code ignored;
        return fs::exists(fs::symlink_status(file, ignored));
    };
    return !isThere(usual) && isThere(shouted) ? shouted : usual;
}

} // namespace homebooth::core
