// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a file is no picture that can be read, as a code for whoever says it in another language.
// Free function without state; any thread. Opens regular files only.
#pragma once

#include <filesystem>

namespace homebooth::core {

enum class PictureFault {
    None,      ///< its header can be read and is of a kind that is read
    Gone,      ///< nothing of that name, or a link that leads nowhere
    NotAFile,  ///< a folder, a device, a pipe
    NoAccess,  ///< it may not be read, or its disk fails
    Empty,     ///< of no bytes
    OtherKind, ///< no picture by its content, or of a kind that is not read
    Animated,  ///< an animation or a GIF
    TooLarge,  ///< more bytes or pixels than are read
    Damaged    ///< a picture by its beginning alone
};

/// Looks at a file that could not be read as a picture. Decodes nothing: what is damaged further down than
/// its header has no fault here.
[[nodiscard]] PictureFault pictureFault(const std::filesystem::path& path);

} // namespace homebooth::core
