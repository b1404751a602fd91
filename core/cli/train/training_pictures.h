// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A look at the folders of pictures before a training begins: names and first bytes only.
// Free function without state; one thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

/// Looks whether there is something to train on and names every file that is left out.
/// @returns  warnings, one for each file that is left out and is no companion of pictures (captions and such)
/// Errors: BadInput: a folder without pictures (or shards, of a data set); files that should be pictures by
///         their names and are none, all of them with the reason, unless `skipBrokenImages` says to go on
///         without them; folders that cannot be read
/// @param middle  a run goes on with them in its middle, see inTheMiddle
[[nodiscard]] Result<std::vector<std::string>> checkTrainingPictures(const DataConfig& data, bool middle);

} // namespace homebooth::core
