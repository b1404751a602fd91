// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Photos of a subject whose captions lie beside them, as they were written for something else.
// Free function without state; any thread.
#pragma once

#include "core/base/config/train_config.h"

#include <optional>
#include <string>

namespace homebooth::core {

constexpr const char* kOwnCaptions = "own-captions"; ///< codes of the warnings
constexpr const char* kUnreadMetadata = "metadata-not-read";

/// That photos have captions of their own in which words of the prompt are missing: those words are
/// learned with the other photos alone. Words that the prompt of the class has as well do not count, nor
/// do those that tell no subject from another, such as "a photo of".
/// @returns nothing where there are no such photos, or the folder cannot be read: that is told elsewhere
[[nodiscard]] std::optional<std::string> ownCaptionsWarning(const DataConfig& data);

/// That a metadata.jsonl lies beside the photos, which is read of data sets alone.
[[nodiscard]] std::optional<std::string> unreadMetadataWarning(const DataConfig& data);

} // namespace homebooth::core
