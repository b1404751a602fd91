// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/learning_schedule.h"

#include "core/base/arch/clip_layout.h"
#include "core/base/arch/language_layout.h"
#include "core/base/arch/unet_layout.h"
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

bool learnsText(const TrainConfig& config) {
    return config.mode != TrainMode::Language &&
           (config.trainTextEncoder || config.mode == TrainMode::FromScratch);
}

Result<std::vector<Schedule>> learningSchedules(const TrainConfig& config, const ModelSource& model) {
    std::vector<Schedule> schedules;
    if (model.language) {
        schedules.push_back(languageSchedule(model.language->config, config.data.contextTokens));
    } else {
        schedules.push_back(unetSchedule(model.unet));
        if (learnsText(config)) schedules.push_back(clipSchedule(model.text.config));
    }
    for (Schedule& schedule : schedules) HOMEBOOTH_CHECK(prepareLearning(schedule, config, /*learns=*/true));
    return schedules;
}

} // namespace homebooth::core
