// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which pictures are large enough to be learned or started from.
#pragma once

#include <cstdint>

namespace homebooth::core {

constexpr int64_t kLeastPictureSide = 8; ///< pixels, those of one latent

} // namespace homebooth::core
