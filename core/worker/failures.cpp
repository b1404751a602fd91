// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/jobs.h"

#include "core/base/util/exit_codes.h"
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

} // namespace homebooth::core
