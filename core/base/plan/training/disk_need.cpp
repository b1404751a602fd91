// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/disk_need.h"

#include "core/base/arch/vae_layout.h"
#include "core/base/model/configs/text_schedule.h"
#include "core/base/plan/generation/preview_plan.h"
#include "core/base/plan/training/learning_schedule.h"
#include "core/base/plan/training/train_sizes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace homebooth::core {
namespace {

/// What the parameters of each network take that has a file for them: of those that learn, and of those
/// that are there beside them for previews.
std::vector<int64_t> bytesOfNetworks(const TrainConfig& config, const ModelSource& model) {
    std::vector<int64_t> bytes;
    const auto add = [&](const Schedule& schedule) {
        bytes.push_back(parameterBytes(schedule, bytesOf(config.precision)));
    };
    const auto learning = learningSchedules(config, model);
    if (!learning) return bytes;
    for (const Schedule& schedule : *learning) add(schedule);
    if (model.language || !makesPreviews(config)) return bytes;
    add(vaeEncoderSchedule(model.vae));
    add(vaeDecoderSchedule(model.vae));
    for (size_t part = 0; !learnsText(config) && part < model.textParts().size(); ++part)
        add(textSchedule(model, part));
    return bytes;
}

} // namespace

int64_t largestSwapFile(const TrainPlan& plan, const TrainConfig& config, const ModelSource& model) {
    const int64_t homes = plan.peaks.swap.parameterBytes;
    const int64_t rest = plan.event.predicted.swapBytes - homes;
    if (homes == 0) return rest;
    const std::vector<int64_t> networks = bytesOfNetworks(config, model);
    const int64_t all = std::accumulate(networks.begin(), networks.end(), int64_t{0});
    if (all == 0) return std::max(homes, rest);
    const auto largest = static_cast<double>(*std::max_element(networks.begin(), networks.end()));
    const double share = largest / static_cast<double>(all);
    return std::max(static_cast<int64_t>(std::ceil(share * static_cast<double>(homes))), rest);
}

} // namespace homebooth::core
