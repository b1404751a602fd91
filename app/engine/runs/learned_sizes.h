// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// At which sizes a training learns pictures. Value type; any thread.
#pragma once

#include "core/base/config/train_config.h"

namespace homebooth::app {

struct LearnedSizes {
    int64_t pixels = 512; ///< of a square; shapes that are kept have no larger area
    int64_t step = 64;    ///< sides of shapes that are kept are multiples of it
    core::FramingMode framing = core::FramingMode::Crop;
    friend bool operator==(const LearnedSizes&, const LearnedSizes&) = default;
};

} // namespace homebooth::app
