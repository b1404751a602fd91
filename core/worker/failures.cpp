// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/jobs.h"

#include "core/engine/jobs/failure.h"

#include <exception>

namespace homebooth::core {

OutcomeEvent failedOutcome(const Error& error) {
    OutcomeEvent outcome;
    outcome.result = "failed";
    outcome.code = static_cast<int>(error.code);
    outcome.message = error.text();
    return outcome;
}

void recogniseLostDevice(OutcomeEvent& outcome) {
    if (outcome.result != "failed" || outcome.code != static_cast<int>(ErrorCode::Internal)) return;
    if (outcome.message.find("CUDA error") == std::string::npos) return;
    outcome.code = static_cast<int>(ErrorCode::DeviceLost);
    outcome.message = "the GPU stopped answering (" + outcome.message +
                      "); resume the run, and reboot the machine if that happens again";
}

OutcomeEvent guarded(const std::function<OutcomeEvent()>& job) {
    OutcomeEvent outcome;
    try {
        outcome = job();
    } catch (const std::exception&) {
        outcome = failedOutcome(
            failureInFlight("working", "try a smaller batch or resolution, bf16, or close other programs"));
    }
    recogniseLostDevice(outcome);
    return outcome;
}

} // namespace homebooth::core
