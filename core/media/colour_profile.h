// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Embedded colour profiles to sRGB, by lcms2.
// Internal to media. Free functions without state; any thread.
#pragma once

#include "core/base/util/picture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

/// Converts a picture in the colours of an ICC profile (RGB or grey) to sRGB, in place. A profile that is
/// damaged or for other colours changes nothing and leaves a warning.
void profileToSrgb(Picture& picture, const std::string& iccProfile, std::vector<std::string>& warnings);

/// Converts rows of CMYK to sRGB: by the profile where it is one for CMYK, else by plain multiplication.
/// @param cmyk      [pixels, 4]
/// @param inverted  0 means full ink, as Adobe writes it
[[nodiscard]] std::vector<uint8_t> cmykToSrgb(const std::vector<uint8_t>& cmyk, bool inverted,
                                              const std::string& iccProfile,
                                              std::vector<std::string>& warnings);

} // namespace homebooth::core
