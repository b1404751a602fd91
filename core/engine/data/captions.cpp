// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/data/captions.h"

#include "core/base/files/file_names.h"
#include "core/base/files/file_reader.h"
#include "core/base/formats/caption_file.h"
#include "core/base/formats/packed_files.h"
#include "core/base/util/regular_file.h"
#include "core/base/util/shallow_json.h"
#include "core/engine/data/caption_text.h"
#include "core/engine/data/missing_captions.h"
#include "core/engine/data/shard_captions.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

using Columns = std::vector<std::string>;

Result<std::vector<std::string>> captionsOfLine(const Json& line, const Columns& columns,
                                                const std::string& where) {
    auto captions = columns.empty() ? captionsIn(line, {"text"}) : captionsInColumns(line, columns);
    if (!captions.empty()) return captions;
    if (columns.empty())
        return badInput("reading captions: expected a caption in text or texts, found none; add one", where);
    return badInput("reading captions: expected a text or a list of texts in " + eitherOf(columns) +
                        ", found " + membersOf(line) + "; add one, or correct --caption-columns",
                    where);
}

Result<CaptionedPicture> pictureOfLine(const std::string& text, const fs::path& folder, FileNames& names,
                                       const Columns& columns, const std::string& where) {
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
    HOMEBOOTH_ASSIGN(std::vector<std::string> captions, captionsOfLine(line, columns, where));
    return CaptionedPicture{names.find(folder, name).string(), std::move(captions)};
}

/// Lines that are not understood may be left out, unless all of them are such.
Result<std::vector<CaptionedPicture>> readMetadata(const fs::path& file, const Columns& columns,
                                                   BrokenPictures& broken) {
    // A stream that was not opened looks like an empty one; this names the reason.
    HOMEBOOTH_CHECK(FileReader::open(file));
    std::ifstream stream(file);
    std::vector<CaptionedPicture> pictures;
    std::optional<Error> first;
    FileNames names;
    std::string text;
    for (int64_t number = 1; std::getline(stream, text); ++number) {
        if (trimmedCaption(text).empty()) continue;
        const std::string where = file.string() + " line " + std::to_string(number);
        auto picture = pictureOfLine(text, file.parent_path(), names, columns, where);
        if (picture) {
            pictures.push_back(std::move(picture).value());
            continue;
        }
        if (!broken.mayLeaveOut()) return picture.error();
        if (!first) first = picture.error();
        broken.add(where, picture.error().message);
    }
    if (stream.bad()) return badInput("reading captions: the file cannot be read", file.string());
    if (pictures.empty() && first) return *first;
    return pictures;
}

Error nothingWithColumns(const Columns& columns, size_t pictures, const std::string& folder) {
    return badInput(
        "reading captions: expected metadata.jsonl, or .tar shards without pictures beside them, "
        "to look for " +
            eitherOf(columns) + " in, found " +
            (pictures == 0 ? "neither" : std::to_string(pictures) + " pictures") +
            "; add them, or leave --caption-columns out to use the .txt or .caption file beside each picture",
        folder);
}

/// A picture goes with its caption, and is what is looked for among those that were left out.
void leaveOutFor(const Error& caption, const std::string& picture, FileNames& names, BrokenPictures& broken) {
    broken.add(picture, "its caption " + displayName(captionFileOf(picture, names).filename()) + ": " +
                            caption.message);
}

Result<std::vector<CaptionedPicture>> readFolder(const std::string& folder, const Columns& columns,
                                                 PictureSource& source, BrokenPictures& broken) {
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, source.list(folder));
    if (paths.empty()) {
        HOMEBOOTH_ASSIGN(const std::vector<std::string> shards, listShards(folder));
        if (shards.empty() && !columns.empty()) return nothingWithColumns(columns, 0, folder);
        return readShards(folder, shards, source, broken, columns);
    }
    if (!columns.empty()) return nothingWithColumns(columns, paths.size(), folder);
    std::vector<CaptionedPicture> pictures;
    MissingCaptions missing(broken);
    FileNames names;
    for (const std::string& path : paths) {
        const auto caption = captionBeside(path, names);
        if (!caption)
            leaveOutFor(caption.error(), path, names, broken);
        else if (*caption)
            pictures.push_back({path, {**caption}});
        else
            missing.add(fs::path(path).filename().string());
    }
    const auto shards = listShards(folder);
    const bool leftOut = shards && !shards->empty(); // for the pictures' sake
    HOMEBOOTH_CHECK(missing.settle(
        std::string(
            "put a .txt or .caption file of the same name beside each, or a metadata.jsonl into the folder") +
            (leftOut ? "; or move the pictures away, so that the .tar shards are read instead" : ""),
        folder, !pictures.empty()));
    return pictures;
}

} // namespace

std::vector<std::string> captionColumns(const std::string& text) {
    std::vector<std::string> columns;
    std::istringstream names(text);
    for (std::string name; std::getline(names, name, ',');)
        if (name = trimmedCaption(name); !name.empty()) columns.push_back(name);
    return columns;
}

Result<std::vector<CaptionedPicture>> readCaptions(const std::string& folder, PictureSource& pictures,
                                                   BrokenPictures& broken,
                                                   const std::vector<std::string>& columns) {
    const fs::path metadata = fs::path(folder) / "metadata.jsonl";
    std::error_code ignored;
    auto result = fs::exists(fs::symlink_status(metadata, ignored))
                      ? readMetadata(metadata, columns, broken)
                      : readFolder(folder, columns, pictures, broken);
    if (result && result->empty() && broken.empty())
        return badInput(
            "reading the data set: expected captioned pictures, or .tar shards of them, found none; "
            "check the folder",
            folder);
    return result;
}

Result<std::vector<CaptionedPicture>> readPhotos(const std::string& folder, const std::string& sentence,
                                                 PictureSource& source, BrokenPictures& broken) {
    HOMEBOOTH_ASSIGN(const std::vector<std::string> paths, source.list(folder));
    std::vector<CaptionedPicture> pictures;
    FileNames names;
    for (const std::string& path : paths) {
        const auto caption = captionBeside(path, names);
        if (!caption) {
            leaveOutFor(caption.error(), path, names, broken);
            continue;
        }
        const bool own = *caption && !(*caption)->empty();
        pictures.push_back({path, {own ? **caption : sentence}});
    }
    return pictures;
}

} // namespace homebooth::core
