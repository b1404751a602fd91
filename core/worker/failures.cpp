// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/worker/jobs.h"

#include <c10/util/Exception.h>

#include <new>

namespace homebooth::core {
namespace {

/// The first line of LibTorch's message; the rest is a stack trace.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

Error outOfMemory(const std::string& what) {
    return {ErrorCode::OutOfResources,
            "there is not enough memory (" + what +
                "); try a smaller batch or resolution, bf16, or close other programs",
            {}};
}

} // namespace

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
    } catch (const c10::OutOfMemoryError& error) {
        outcome = failedOutcome(outOfMemory(firstLine(error.what_without_backtrace())));
    } catch (const std::bad_alloc& error) {
        outcome = failedOutcome(outOfMemory(error.what()));
    } catch (const c10::Error& error) {
        outcome = failedOutcome({ErrorCode::Internal, firstLine(error.what_without_backtrace()), {}});
    } catch (const std::exception& error) {
        outcome = failedOutcome({ErrorCode::Internal, firstLine(error.what()), {}});
    }
    recogniseLostDevice(outcome);
    return outcome;
}

} // namespace homebooth::core
