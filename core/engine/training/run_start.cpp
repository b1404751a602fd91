// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/run_start.h"

#include "core/base/model/model_hash.h"
#include "core/base/model/model_source.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/format_warning.h"
#include "core/base/system/cpu_facts.h"
#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace homebooth::core {
namespace {

constexpr const char* kProcessor = "processor";

std::string nameOf(at::Device device) {
    if (device.is_cpu()) return kProcessor;
    const GpuFacts gpu = gpuFacts();
    return gpu.devices.empty() || gpu.devices.front().name.empty() ? "a GPU" : gpu.devices.front().name;
}

int64_t numberIn(const std::map<std::string, std::string>& facts, const char* name) {
    const auto found = facts.find(name);
    int64_t number = 0;
    if (found != facts.end())
        std::from_chars(found->second.data(), found->second.data() + found->second.size(), number);
    return number;
}

Error changedModel(const std::string& path, const std::string& expected, const std::string& found) {
    return badInput("resuming: the model has changed since the run began: expected SHA-256 " +
                        shortHash(expected) + ", found " + shortHash(found) +
                        "; put the original back (--model names another place of it), or start a new run",
                    path);
}

/// No hash covers the .yaml beside a single file; without it something else would be learned from here on.
Result<void> checkPrediction(const JobContext& job, bool begun, std::map<std::string, std::string>& facts) {
    const TrainConfig& config = job.config;
    const bool byFiles = config.mode != TrainMode::FromScratch && config.loss.predictionType.empty();
    if (!byFiles) return {};
    OpenOptions options;
    options.weightsOptional = true;
    const auto model = openModel(config.model, options);
    if (!model || model->language) return {}; // whoever loads it says why
    std::string& known = facts[kPredictsFact];
    const std::string found = toString(model->predictionType);
    if (begun && !known.empty() && known != found)
        return badInput(
            "resuming: the model predicts otherwise than when the run began: expected " + known + ", found " +
                found +
                "; put the .yaml back that lay beside its file, or take the one away that was not "
                "there, or start a new run",
            config.model);
    known = found;
    return {};
}

/// Threads that a user named are each process's; more than there are cores take them from each other.
void warnOfTooMany(const JobContext& job, int64_t threads) {
    const int64_t processes = job.ranks().sharingCores();
    const int64_t all = usableThreads();
    if (const auto warning = threadsWarning(threads, all); warning && processes == 1)
        job.events.emit(*warning);
    if (processes == 1 || threads * processes <= all) return;
    job.events.emit(WarningEvent{
        "threads", std::to_string(processes) + " processes with " + std::to_string(threads) +
                       (threads == 1 ? " thread each share " : " threads each share ") + std::to_string(all) +
                       " cores: --threads 0, which divides "
                       "them, is faster"});
}

} // namespace

Result<int> threadsOf(const JobContext& job) {
    const int64_t processes = job.config.parallel.processes;
    const Ranks& ranks = job.ranks();
    const int64_t cores = std::max<int64_t>(usableThreads() / ranks.sharingCores(), 1);
    HOMEBOOTH_ASSIGN(const auto facts, job.run.facts());
    // As many processes are as many threads each; a run of one process has said nothing of that, and machines
    // may differ.
    const bool alike = std::max<int64_t>(numberIn(facts, kProcessesFact), 1) == processes &&
                       ranks.onThisMachine() == ranks.count();
    const int64_t before = alike ? numberIn(facts, kThreadsFact) : 0;
    const int64_t begun = before > 0 ? before : cores;
    const int64_t threads = job.config.threads > 0 ? job.config.threads : begun;
    if (threads != before && ranks.isFirst())
        HOMEBOOTH_CHECK(job.run.addFacts(
            {{kThreadsFact, std::to_string(threads)}, {kProcessesFact, std::to_string(processes)}}));
    if (threads > cores && job.config.threads == 0)
        job.events.emit(WarningEvent{"threads", "the run began with " + std::to_string(threads) +
                                                    " threads and goes on with them, so that no bit changes, "
                                                    "but here are " +
                                                    std::to_string(cores) + " cores: --threads " +
                                                    std::to_string(cores) + " is faster"});
    if (job.config.threads > 0) warnOfTooMany(job, threads);
    return static_cast<int>(threads);
}

Result<void> checkDevice(const JobContext& job) {
    HOMEBOOTH_ASSIGN(const auto facts, job.run.facts());
    const auto found = facts.find(kDeviceFact);
    const std::string before = found != facts.end() ? found->second : "";
    const std::string now = nameOf(job.options.device);
    if (now == before) return {};
    // Also where nothing was saved yet: to begin again with the processor may take days as well.
    const bool lost = now == kProcessor && !before.empty();
    if (lost && job.config.memory.device != ComputeDevice::Cpu)
        return Error{ErrorCode::DeviceLost,
                     "resuming: expected a GPU, since " + before +
                         " has begun this run, found none that can be used; see homebooth-engine doctor, or "
                         "choose --device cpu to go on with the processor, which takes far longer",
                     {}};
    return job.run.addFacts({{kDeviceFact, now}});
}

Result<bool> checkModels(const JobContext& job) {
    const bool begun = !listCheckpoints(job.run.checkpointsDir()).empty();
    HOMEBOOTH_ASSIGN(auto facts, job.run.facts());
    for (const auto& [path, fact] :
         {std::pair(job.config.model, kModelFact), std::pair(job.config.scratch.configDir, kScratchFact)}) {
        if (path.empty()) continue;
        job.events.emit(StateEvent{"loading", "hash of the model", 0, 0});
        HOMEBOOTH_ASSIGN(const auto hash, modelHash(path, {}, job.control.stop));
        if (!hash) return false;
        std::string& known = facts[fact];
        if (begun && !known.empty() && known != *hash) return changedModel(path, known, *hash);
        known = *hash;
    }
    HOMEBOOTH_CHECK(checkPrediction(job, begun, facts));
    HOMEBOOTH_CHECK(job.run.addFacts(facts));
    return true;
}

} // namespace homebooth::core
