// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/plans/leaner_plan.h"

#include "app/engine/runs/run_data.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace homebooth::app {
namespace {

enum class Short { Nothing, Memory, Ram };

Short shortOf(const core::PlanEvent& plan) {
    for (const core::PlanDecision& one : plan.decisions) {
        if (one.code == "again-less-memory") return Short::Memory; // of what computes
        if (one.code == "again-less-ram") return Short::Ram;
    }
    return Short::Nothing;
}

/// The first one that came after a step.
template <class Sample>
size_t firstAfter(const std::vector<Sample>& samples, int64_t step) {
    const auto found = std::upper_bound(samples.begin(), samples.end(), step,
                                        [](int64_t value, const Sample& one) { return value < one.step; });
    return static_cast<size_t>(found - samples.begin());
}

/// How much more other programs had around the plan than they had at least in the time before.
int64_t takenBytes(const RunData& run, bool ofGpu, int64_t step) {
    constexpr size_t kBefore = 100; // samples
    constexpr size_t kAfter = 5;
    constexpr int64_t kLeast = int64_t{64} << 20; // less is what programs do all the time
    const size_t plan = firstAfter(run.memory, step);
    const size_t end = std::min(plan + kAfter, run.memory.size());
    if (plan == 0) return 0;
    int64_t least = std::numeric_limits<int64_t>::max();
    int64_t most = 0;
    for (size_t i = plan > kBefore ? plan - kBefore : 0; i < end; ++i) {
        const core::TierMemory& tier = ofGpu ? run.memory[i].device : run.memory[i].ram;
        if (i < plan) least = std::min(least, tier.otherBytes);
        most = std::max(most, tier.otherBytes);
    }
    return most - least >= kLeast ? most - least : 0;
}

/// The median of the steps before.
double secondsBefore(const std::vector<StepSample>& steps, int64_t step) {
    constexpr size_t kBefore = 50;
    const size_t end = firstAfter(steps, step);
    std::vector<float> seconds;
    for (size_t i = end > kBefore ? end - kBefore : 0; i < end; ++i) seconds.push_back(steps[i].seconds);
    if (seconds.empty()) return 0.0;
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return double(*middle);
}

} // namespace

bool LeanerPlan::slower() const {
    constexpr double kNotable = 1.03;
    return secondsBefore > 0.0 && secondsNow > kNotable * secondsBefore;
}

std::optional<LeanerPlan> leanerPlanOf(const RunData& run) {
    const Short what = run.plan ? shortOf(*run.plan) : Short::Nothing;
    if (what == Short::Nothing) return std::nullopt;
    const auto made = std::find_if(run.marks.rbegin(), run.marks.rend(),
                                   [](const RunMark& mark) { return mark.kind == RunMark::Kind::Replanned; });
    if (made == run.marks.rend()) return std::nullopt; // it does the same with memory as the one before
    LeanerPlan plan;
    plan.step = made->step;
    const bool gpu = !run.memory.empty() && usedBytes(run.memory.back().device) > 0;
    plan.ofGpu = what == Short::Memory && gpu;
    plan.takenBytes = takenBytes(run, plan.ofGpu, plan.step);
    plan.secondsBefore = secondsBefore(run.steps, plan.step);
    plan.secondsNow = run.plan->predicted.stepSeconds;
    return plan;
}

} // namespace homebooth::app
