// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/media/picture_text.h"

#include "core/base/files/file_reader.h"
#include "core/base/text/comfy_graph.h"
#include "core/base/util/regular_file.h"
#include "core/media/header_bytes.h"
#include "core/media/picture_header.h"
#include "core/media/png_text.h"

#include <algorithm>
#include <span>

namespace homebooth::core {
namespace {

constexpr size_t kStartBytes = 64; // what a picture is recognised by

PictureText textOfPng(const PngText& chunks) {
    const auto chunk = [&chunks](const char* keyword) {
        const auto found = chunks.find(keyword);
        return found == chunks.end() ? std::string_view() : std::string_view(found->second);
    };
    if (const std::string_view parameters = chunk("parameters"); !parameters.empty())
        return {std::string(parameters), false};
    const std::string_view graph = chunk("prompt");
    if (const auto made = readComfyGraph(graph)) return {writeGenerationParameters(*made), false};
    const bool isGraph = graph.starts_with('{') && graph.find("\"class_type\"") != std::string_view::npos;
    return {{}, isGraph || chunk("workflow").starts_with('{')};
}

/// Cameras and other programs write comments, too.
PictureText textOfComment(const std::string& comment) {
    const GenerationParameters found = parseGenerationParameters(comment);
    return {found.steps > 0 && !found.sampler.empty() ? comment : std::string(), false};
}

bool hasComment(std::optional<PictureFormat> format) {
    return format == PictureFormat::Jpeg || format == PictureFormat::WebP;
}

} // namespace

PictureText decodePictureText(std::string_view file) {
    const auto format = recognisePicture(file.substr(0, kStartBytes));
    if (format == PictureFormat::Png) return textOfPng(decodePngText(file));
    if (!hasComment(format)) return {};
    const auto header = readPictureHeader(file);
    return header ? textOfComment(header->userComment) : PictureText();
}

Result<PictureText> readPictureText(const std::filesystem::path& path) {
    HOMEBOOTH_ASSIGN(const FileReader file, FileReader::open(path));
    std::string start(std::min<size_t>(kStartBytes, static_cast<size_t>(file.identity().bytes)), '\0');
    HOMEBOOTH_CHECK(file.readInto(0, std::as_writable_bytes(std::span(start))));
    const auto format = recognisePicture(start);
    if (format != PictureFormat::Png && !hasComment(format)) return PictureText();
    HOMEBOOTH_ASSIGN(const std::string bytes, format == PictureFormat::Png
                                                  ? readRegularFile(path, kMaxPictureFileBytes)
                                                  : headerBytes(path));
    return decodePictureText(bytes);
}

} // namespace homebooth::core
