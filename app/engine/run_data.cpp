// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/run_data.h"

#include <algorithm>
#include <type_traits>

namespace homebooth::app {
namespace {

template <class T>
void dropLater(std::vector<T>& entries, int64_t step) {
    std::erase_if(entries, [step](const T& entry) { return entry.step > step; });
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

bool RunUpdate::empty() const {
    return !restartFrom && steps.empty() && memory.empty() && previews.empty() && checkpoints.empty() &&
           warnings.empty() && !plan && !state && !outcome && !newAttempt;
}

void RunUpdate::take(const core::JournalEntry& entry) {
    std::visit(
        [this](const auto& event) {
            using T = std::decay_t<decltype(event)>;
            if constexpr (std::is_same_v<T, core::StepEvent>) {
                steps.push_back({event.step, event.loss, event.learningRate,
                                 static_cast<float>(event.seconds),
                                 static_cast<float>(event.samplesPerSecond)});
            } else if constexpr (std::is_same_v<T, core::MemoryEvent>) {
                memory.push_back({event.step, event.device, event.ram, event.swap});
            } else if constexpr (std::is_same_v<T, core::PreviewEvent>) {
                previews.push_back(event);
            } else if constexpr (std::is_same_v<T, core::CheckpointEvent>) {
                checkpoints.push_back(event);
            } else if constexpr (std::is_same_v<T, core::WarningEvent>) {
                warnings.push_back(event);
            } else if constexpr (std::is_same_v<T, core::PlanEvent>) {
                plan = event;
            } else if constexpr (std::is_same_v<T, core::StateEvent>) {
                state = event;
                outcome.reset();
                newAttempt = true;
            } else if constexpr (std::is_same_v<T, core::OutcomeEvent>) {
                outcome = event;
            } else if constexpr (std::is_same_v<T, core::ResumedEvent>) {
                restartFrom = std::min(restartFrom.value_or(event.fromStep), event.fromStep);
                dropLater(steps, event.fromStep);
                dropLater(memory, event.fromStep);
                dropLater(previews, event.fromStep);
                dropLater(checkpoints, event.fromStep);
                outcome.reset();
                newAttempt = true;
            }
        },
        entry.event);
}

void RunData::apply(const RunUpdate& update) {
    if (update.restartFrom) {
        dropLater(steps, *update.restartFrom);
        dropLater(memory, *update.restartFrom);
        dropLater(previews, *update.restartFrom);
        dropLater(checkpoints, *update.restartFrom);
        ++generation;
    }
    append(steps, update.steps);
    append(memory, update.memory);
    append(previews, update.previews);
    append(checkpoints, update.checkpoints);
    append(warnings, update.warnings);
    if (update.plan) plan = update.plan;
    if (update.state) state = *update.state;
    if (update.newAttempt) outcome.reset();
    if (update.outcome) outcome = update.outcome;
    workerAlive = update.workerAlive;
    if (update.lastSignMs > 0) lastSignMs = update.lastSignMs;
}

double RunData::secondsPerStep() const {
    constexpr size_t kLatest = 50;
    std::vector<float> latest;
    for (size_t i = steps.size() > kLatest ? steps.size() - kLatest : 0; i < steps.size(); ++i)
        latest.push_back(steps[i].seconds);
    if (latest.empty()) return 0.0;
    std::nth_element(latest.begin(), latest.begin() + static_cast<std::ptrdiff_t>(latest.size() / 2),
                     latest.end());
    return latest[latest.size() / 2];
}

int64_t usedBytes(const core::TierMemory& memory) {
    return memory.parameterBytes + memory.gradientBytes + memory.stateBytes + memory.activationBytes +
           memory.workspaceBytes + memory.cacheBytes;
}

} // namespace homebooth::app
