// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the caption of a picture lies. Stateless; any thread.
#pragma once

#include <filesystem>

namespace homebooth::core {

/// The file of the picture's name that ends in .txt or, where there is none and there is one that ends in
/// .TXT, as some cameras and programs write it, that one. May not exist.
[[nodiscard]] std::filesystem::path captionFileOf(const std::filesystem::path& picture);

} // namespace homebooth::core
