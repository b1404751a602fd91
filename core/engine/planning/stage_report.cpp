// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/stage_report.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/ranks/scaling_table.h"
#include "core/base/plan/training/step_time.h"
#include "core/engine/planning/plan_report.h"

namespace homebooth::core {
namespace {

std::string policyOf(const StepPlan& plan) {
    if (!plan.placement.streaming) return "gpu";
    return plan.placement.resident.empty() ? "cpu" : "auto";
}

void addFacts(std::map<std::string, double>& facts, const StepNeed& need, const RankedStep& step) {
    const auto add = [&facts](const char* fact, int64_t bytes) { facts[fact] = static_cast<double>(bytes); };
    add("deviceBytes", totalBytes(need.device));
    add("parameterBytes", need.device.parameterBytes);
    add("gradientBytes", need.device.gradientBytes);
    add("stateBytes", need.device.stateBytes);
    add("activationBytes", need.device.activationBytes);
    add("ramBytes", totalBytes(need.ram));
    add("sentBytes", step.sentBytes);
    facts["stepSeconds"] = step.seconds;
    facts["computeSeconds"] = step.computeSeconds;
    facts["waitedInsideSeconds"] = step.waitedInsideSeconds;
    facts["waitedBetweenSeconds"] = step.waitedBetweenSeconds;
}

/// A rank that makes class pictures has meanwhile what the others will keep for it.
std::string preparation(const TrainConfig& config, const StepPlan& plan, int64_t zero) {
    if (zero < 3 || !config.usesClassPictures()) return "";
    int64_t all = 0;
    for (const RehearsedBlock& block : plan.need.blocks) all += block.parameterBytes;
    return ", while it makes class pictures all " + byteSizeText(all) + " of the parameters";
}

} // namespace

PlanDecision aboutStage(const TrainConfig& config, const StageForecast& stage, const StageWords& words) {
    const std::string name = "--zero " + std::to_string(stage.zero);
    const std::map<std::string, double> number{{"zero", static_cast<double>(stage.zero)}};
    if (!stage.plan) return {name + ": " + stage.refusal.text(), kRankStageRefused, number};
    const StepNeed need = stepNeedOf(config, *stage.plan, "");
    const TierMemory& device = need.device;
    const int64_t ram = stage.plan->placement.streaming ? totalBytes(need.ram) : 0; // else a batch's pictures
    PlanDecision line{name + ": " + byteSizeText(totalBytes(device)) + " of each " + words.owner +
                          " (parameters " + byteSizeText(device.parameterBytes) + ", gradients that rest " +
                          byteSizeText(device.gradientBytes) + ", optimizer states " +
                          byteSizeText(device.stateBytes) + ", activations and the rest " +
                          byteSizeText(device.activationBytes) + ")" +
                          (ram > 0 ? " and " + byteSizeText(ram) + " of RAM for each" : std::string()) +
                          ", roughly " + stepTimeText(stage.step.seconds) + " a step, each sends " +
                          byteSizeText(stage.step.sentBytes) + preparation(config, *stage.plan, stage.zero) +
                          (words.policies ? "; --policy " + policyOf(*stage.plan) : std::string()),
                      kRankStage, number};
    addFacts(line.facts, need, stage.step);
    return line;
}

PlanDecision aboutBest(const StageForecast& best, const StageWords& words) {
    return {"proposed: --zero " + std::to_string(best.zero) +
                (words.policies ? " --policy " + policyOf(*best.plan) : std::string()) +
                ", the least stage that is about as fast as the fastest that fits",
            "rank-stage-best",
            {{"zero", static_cast<double>(best.zero)}, {"stepSeconds", best.step.seconds}}};
}

} // namespace homebooth::core
