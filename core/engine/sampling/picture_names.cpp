// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sampling/picture_names.h"

#include <filesystem>

namespace homebooth::core {

namespace fs = std::filesystem;

Result<std::string> freePicturePath(const std::string& folder, uint64_t seed, int64_t& number) {
    constexpr int64_t kMostPictures = 100'000'000;
    constexpr size_t kDigits = 5;
    for (; number < kMostPictures; ++number) {
        std::string digits = std::to_string(number);
        digits.insert(0, digits.size() < kDigits ? kDigits - digits.size() : 0, '0');
        const fs::path path = fs::path(folder) / (digits + "-" + std::to_string(seed) + ".png");
        std::error_code ignored;
        if (!fs::exists(fs::symlink_status(path, ignored))) return path.string();
    }
    return badInput("the folder holds too many pictures; choose another one", folder);
}

Result<std::vector<int64_t>> freePictureNumbers(const std::string& folder, uint64_t firstSeed,
                                                int64_t count) {
    std::vector<int64_t> numbers;
    int64_t number = 0;
    for (int64_t index = 0; index < count; ++index, ++number) {
        HOMEBOOTH_CHECK(freePicturePath(folder, firstSeed + static_cast<uint64_t>(index), number));
        numbers.push_back(number);
    }
    return numbers;
}

} // namespace homebooth::core
