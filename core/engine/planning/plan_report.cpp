// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/planning/plan_report.h"

#include "core/base/config/byte_size.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/generation/text_memory.h"
#include "core/base/plan/training/step_time.h"
#include "core/base/plan/training/swap_wear.h"
#include "core/engine/learning/state_disk.h"
#include "core/engine/planning/planned_blocks.h"
#include "core/engine/planning/rank_exchange.h"
#include "core/engine/planning/tier_kinds.h"
#include "core/engine/planning/visiting_plans.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace homebooth::core {
namespace {

/// A figure among the facts of a decision.
double fact(int64_t value) {
    return static_cast<double>(value);
}

/// What comes to the device of one part in a micro-step.
int64_t fetchedBytes(const std::vector<RehearsedBlock>& blocks, const RehearsedStream& stream) {
    int64_t bytes = 0;
    for (const Stay& stay : stream.residency.stays)
        if (!stay.permanent) bytes += stream.fetchBytes[static_cast<size_t>(stay.block)];
    std::set<int> streamed;
    for (const RehearsedBlock& block : blocks)
        if (block.part == stream.part && block.streamed) streamed.insert(block.block);
    for (size_t use = 0; use < stream.order.size(); ++use) // without an arena, as parts that are spread
        if (stream.residency.stayOfUse[use] < 0 && streamed.contains(stream.order[use]) &&
            (use == 0 || stream.order[use - 1] != stream.order[use]))
            bytes += stream.fetchBytes[static_cast<size_t>(stream.order[use])];
    return bytes;
}

/// The same of all parts.
int64_t fetchedBytes(const Rehearsal& need) {
    int64_t bytes = 0;
    for (const RehearsedStream& stream : need.streams) bytes += fetchedBytes(need.blocks, stream);
    return bytes;
}

/// Of spread parameters that are streamed, this process's part.
int64_t streamedPart(const StepPlan& plan) {
    int64_t bytes = 0;
    for (const RehearsedStream& stream : plan.need.streams)
        for (const RehearsedBlock& block : plan.need.blocks)
            if (block.part == stream.part && block.streamed)
                bytes += stream.fetchBytes[static_cast<size_t>(block.block)];
    return bytes;
}

std::string whileAlone(const TrainConfig& config) {
    return config.usesClassPictures() ? "; while a process makes class pictures it has all of them" : "";
}

/// Each process has its part in RAM or on a disk, and a block is put together on the device for its use.
PlanDecision aboutSpreadElsewhere(const TrainConfig& config, const StepPlan& plan, int64_t allBytes) {
    const int64_t own = streamedPart(plan);
    const bool disk = plan.placement.streaming->homeOnDisk;
    return {"parameters: " + byteSizeText(own) + " of " + byteSizeText(allBytes) +
                (disk ? " on the disk of --swap for each of " : " in the RAM of each of ") +
                std::to_string(config.parallel.processes) + " processes, and " +
                byteSizeText(plan.need.parameterBytes) +
                " on its device: for its use a block is put together there, of the own part and, from the "
                "others, the rest" +
                whileAlone(config),
            disk ? "parameters-spread-on-disk" : "parameters-spread-in-ram",
            {{disk ? "diskBytes" : "ramBytes", fact(own)},
             {"parameterBytes", fact(plan.need.parameterBytes)},
             {"allBytes", fact(allBytes)},
             {"processes", fact(config.parallel.processes)}}};
}

/// Each process has its part all the time, and all of a block while it computes.
PlanDecision aboutSpreadParameters(const TrainConfig& config, const StepPlan& plan) {
    int64_t all = 0;
    int64_t largest = 0;
    for (const RehearsedBlock& block : plan.need.blocks) {
        all += block.parameterBytes;
        largest = std::max(largest, block.parameterBytes);
    }
    if (plan.placement.streaming) return aboutSpreadElsewhere(config, plan, all);
    return {"parameters: " + byteSizeText(plan.need.parameterBytes) + " of " + byteSizeText(all) +
                " in each of " + std::to_string(config.parallel.processes) +
                " processes all the time; the rest of a block, up to " + byteSizeText(largest) +
                ", comes from the others while it computes" + whileAlone(config),
            "parameters-spread",
            {{"parameterBytes", fact(plan.need.parameterBytes)},
             {"allBytes", fact(all)},
             {"blockBytes", fact(largest)},
             {"processes", fact(config.parallel.processes)}}};
}

PlanDecision aboutParameters(const TrainConfig& config, const StepPlan& plan) {
    const std::string bytes = byteSizeText(plan.need.parameterBytes);
    std::map<std::string, double> facts{{"parameterBytes", fact(plan.need.parameterBytes)}};
    if (config.parallel.spreadsParameters()) return aboutSpreadParameters(config, plan);
    if (!plan.placement.streaming)
        return {"parameters: " + bytes + " on the device all the time: they fit", "parameters-stay",
                std::move(facts)};
    if (!plan.placement.resident.empty()) {
        int64_t staying = 0;
        for (const RehearsedBlock& block : plan.need.blocks)
            if (!block.streamed) staying += block.parameterBytes;
        const int64_t arena = plan.need.parameterBytes - staying;
        const bool onDisk = plan.placement.streaming->homeOnDisk;
        facts = {{"parameterBytes", fact(staying)}, {"streamedThroughBytes", fact(arena)}};
        return {"parameters: " + byteSizeText(staying) +
                    " on the device all the time, as many as fit; the others " +
                    (onDisk ? "on the disk of --swap" : "in RAM") + ", streamed through " +
                    byteSizeText(arena) + " on the device",
                onDisk ? "parameters-partly-on-disk" : "parameters-partly-in-ram", std::move(facts)};
    }
    const bool asked = config.memory.policy == PlacementPolicy::Cpu;
    const bool disk = plan.placement.streaming->homeOnDisk;
    return {std::string("parameters: ") + (disk ? "on the disk of --swap" : "in RAM") +
                ", streamed through " + bytes + " on the device: " +
                (asked ? "policy cpu asks for it" : "with all of them there, the step would not fit"),
            std::string(disk ? "parameters-on-disk" : "parameters-in-ram") + (asked ? "-asked" : ""),
            std::move(facts)};
}

/// Of blocks whose parameters are streamed, or of all.
int64_t sumOf(const Rehearsal& need, int64_t RehearsedBlock::*figure, bool streamedAlone) {
    int64_t sum = 0;
    for (const RehearsedBlock& block : need.blocks)
        if (block.streamed || !streamedAlone) sum += block.*figure;
    return sum;
}

/// Bytes that a step moves between the tiers.
PlanDecision aboutLink(const TrainConfig& config, const StepPlan& plan) {
    if (!plan.placement.streaming)
        return {"link: nothing moves between device and RAM in a step", "link-idle"};
    const int64_t fetched = fetchedBytes(plan.need) * config.optimizer.accumulationSteps;
    const int64_t visiting = sumOf(plan.need, &RehearsedBlock::visitFetchedBytes, true);
    const int64_t returned =
        std::max<int64_t>(0, plan.need.linkBytesPerStep - plan.need.valueBytesPerStep - fetched - visiting);
    const UpdatedBlocks blocks = updatedBlocks(plan.need);
    if (visiting > 0)
        return {"link: " + byteSizeText(fetched) + " of parameters to the device for what blocks compute, " +
                    byteSizeText(visiting) + " of optimizer states for their update, and " +
                    byteSizeText(returned) +
                    (blocks.visiting < blocks.all ? " of both and of gradients" : " of both") +
                    " back in each step",
                "link-visits",
                {{"fetchedBytes", fact(fetched + visiting)}, {"returnedBytes", fact(returned)}}};
    return {"link: " + byteSizeText(fetched) + " of parameters to the device and " + byteSizeText(returned) +
                " of gradients back in each step",
            "link",
            {{"fetchedBytes", fact(fetched)}, {"returnedBytes", fact(returned)}}};
}

/// Why gradients rest, all reasons that there are; the first one names the decision.
std::vector<std::string> restReasons(const TrainConfig& config) {
    std::vector<std::string> reasons;
    if (config.optimizer.maxGradientNorm > 0.0) reasons.emplace_back("clipping");
    if (config.optimizer.accumulationSteps > 1) reasons.emplace_back("accumulation");
    if (config.precision == Precision::Fp16) reasons.emplace_back("fp16");
    return reasons;
}

std::string reasonsInWords(const std::vector<std::string>& reasons) {
    std::string text;
    for (size_t index = 0; index < reasons.size(); ++index) {
        if (index > 0) text += index + 1 < reasons.size() ? ", " : " and ";
        text += reasons[index] == "fp16" ? "fp16's check for overflow" : reasons[index];
    }
    return text + (reasons.size() == 1 ? " needs" : " need");
}

/// "800 MiB in RAM and 120 MiB on the device"
std::string restingPlaces(const Rehearsal& need) {
    const int64_t onDevice = need.gradientBytes - need.gradientBytesInRam - need.gradientBytesOnDisk;
    std::string text;
    const auto add = [&text](int64_t bytes, const char* where) {
        if (bytes > 0) text += (text.empty() ? "" : " and ") + byteSizeText(bytes) + where;
    };
    add(onDevice, " on the device");
    add(need.gradientBytesInRam, " in RAM");
    add(need.gradientBytesOnDisk, " on the disk of --swap");
    return text;
}

/// How often a step goes over gradients that rest.
struct RestPasses {
    int64_t writes = 0;
    int64_t reads = 0;
    int64_t diskReads = 0; ///< without those of what was written a moment before
};

RestPasses restPasses(const TrainConfig& config) {
    const int64_t microSteps = config.optimizer.accumulationSteps;
    // A sum is read to be added to; then all of them for the norm, where there is one, and for the update.
    const bool forAll = flowOptionsOf(config).needsAll();
    return {microSteps, microSteps + (forAll ? 1 : 0), microSteps - 1 + (forAll ? 2 : 0)};
}

std::string often(int64_t times) {
    return times == 1 ? "once" : times == 2 ? "twice" : std::to_string(times) + " times";
}

PlanDecision aboutGradients(const TrainConfig& config, const StepPlan& plan) {
    const bool goHome =
        plan.placement.streaming && sumOf(plan.need, &RehearsedBlock::visitReturnedBytes, true) == 0;
    if (plan.need.gradientBytes == 0 && goHome && plan.placement.resident.empty())
        return {"gradients: to RAM block by block, where the optimizer works while backward goes on; never "
                "all at once",
                "gradients-to-ram"};
    if (plan.need.gradientBytes == 0)
        return {
            "gradients: used up inside backward, parameter by parameter, since nothing needs all of them; "
            "never all at once",
            "gradients-used-up"};
    const std::vector<std::string> reasons = restReasons(config);
    const RestPasses passes = restPasses(config);
    const int64_t moved = (passes.writes + passes.reads) * plan.need.gradientBytes;
    const bool onDisk = plan.need.gradientBytesOnDisk > 0;
    return {"gradients: " + restingPlaces(plan.need) + " rest until the end of the step, because " +
                reasonsInWords(reasons) + " all of them; a step writes them " + often(passes.writes) +
                " and reads them " + often(passes.reads) + ", " + byteSizeText(moved) + " in all",
            onDisk ? "gradients-on-disk"
                   : "gradients-rest-" + (reasons.empty() ? std::string("clipping") : reasons.front()),
            {{"gradientBytes", fact(plan.need.gradientBytes)},
             {"ramBytes", fact(plan.need.gradientBytesInRam)},
             {"diskBytes", fact(plan.need.gradientBytesOnDisk)},
             {"movedBytes", fact(moved)}}};
}

/// Beside a GPU, where a disk takes what belongs to streamed blocks.
PlanDecision aboutStatesOfStreamed(const StepPlan& plan, int64_t onDisk) {
    const int64_t onDevice = plan.need.stateBytesOnDevice;
    const int64_t inRam = plan.need.stateBytesInRam;
    std::string text = "optimizer states" +
                       std::string(plan.placement.allStatesOnDisk ? " and averages" : "") +
                       " of streamed blocks: " + byteSizeText(onDisk) +
                       " on the disk, as --swap asks, read ahead of their update and written behind it";
    if (inRam > 0) text += "; their moving averages, " + byteSizeText(inRam) + ", in RAM";
    if (onDevice > 0)
        text += "; " + byteSizeText(onDevice) + " of blocks that stay on the device, beside their parameters";
    return {text + " (--swap beside a GPU was tried with a tiny model on one)",
            onDisk > 0 ? "states-on-disk" : "states-stay",
            {{"stateBytes", fact(onDisk > 0 ? onDisk : plan.need.stateBytes)},
             {"memoryStateBytes", fact(inRam + onDevice)}}};
}

PlanDecision aboutStates(const StepPlan& plan) {
    const int64_t inRam = plan.need.stateBytesInRam;
    const int64_t inMemory = inRam + plan.need.stateBytesOnDevice;
    if (plan.need.swappedBytes > 0) {
        const int64_t onDisk = plan.need.stateBytes - inMemory;
        if (plan.placement.diskOfStreamed) return aboutStatesOfStreamed(plan, onDisk);
        return {"optimizer states" + std::string(plan.placement.allStatesOnDisk ? " and averages" : "") +
                    ": " + byteSizeText(onDisk) +
                    " on the disk, as --swap asks, read ahead of their update and written behind it" +
                    (inMemory > 0 ? "; moving averages, " + byteSizeText(inMemory) + ", in memory" : ""),
                "states-on-disk",
                {{"stateBytes", fact(onDisk)}, {"memoryStateBytes", fact(inMemory)}}};
    }
    const std::string bytes = "optimizer states: " + byteSizeText(plan.need.stateBytes);
    const UpdatedBlocks blocks = updatedBlocks(plan.need);
    const std::string visits = visitsInWords(blocks, plan.measured);
    std::map<std::string, double> facts{{"stateBytes", fact(plan.need.stateBytes)}};
    if (blocks.visiting > 0) {
        facts["visitingBlocks"] = fact(blocks.visiting);
        facts["streamedBlocks"] = fact(blocks.all);
    }
    if (inRam > 0 && inRam < plan.need.stateBytes) {
        facts["ramStateBytes"] = fact(inRam);
        return {bytes + ", " + byteSizeText(inRam) + " of them in RAM, beside parameters that are streamed" +
                    visits,
                "states-partly-in-ram", std::move(facts)};
    }
    if (inRam > 0)
        return {bytes +
                    (blocks.visiting > 0 ? " in RAM" + visits : " in RAM, where the parameters are updated"),
                "states-in-ram", std::move(facts)};
    return {bytes + " beside the parameters, where these are updated", "states-stay", std::move(facts)};
}

/// Parameters that come and go by request leave no block the choice to keep everything, however much would
/// fit.
PlanDecision aboutActivations(const TrainConfig& config, const StepPlan& plan) {
    const int64_t blocks = plan.recomputed + plan.partlyKept + plan.wholeGraphs;
    const bool spread = config.parallel.spreadsParameters();
    const bool asked = spread || config.memory.policy == PlacementPolicy::Cpu;
    std::string code = "activations";
    if (plan.wholeGraphs == blocks) code += "-all";
    if (plan.wholeGraphs == 0 && asked) code += "-asked";
    return {"activations: of " + std::to_string(blocks) + " blocks " + std::to_string(plan.wholeGraphs) +
                " keep everything for backward, " + std::to_string(plan.partlyKept) +
                " the results of costly products, " + std::to_string(plan.recomputed) +
                " are computed again: the least time that fits" +
                (code.ends_with("-asked")
                     ? std::string(", for with ") + (spread ? "--zero 3" : "--policy cpu") +
                           " no parameters are there between forward and backward"
                     : ""),
            code,
            {{"blocks", fact(blocks)},
             {"wholeBlocks", fact(plan.wholeGraphs)},
             {"productBlocks", fact(plan.partlyKept)},
             {"recomputedBlocks", fact(plan.recomputed)}}};
}

PlanDecision aboutValues(const StepPlan& plan) {
    return {"values: what blocks do not read soon lies in RAM meanwhile; " +
                byteSizeText(plan.need.valueBytesPerStep) +
                " there and back in each step; on the device they would take room that backward needs more",
            "values-in-ram",
            {{"valueBytes", fact(plan.need.valueBytesPerStep)}}};
}

PlanDecision aboutTime(const StepPlan& plan, const std::string& speed) {
    const std::string taken = stepTimeText(plan.stepSeconds, plan.measured ? 3 : 2);
    std::map<std::string, double> facts{{"stepSeconds", plan.stepSeconds}};
    if (plan.measured)
        return {"step: " + taken + ", from what each block took in the first steps", "step-measured",
                std::move(facts)};
    return {"step: roughly " + taken + ", from " + speed, "step-estimated", std::move(facts)};
}

constexpr int64_t kMasterBytes = 4; // fp32

/// Of parameters and masters on the disk, what is read once more behind backward.
/// @param learningBytes  of parameters there that change
int64_t readAgain(const TrainConfig& config, const StepPlan& plan, int64_t learningBytes) {
    const ParallelConfig& parallel = config.parallel;
    const bool onDisk = plan.need.homeOnDiskBytes > 0;
    const int64_t ownBytes = onDisk ? sumOf(plan.need, &RehearsedBlock::updatedBytes, true) : 0;
    int64_t bytes = 0;
    // Inside backward an update may find what was fetched for it a moment before: of that swapExtra knows.
    if (flowOptionsOf(config).needsAll()) bytes += ownBytes;
    // Ranks send each other what they have updated, and pages are read before others' parts change in them.
    if (parallel.processes > 1 && parallel.zero > 0 && !parallel.spreadsParameters()) bytes += learningBytes;
    if (config.optimizer.emaDecay <= 0.0) return bytes;
    // Averages are made of masters, or of the parameters.
    const bool masters =
        config.optimizer.master == MasterWeights::Fp32 && config.precision != Precision::Fp32;
    if (!masters) return bytes + ownBytes;
    if (plan.need.swappedBytes == 0) return bytes;
    return bytes +
           kMasterBytes * sumOf(plan.need, &RehearsedBlock::updatedElements, plan.placement.diskOfStreamed);
}

/// Of one process, whose disk has its own part alone.
SwapUse swapUseOf(const TrainConfig& config, const StepPlan& plan) {
    const int64_t microSteps = config.optimizer.accumulationSteps;
    SwapUse use;
    use.setAsideBytes = plan.need.stateFileBytes;
    use.changingBytes = plan.need.changingSwappedBytes;
    use.gradientBytes = plan.need.gradientBytesOnDisk * microSteps;
    use.gradientReadBytes = plan.need.gradientBytesOnDisk * restPasses(config).diskReads;
    use.homeBytes = plan.need.homeFileBytes;
    use.frozenBytes = plan.need.frozenFileBytes;
    // Up to --zero 2 every process has all parameters, and so changes all that learn.
    use.trainedBytes = sumOf(plan.need,
                             config.parallel.spreadsParameters() ? &RehearsedBlock::updatedBytes
                                                                 : &RehearsedBlock::trainedBytes,
                             /*streamedAlone=*/true);
    if (use.homeBytes > 0) use.fetchedBytes = microSteps * fetchedBytes(plan.need);
    use.againBytes = readAgain(config, plan, std::min(use.homeBytes, use.trainedBytes));
    use.extra = plan.need.swapExtra;
    return use;
}

} // namespace

