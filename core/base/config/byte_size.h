// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes as people write and read them. Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace homebooth::core {

/// Parses "6GiB", "40 GB", "512MiB", "1.5TB" or plain bytes. GB is 10^9, GiB is 2^30; "G" means GiB.
/// Errors: Usage for anything else, negative sizes and sizes beyond 2^62
[[nodiscard]] Result<int64_t> parseByteSize(std::string_view text);

/// "7.75 GiB", "512 MiB", "12 bytes".
[[nodiscard]] std::string byteSizeText(int64_t bytes);

/// "6558 MiB": rounded up, so that who allows as much as it says allows enough.
[[nodiscard]] std::string wholeMebibytes(int64_t bytes);
/// The same rounded down, for what there is beside that.
[[nodiscard]] std::string fullMebibytes(int64_t bytes);

} // namespace homebooth::core
