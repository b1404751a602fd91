// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/byte_size.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/worker/worker_process.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <sys/resource.h>

namespace homebooth::core {
namespace {

std::string nameOfSignal(int number) {
    const char* name = ::sigabbrev_np(number);
    return name == nullptr ? "signal " + std::to_string(number) : "SIG" + std::string(name);
}

OutcomeEvent endedBySignal(const WorkerEnd& end) {
    OutcomeEvent outcome;
    outcome.result = end.killedByUs ? "cancelled" : "failed";
    outcome.code = end.killedByUs ? kExitCancelled : static_cast<int>(ErrorCode::Internal);
    const std::string name = nameOfSignal(end.signal);
    if (end.unheard) {
        outcome.message = "stopped before it had begun; there was nothing to save";
    } else if (end.killedByUs) {
        outcome.message = "stopped at once, as asked, without saving";
    } else if (end.signal == SIGKILL && end.memoryKill) {
        outcome.code = static_cast<int>(ErrorCode::OutOfResources);
        outcome.message = "the system killed the worker because memory ran out; close other programs, or use "
                          "less: train with a lower --ram, --swap FOLDER or a smaller --batch, make "
                          "pictures and texts with --quantize int8";
    } else if (end.signal == SIGKILL) {
        outcome.message = "the worker was killed from outside (SIGKILL): by you, another program, or a guard "
                          "against low memory";
    } else if (end.signal == SIGBUS) {
        outcome.message =
            "the worker crashed (SIGBUS): a file that it was reading became shorter or its disk failed";
    } else {
        outcome.message = "the worker crashed (" + name + "): a fault of Homebooth's or of the driver";
    }
    return outcome;
}

/// Codes that a worker may end with unsaid. A library that ends the program has a meaning of its own for
/// others.
bool isWorkersOwn(int exitCode) {
    return exitCode == kExitDone || exitCode == kExitCancelled ||
           exitCode == static_cast<int>(ErrorCode::OutOfResources) ||
           exitCode == static_cast<int>(ErrorCode::DeviceLost);
}

/// It exited without saying how it went.
OutcomeEvent exitedSilently(int exitCode) {
    OutcomeEvent outcome;
    if (exitCode == kExitNotStarted) {
        const Error why = notStarted("the worker");
        outcome.result = "failed";
        outcome.code = static_cast<int>(why.code);
        outcome.message = why.message;
        return outcome;
    }
    outcome.result = exitCode == kExitDone ? "done" : exitCode == kExitCancelled ? "cancelled" : "failed";
    outcome.code = isWorkersOwn(exitCode) ? exitCode : static_cast<int>(ErrorCode::Internal);
    if (exitCode == static_cast<int>(ErrorCode::OutOfResources))
        outcome.message = "the worker ran out of memory; its last lines may say more";
    else if (exitCode == static_cast<int>(ErrorCode::DeviceLost))
        outcome.message = "the GPU stopped answering; resume the run, and reboot if that happens again";
    else if (!isWorkersOwn(exitCode))
        outcome.message = "the worker ended with exit code " + std::to_string(exitCode);
    return outcome;
}

/// How telling the end of a rank is: 0 where it only lost another one, or was ended because of it.
int weightOf(const RankEnd& one) {
    if (one.end.endedWithOthers) return 0;
    const OutcomeEvent outcome = outcomeOf(one.end);
    return outcome.code == kExitRankLost ? 0 : outcome.result == "failed" ? 2 : 1;
}

/// The same where each rank has a part of its own, so that none is done before all are.
int weightOfPart(const RankEnd& one) {
    const OutcomeEvent outcome = outcomeOf(one.end);
    if (one.end.endedWithOthers || outcome.code == kExitRankLost) return 1;
    return outcome.result == "failed" ? 3 : outcome.result == "cancelled" ? 2 : 0;
}

/// The most telling end in words; of equal ones the one that came first.
OutcomeEvent mostTelling(const std::vector<RankEnd>& ends, int (*weight)(const RankEnd&)) {
    const RankEnd& cause =
        *std::max_element(ends.begin(), ends.end(),
                          [weight](const RankEnd& a, const RankEnd& b) { return weight(a) < weight(b); });
    OutcomeEvent outcome = outcomeOf(cause.end);
    if (outcome.code == kExitRankLost || outcome.code == kExitRankAbsent)
        outcome.code = static_cast<int>(ErrorCode::Internal);
    if (ends.size() > 1 && outcome.result == "failed")
        outcome.message = "rank " + std::to_string(cause.rank) + " of " + std::to_string(ends.size()) +
                          " ended, and with it the others: " + outcome.message;
    return outcome;
}

} // namespace

Error notStarted(const std::string& what) {
    rlimit addresses{};
    const bool limited = ::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
    if (!limited)
        return {ErrorCode::Internal,
                what + " could not be started: the program or a library is missing; install Homebooth again",
                {}};
    return {ErrorCode::OutOfResources,
            what + " could not be started: the " + byteSizeText(static_cast<int64_t>(addresses.rlim_cur)) +
                " of memory that a program may ask for here (ulimit -v) are too little for it, or a library "
                "is missing; raise that limit, or install Homebooth again",
            {}};
}

OutcomeEvent outcomeOf(const WorkerEnd& end) {
    if (end.outcome) return *end.outcome;
    OutcomeEvent outcome = end.signal != 0 ? endedBySignal(end) : exitedSilently(end.exitCode);
    outcome.measured.residentBytes = end.peakResidentBytes;
    return outcome;
}

OutcomeEvent outcomeOf(const std::vector<RankEnd>& ends) {
    // What the first rank has brought to its end is done, whatever became of the others then.
    for (const RankEnd& one : ends)
        if (one.rank == 0 && one.end.outcome && one.end.outcome->result != "failed")
            return outcomeOf(one.end);
    return mostTelling(ends, weightOf);
}

OutcomeEvent outcomeOfParts(const std::vector<RankEnd>& ends) {
    return mostTelling(ends, weightOfPart);
}

} // namespace homebooth::core
