// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether pictures and captions of a data set shall be encoded beside the steps, or all of them first,
// and how a worker's plan says what it has found room for. Free functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/base/run/journal/event.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace homebooth::core {

/// More pictures than these are encoded beside the steps where nobody has said when: of fewer, one that
/// is broken is better found beforehand.
inline constexpr int64_t kManyPictures = 1000;

enum class EncodingWish {
    First,        ///< nothing is encoded beside the steps
    WhereItFits,  ///< beside them where that costs next to no time and no latents in RAM
    WhateverElse, ///< beside them where there is memory, before latents in RAM and faster steps
};

/// @param gpu   computes
/// @param many  pictures have to be encoded, or a run began with encoding beside its steps
[[nodiscard]] EncodingWish encodingWish(const TrainConfig& config, bool gpu, bool many);

/// Codes of a worker's decision about it, whose facts say what the steps leave ("encodingBytes"): so
/// much; or nothing, though they should.
inline constexpr const char* kEncodeBeside = "encode-beside";
inline constexpr const char* kEncodeFirst = "encode-first";

/// @param besideBytes  that the steps leave
[[nodiscard]] PlanDecision aboutEncoding(int64_t besideBytes, EncodingWish wish);

/// What such a decision among these says that the steps leave. It is taken out, unless it has to be
/// told: that of the whole training (base/plan/training/train_plan) tells the rest.
[[nodiscard]] std::optional<int64_t> takeEncoding(std::vector<PlanDecision>& decisions);

} // namespace homebooth::core
