// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/jobs.h"

#include "core/base/plan/weight_format.h"
#include "core/base/run/run_folder.h"
#include "core/base/util/exit_codes.h"
#include "core/engine/jobs/failure.h"

#include <exception>

namespace homebooth::core {
namespace {

/// What may still change of a run in whatever state it is.
MemoryAdvice adviceFor(const std::string& runDir) {
    const std::string any = "try a smaller --batch, or close other programs";
    const MemoryAdvice ofEvery{any, any};
    if (runDir.empty()) return ofEvery;
    const auto run = RunFolder::open(runDir);
    const auto config = run ? run->config() : Result<TrainConfig>(run.error());
    if (!config) return ofEvery;
    return {leanerTraining(*config, /*inRam=*/config->memory.device == ComputeDevice::Cpu),
            leanerTraining(*config, /*inRam=*/true)};
}

} // namespace

OutcomeEvent failedOutcome(const Error& error) {
    OutcomeEvent outcome;
    outcome.result = "failed";
    outcome.code = static_cast<int>(error.code);
    outcome.message = error.text();
    return outcome;
}

OutcomeEvent notMetOutcome(const Error& error) {
    OutcomeEvent outcome = failedOutcome(error);
    if (error.code == ErrorCode::Internal) outcome.code = kExitRankLost;
    return outcome;
}

OutcomeEvent guarded(const std::function<OutcomeEvent()>& job) {
    try {
        return job();
    } catch (const std::exception&) {
        return failedOutcome(failureInFlight(
            "working", "try a smaller batch, resolution or context, bf16, or close other programs"));
    }
}

OutcomeEvent guardedTraining(const std::string& runDir, const std::function<OutcomeEvent()>& job) {
    try {
        return job();
    } catch (const std::exception&) {
        return failedOutcome(failureInFlight("training", adviceFor(runDir)));
    }
}

} // namespace homebooth::core
