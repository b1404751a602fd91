// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The file of a caption that lies beside its picture, whose name need not be UTF-8.
// Free functions; any thread.
#pragma once

#include "app/pages/datasets/captions/caption_originals.h"
#include "core/base/util/result.h"

#include <QString>

#include <filesystem>

namespace homebooth::app {

/// What a caption's file holds; nothing if there is none. Errors: BadInput for one that cannot be read
[[nodiscard]] core::Result<CaptionBytes> captionBytes(const std::filesystem::path& file);

/// The caption in it; empty if there is no such file. Errors: as captionBytes, and BadInput for an encoding
/// that nobody can be sure of (`saysOtherCoding`)
[[nodiscard]] core::Result<QString> captionText(const std::filesystem::path& file);

/// What that caption says as older programs of Windows write it; empty where that cannot be.
[[nodiscard]] QString guessedCaption(const std::filesystem::path& file);

[[nodiscard]] bool saysOtherCoding(const core::Error& error);

} // namespace homebooth::app
