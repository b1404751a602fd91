// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/middle_of_run.h"

#include "core/base/config/train_config_json.h"
#include "core/base/run/checkpoints/checkpoint.h"

#include <charconv>
#include <string>

namespace homebooth::core {
namespace {

constexpr const char* kChosenSettingsFact = "chosenSettings"; // their hash

} // namespace

int64_t finishedSteps(const RunFolder& run) {
    const auto facts = run.facts();
    if (!facts) return 0;
    const auto found = facts->find(kFinishedFact);
    int64_t steps = 0;
    if (found != facts->end()) {
        const std::string& text = found->second;
        std::from_chars(text.data(), text.data() + text.size(), steps);
    }
    return steps;
}

bool inTheMiddle(const RunFolder& run, int64_t steps) {
    const auto newest = newestValidCheckpoint(run.checkpointsDir(), VerifyDepth::Sizes);
    return newest && newest->manifest.step < steps && newest->manifest.step > finishedSteps(run);
}

Result<void> noteChosenSettings(const RunFolder& run, const TrainConfig& config) {
    return run.addFacts({{kChosenSettingsFact, trainConfigHash(config)}});
}

bool settingsWereChosen(const RunFolder& run, const TrainConfig& config) {
    const auto facts = run.facts();
    if (!facts) return false;
    const auto found = facts->find(kChosenSettingsFact);
    return found != facts->end() && found->second == trainConfigHash(config);
}

} // namespace homebooth::core
