// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/captions.h"

#include "core/base/formats/packed_files.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/engine/training/caption_text.h"
#include "core/engine/training/missing_captions.h"
#include "core/engine/training/shard_captions.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <optional>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Result<CaptionedPicture> pictureOfLine(const std::string& text, const fs::path& folder,
                                       const std::string& where) {
    const Json line = parseShallow<Json>(text);
    if (!line.is_object() || !line.contains("file_name") || !line["file_name"].is_string())
        return badInput("reading captions: expected a JSON object with file_name and text; correct the line",
                        where);
    const fs::path name(line["file_name"].get<std::string>());
    const bool outside = !name.empty() && *name.lexically_normal().begin() == "..";
    if (name.empty() || name.is_absolute() || outside)
        return badInput("reading captions: file_name must lie within the data set's folder, found \"" +
                            name.string() + "\"; correct the line",
                        where);
    CaptionedPicture picture{(folder / name).string(), captionsIn(line, {"text"})};
    if (picture.captions.empty())
        return badInput("reading captions: expected a caption in text or texts, found none; add one", where);
    return picture;
}

Result<std::vector<CaptionedPicture>> readMetadata(const fs::path& file) {
    std::ifstream stream(file);
    std::vector<CaptionedPicture> pictures;
    std::string text;
    for (int64_t number = 1; std::getline(stream, text); ++number) {
        if (trimmedCaption(text).empty()) continue;
        const std::string where = file.string() + " line " + std::to_string(number);
        HOMEBOOTH_ASSIGN(CaptionedPicture picture, pictureOfLine(text, file.parent_path(), where));
        pictures.push_back(std::move(picture));
    }
    if (stream.bad()) return badInput("reading captions: the file cannot be read", file.string());
    return pictures;
}

/// The text beside a picture; nothing if there is no such file.
Result<std::optional<std::string>> captionBeside(const std::string& picture) {
    const fs::path file = fs::path(picture).replace_extension(".txt");
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return std::optional<std::string>();
    HOMEBOOTH_ASSIGN(const std::string text, readRegularFile(file, kMaxCaptionBytes));
    return std::optional(trimmedCaption(text));
}

Result<std::vector<CaptionedPicture>> readFolder(const std::string& folder, PictureSource& source,
                                                 BrokenPictures& broken) {
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, source.list(folder));
    if (paths.empty()) {
        HOMEBOOTH_ASSIGN(const std::vector<std::string> shards, listShards(folder));
        return readShards(folder, shards, source, broken);
    }
    std::vector<CaptionedPicture> pictures;
    MissingCaptions missing;
    for (const std::string& path : paths) {
        HOMEBOOTH_ASSIGN(const std::optional<std::string> caption, captionBeside(path));
        if (caption)
            pictures.push_back({path, {*caption}});
        else
            missing.add(fs::path(path).filename().string());
    }
    HOMEBOOTH_CHECK(missing.settle(
        "put a .txt file of the same name beside each, or a metadata.jsonl into the folder", folder));
    return pictures;
}

} // namespace

Result<std::vector<CaptionedPicture>> readCaptions(const std::string& folder, PictureSource& pictures,
                                                   BrokenPictures& broken) {
    const fs::path metadata = fs::path(folder) / "metadata.jsonl";
    std::error_code ignored;
    auto result = fs::is_regular_file(metadata, ignored) ? readMetadata(metadata)
                                                         : readFolder(folder, pictures, broken);
    if (result && result->empty() && broken.empty())
        return badInput(
            "reading the data set: expected captioned pictures, or .tar shards of them, found none; "
            "check the folder",
            folder);
    return result;
}

Result<std::vector<CaptionedPicture>> readPhotos(const std::string& folder, const std::string& sentence,
                                                 PictureSource& source) {
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, source.list(folder));
    std::vector<CaptionedPicture> pictures;
    for (const std::string& path : paths) {
        HOMEBOOTH_ASSIGN(const std::optional<std::string> caption, captionBeside(path));
        pictures.push_back({path, {caption && !caption->empty() ? *caption : sentence}});
    }
    return pictures;
}

} // namespace homebooth::core
