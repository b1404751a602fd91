// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What previews show. Pure functions; any thread.
#pragma once

#include "core/base/config/train_config.h"
#include "core/engine/data/data_set.h"
#include "core/engine/sampling/generation.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct PreviewPrompt {
    std::string text;
    uint64_t seed = 0; ///< the same at every preview, so that pictures can be compared
};

/// One prompt for each preview picture: those of the configuration ("|" between several), taken in turn; else
/// the instance prompt; else captions spread over the data set.
[[nodiscard]] std::vector<PreviewPrompt> previewPrompts(const TrainConfig& config,
                                                        const std::vector<TrainingSample>& samples);

/// The A1111 text of a preview. Brackets that were words stand there behind a backslash.
/// @param request  of one picture
[[nodiscard]] std::string previewParameters(const GenerationRequest& request);

} // namespace homebooth::core
