// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/learning_schedule.h"

#include "core/base/schedule/adapters.h"
#include "core/base/schedule/quantized_weights.h"

namespace homebooth::core {

Result<void> prepareLearning(Schedule& schedule, const TrainConfig& config, bool learns) {
    if (!learns || config.method == TrainMethod::Full) {
        setTrainable(schedule, learns);
        return {};
    }
    AdapterOptions options;
    options.rank = config.lora.rank;
    options.alpha = config.lora.alpha;
    options.dropout = config.lora.dropout;
    options.convolutions = config.lora.convolutions;
    const auto attached = attachAdapters(schedule, options);
    if (!attached) return attached.error();
    if (config.quantization == Quantization::Int8) quantizeWeights(schedule);
    return {};
}

} // namespace homebooth::core
