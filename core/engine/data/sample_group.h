// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Samples of one kind with their latents and order, and what a step takes of them. Plain values.
#pragma once

#include "core/engine/data/data_set.h"
#include "core/engine/data/latent_set.h"
#include "core/engine/data/sample_order.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace homebooth::core {

struct SampleGroup {
    std::vector<TrainingSample> samples;
    std::optional<LatentSet> latents;
    std::unique_ptr<SampleOrder> order; ///< none of pictures that are held out
};

/// One sample of a step.
struct SampleDraw {
    const SampleGroup* group = nullptr;
    size_t sample = 0;
    uint64_t place = 0; ///< within the step, whatever micro-steps it is cut into: what is drawn hangs on it
    std::string caption;
    bool mirrored = false;
    bool noText = false; ///< zeros stand for the caption, whatever the encoders make of an empty one
};

/// What it took until the pictures of a step were encoded.
struct LoadSeconds {
    double waited = 0.0; ///< until they were decoded, or read from the cache
    double encoded = 0.0;
};

/// All samples of a step, a batch for each micro-step one behind the other.
struct StepDraws {
    std::vector<SampleDraw> instances;
    std::vector<SampleDraw> classes; ///< empty without prior preservation
    LoadSeconds took;
};

} // namespace homebooth::core
