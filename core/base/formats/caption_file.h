// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the caption of a picture lies, and what it says. Free functions without state; any thread.
#pragma once

#include "core/base/files/file_names.h"
#include "core/base/util/result.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace homebooth::core {

/// How names of captions end; the first one that is there counts. Some cameras and programs write .TXT,
/// others .caption.
constexpr std::array<const char*, 3> kCaptionEndings{".txt", ".TXT", ".caption"};

/// The file of the picture's name that ends so; where there is none, one whose name is composed
/// otherwise than the picture's; where there is neither, the one that ends in .txt, which does not exist.
/// @param names  of the same piece of work for all its pictures: folders are listed for names beyond ASCII
[[nodiscard]] std::filesystem::path captionFileOf(const std::filesystem::path& picture, FileNames& names);

constexpr int64_t kMaxCaptionBytes = int64_t{1} << 20;

/// Without blanks around it.
[[nodiscard]] std::string trimmedCaption(const std::string& text);

/// What a text file says as a caption: without a byte-order mark ahead of it, and trimmed.
/// Errors: BadInput, without naming the file, where it is neither UTF-8 nor UTF-16 with its mark
[[nodiscard]] Result<std::string> captionOfFile(std::string_view bytes);

/// The text beside a picture; nothing if there is no such file.
/// @param names  as of captionFileOf
/// Errors: BadInput for one that cannot be read or is in another encoding
[[nodiscard]] Result<std::optional<std::string>> captionBeside(const std::filesystem::path& picture,
                                                               FileNames& names);

} // namespace homebooth::core
