// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the cache (latents, texts, class pictures) below a size. Free functions; several processes may do so
// at once: a file that is gone already is no error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace homebooth::core {

/// What the cache may grow to when nobody says otherwise.
constexpr int64_t kCacheBytes = int64_t{8} << 30;

/// Marks a file as used now, so that it goes last. Failures do not matter.
void markUsed(const std::string& path);

/// Removes the files of `folder` that were used longest ago until those left take at most `mostBytes`. What
/// was used since `since` stays, whatever it takes: the run that works needs it.
/// @returns  bytes removed; what cannot be looked at or removed is passed over
int64_t boundCache(const std::string& folder, int64_t mostBytes, std::filesystem::file_time_type since);

} // namespace homebooth::core
