// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of pictures that were made: NNNNN-SEED.png, in the order of their making. No file is ever replaced.
// Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// The first path for a picture of this seed that no file has.
/// @param number  the first that may stand in its name; becomes the one that does
/// Errors: BadInput where there is none
[[nodiscard]] Result<std::string> freePicturePath(const std::string& folder, uint64_t seed, int64_t& number);

/// The numbers that pictures get which are made one after another, with seeds that count up, in a folder as
/// it is now. So those who make a part of them at the same time know those of theirs. Errors: as above
[[nodiscard]] Result<std::vector<int64_t>> freePictureNumbers(const std::string& folder, uint64_t firstSeed,
                                                              int64_t count);

} // namespace homebooth::core
