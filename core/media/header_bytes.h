// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a picture file its header is read from, so that a folder of photos is not read whole to say how
// large they are. For those who ask several things of one header; pictureInfo reads it itself.
// Free function without state; any thread.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <string>

namespace homebooth::core {

/// Bytes of which the parsers of headers say what they say of the whole file; of a PNG that is damaged
/// amid its pixels also what stands behind them, which they do not find in the whole. Of JPEG, BMP and GIF
/// that is the beginning; of PNG and WebP the chunks that say something, without the pixels; of all others
/// the file.
/// Errors: BadInput naming the file: as readRegularFile
[[nodiscard]] Result<std::string> headerBytes(const std::filesystem::path& path);

} // namespace homebooth::core
