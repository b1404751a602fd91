// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What of a component that is not computed here goes into saved models: folders as they are downloaded often
// have the same weights several times. Private to core/base/model. Stateless; any thread.
#pragma once

#include "core/base/util/result.h"

#include <filesystem>
#include <vector>

namespace homebooth::core {

/// The files directly inside a component's folder, of weights those alone that opening it would read, as far
/// as they have a usual name. Links to files count as files.
/// Errors: of listing the folder
[[nodiscard]] Result<std::vector<std::filesystem::path>> carriedFiles(const std::filesystem::path& folder);

/// 0 where it is not there.
[[nodiscard]] int64_t fileBytes(const std::filesystem::path& file);

} // namespace homebooth::core
