// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/planned_steps.h"

#include "core/base/config/byte_size.h"
#include "core/engine/memory/memory_relief.h"
#include "core/engine/planning/memory_room.h"
#include "core/engine/planning/plan_report.h"

#include <algorithm>
#include <chrono>
#include <exception>

namespace homebooth::core {
namespace {

constexpr int kAttempts = 3; // at a step: each is planned lower than the one before

const char* sizeInWords(const TrainConfig& config) {
    return config.mode == TrainMode::Language ? "Context" : "Resolution";
}

StepTuner::BudgetNow budgetOf(const JobContext& job, const PlannedRun& run) {
    return [&job, run] {
        return budgetBeside(budgetOfSteps(job, run.plan), run.encodingBytes(), job.options.device,
                            job.config.memory);
    };
}

} // namespace

PlannedSteps::PlannedSteps(const JobContext& job, PlannedRun run, Learner& learner)
    : m_job(job)
    , m_run(std::move(run))
    , m_learner(learner)
    , m_tuner(job.config, m_run.source, learner, m_run.plan.steps, m_run.plan.speed, budgetOf(job, m_run),
              {.ranks = &job.ranks(),
               .holdFewer = m_run.holdFewer,
               .givenUpBytes = m_run.givenUpBytes,
               .holdMore = m_run.holdMore,
               .restSeconds = job.options.takeBackSeconds}) {
    tell({"planned for the memory that is free as the run begins", "run-begins"});
}

void PlannedSteps::tell(const PlanDecision& why) {
    auto event = planEventOf(m_job.config, m_run.source, m_tuner.plan(), !m_job.options.device.is_cpu(),
                             {m_run.encodingBytes(), m_run.plan.atStart.textBytes, m_run.plan.pictures}, why);
    if (!event) return;
    std::vector<PlanDecision>& all = event->decisions;
    all.insert(all.begin() + 1, m_run.decisions.begin(), m_run.decisions.end()); // behind `why`
    m_job.events.emit(*event);
}

void PlannedSteps::warn(int64_t step, const MemoryShortage& shortage) {
    m_job.events.emit(WarningEvent{
        shortage.ofRam ? "less-ram" : "less-memory",
        "step " + std::to_string(step) + ": other programs have taken memory. The training needs " +
            byteSizeText(shortage.neededBytes) + (shortage.ofRam ? " of RAM beside the device" : "") +
            ", and " + byteSizeText(std::max<int64_t>(shortage.freeBytes, 0)) +
            " are left for it; no other plan needs less. It goes on, but may become slow or be ended by the "
            "system; close other programs."});
}

void PlannedSteps::planLower(int64_t step, int64_t needed) {
    // Another plan may have been made meanwhile, for what is left.
    const bool lower = m_tuner.plan().need.devicePeakBytes < needed * 9 / 10;
    const bool gaveUp = lower || m_tuner.lower();
    const std::string after =
        gaveUp ? "from now on it is planned for " + byteSizeText(m_tuner.plan().need.devicePeakBytes) +
                     " instead of " + byteSizeText(needed)
               : "it already keeps as little as possible, so it may happen again; close other programs";
    m_job.events.emit(WarningEvent{"memory-ran-out",
                                   "step " + std::to_string(step) +
                                       ": memory ran out although the step was planned for it. The step went "
                                       "on with less, slower; " +
                                       after + ". " + sizeInWords(m_job.config) +
                                       ", batch and result are not affected."});
    if (gaveUp)
        tell({"planned again: memory ran out in step " + std::to_string(step),
              "again-memory-ran-out",
              {{"step", static_cast<double>(step)}}});
}

StepReport PlannedSteps::attempt(int64_t step, const std::function<StepReport()>& compute) {
    // Of several ranks one alone cannot begin a step anew: the others are in the middle of it.
    const int attempts = m_job.ranks().count() == 1 ? kAttempts : 1;
    for (int attempt = 1; attempt < attempts; ++attempt) {
        try {
            return compute();
        } catch (const std::exception&) {
            if (!memoryRanOut() || m_learner.hasUpdated()) throw;
        }
        m_learner.discardStep();
        releaseIdleMemory(m_job.options.device);
        planLower(step, m_tuner.plan().need.devicePeakBytes);
    }
    return compute();
}

StepReport PlannedSteps::run(int64_t step, bool asPlanned, const std::function<StepReport()>& compute) {
    if (!asPlanned) return attempt(step, compute);
    using Clock = std::chrono::steady_clock;
    const int64_t reliefsBefore = m_tuner.reliefs();
    const int64_t needed = m_tuner.plan().need.devicePeakBytes;
    m_tuner.stepBegins();
    const auto begin = Clock::now(); // behind what the tuner may have rehearsed
    StepReport report = attempt(step, compute);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (const ReplanReason why = m_tuner.stepEnded(seconds); why != ReplanReason::None) tell(decisionOf(why));
    if (const auto shortage = m_tuner.takeShortage()) warn(step, *shortage);
    if (m_tuner.reliefs() > reliefsBefore) planLower(step, needed);
    return report;
}

} // namespace homebooth::core
