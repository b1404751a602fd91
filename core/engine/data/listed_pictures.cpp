// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/listed_pictures.h"

#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/engine/data/caption_text.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>

namespace homebooth::core {
namespace {

/// Nothing for a line that names no picture.
std::optional<CaptionedPicture> pictureOf(const std::string& text, const std::string& sentence) {
    const auto line = parseShallow<nlohmann::json>(text);
    if (!line.is_object()) return std::nullopt;
    const auto name = line.find("file_name");
    if (name == line.end() || !name->is_string()) return std::nullopt;
    const auto path = name->get<std::string>();
    if (!std::filesystem::path(path).is_absolute()) return std::nullopt;
    const std::vector<std::string> captions = captionsIn(line, {"text"});
    return CaptionedPicture{path, {saysSomething(captions) ? captions.front() : sentence}};
}

} // namespace

Result<std::vector<CaptionedPicture>> readListedPictures(const std::string& file,
                                                         const std::string& sentence) {
    constexpr int64_t kMostBytes = int64_t{256} << 20;
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(file, kMostBytes));
    std::istringstream stream(text);
    std::vector<CaptionedPicture> pictures;
    int64_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (trimmedCaption(line).empty()) continue;
        auto picture = pictureOf(line, sentence);
        if (!picture)
            return badInput("reading a list of pictures: expected a JSON object with a whole path as "
                            "file_name, and perhaps text; correct the line",
                            file + " line " + std::to_string(number));
        pictures.push_back(std::move(*picture));
    }
    return pictures;
}

} // namespace homebooth::core
