// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/model/configs/text_schedule.h"

#include <algorithm>
#include <cassert>

namespace homebooth::core {
namespace {

/// Layers at the end of the encoders that SDXL's UNet was never told of.
constexpr int64_t kUnusedLayers = 1;

} // namespace

Schedule textSchedule(const ModelSource& model, size_t part, int64_t clipSkip, ClipInput input) {
    const std::vector<const TextPart*> parts = model.textParts();
    assert(part < parts.size());
    if (parts.size() == 1) return clipSchedule(parts[part]->config, clipSkip, input);
    const ClipOutput output = part == 0 ? ClipOutput::Hidden : ClipOutput::HiddenAndPooled;
    return clipSchedule(parts[part]->config, clipSkip + kUnusedLayers, input, output);
}

int64_t mostClipSkip(const ModelSource& model) {
    int64_t layers = model.text.config.layerCount;
    for (const TextPart* part : model.textParts()) layers = std::min(layers, part->config.layerCount);
    return layers - 1 - (model.secondText ? kUnusedLayers : 0);
}

} // namespace homebooth::core