StepNeed stepNeedOf(const TrainConfig& config, const StepPlan& plan, const std::string& speed) {
    const TierPeaks peaks = tierPeaksOf(plan.need);
    StepNeed need{.device = peaks.device, .ram = peaks.ram, .swap = peaks.swap};
    need.freeBytes = std::max<int64_t>(plan.budgetBytes - plan.need.devicePeakBytes, 0);
    for (const PlannedBlock& block : plannedBlocks(plan)) need.blocks.push_back(decisionOf(block));
    need.stepSeconds = plan.stepSeconds;
    need.linkBytesPerStep = plan.need.linkBytesPerStep;
    need.decisions = {aboutParameters(config, plan), aboutLink(config, plan),        aboutStates(plan),
                      aboutGradients(config, plan),  aboutActivations(config, plan), aboutTime(plan, speed)};
    if (plan.need.valueBytesPerStep > 0) need.decisions.push_back(aboutValues(plan));
    if (plan.exchange) need.decisions.push_back(aboutExchange(*plan.exchange, plan.measured));
    if (config.memory.swapDir.empty()) return need;
    const SwapWear wear = swapWear(swapUseOf(config, plan), plan.stepSeconds);
    need.swapBytes = wear.heldBytes;
    need.swapBytesWrittenPerStep = wear.writtenBytesPerStep;
    need.swapBytesReadPerStep = wear.readBytesPerStep;
    need.decisions.push_back(decisionOf(wear, config.parallel.processes));
    return need;
}

Result<PlanEvent> planEventOf(const TrainConfig& config, const ModelSource& model, const StepPlan& plan,
                              bool gpu, const HeldBeside& held, PlanDecision why) {
    constexpr int64_t kWhatever = std::numeric_limits<int64_t>::max(); // it runs already
    StepNeed need = stepNeedOf(config, plan, kThisMachine);
    need.encodingBytes = held.encodingBytes;
    need.ram.cacheBytes += held.textBytes + held.pictures.bytes;
    if (held.textBytes > 0) need.decisions.push_back(aboutReadTexts(held.textBytes));
    if (held.pictures.allBytes > 0) need.decisions.push_back(aboutPictures(held.pictures));
    HOMEBOOTH_ASSIGN(TrainPlan whole, planTraining(config, model, {gpu, kWhatever, kWhatever}, need));
    whole.event.decisions.insert(whole.event.decisions.begin(), std::move(why));
    return std::move(whole.event);
}

} // namespace homebooth::core
