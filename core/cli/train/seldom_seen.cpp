// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/train/seldom_seen.h"

#include "core/media/picture_list.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

int64_t linesOf(const fs::path& file) {
    std::ifstream stream(file);
    int64_t lines = 0;
    for (std::string text; std::getline(stream, text);)
        if (text.find_first_not_of(" \t\r") != std::string::npos) ++lines;
    return lines;
}

/// Without masks beside pictures, which are not learned.
int64_t picturesNamedIn(const fs::path& folder) {
    std::error_code code;
    int64_t pictures = 0;
    std::unordered_set<std::string> stems;
    std::vector<std::string> ofMasks; // the stems of their pictures
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        const fs::path& file = entry->path();
        if (!hasPictureEnding(file)) continue;
        ++pictures;
        stems.insert(file.stem().native());
        if (std::string ofPicture = pictureOfMask(file); !ofPicture.empty())
            ofMasks.push_back(std::move(ofPicture));
    }
    return pictures - std::count_if(ofMasks.begin(), ofMasks.end(),
                                    [&stems](const std::string& stem) { return stems.contains(stem); });
}

} // namespace

std::optional<std::string> seldomSeenWarning(const TrainConfig& config) {
    const std::string& folder = config.data.datasetDir;
    std::error_code code;
    const fs::path metadata = fs::path(folder) / "metadata.jsonl";
    if (folder.empty()) return std::nullopt;
    const bool lists = fs::is_regular_file(metadata, code);
    const auto all = static_cast<double>(lists ? linesOf(metadata) : picturesNamedIn(folder));
    const auto pictures = static_cast<int64_t>(all - std::ceil(all * config.data.validationShare));
    const int64_t atOnce = config.batchSize * config.optimizer.accumulationSteps;
    const int64_t seen = config.steps * atOnce;
    if (seen >= pictures) return std::nullopt;
    constexpr int64_t kOften = 10;
    const int64_t often = (kOften * pictures + atOnce - 1) / atOnce;
    return "each of " + std::to_string(pictures) +
           " pictures is seen less than once: " + std::to_string(config.steps) +
           " steps, of which nobody chose the number, learn " + std::to_string(seen) + "; take --steps " +
           std::to_string(often) + ", in which each is seen " + std::to_string(kOften) +
           " times, or as many as there is time for";
}

} // namespace homebooth::core
