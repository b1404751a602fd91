// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/gpu_facts.h"
#include "core/cli/verb.h"
#include "core/cli/worker/worker_process.h"

#include <cstdio>
#include <string>
#include <unistd.h>

namespace homebooth::core {

int runBench(const Arguments& arguments) {
    if (!arguments.empty() && arguments[0] == "swap")
        return runBenchSwap(Arguments(arguments.begin() + 1, arguments.end()));
    // The worker knows the options: they name what only it can do.
    WorkerOptions worker;
    worker.events = false;
    worker.device = firstUsableGpu();
    worker.arguments = arguments;
    worker.arguments.insert(worker.arguments.begin(), "bench");
    const auto end = runWorker(worker, {}, {});
    if (!end) return fail("bench", end.error());
    if (end->signal == 0 && end->exitCode != kExitNotStarted) return end->exitCode; // it said what was wrong
    const OutcomeEvent outcome = outcomeOf(*end);
    if (::isatty(STDERR_FILENO) != 0) std::fputc('\n', stderr); // behind the bar that the worker drew
    if (outcome.result == "failed")
        return fail("bench", {static_cast<ErrorCode>(outcome.code), outcome.message, {}});
    if (outcome.result == "cancelled") std::printf("stopped\n");
    return outcome.code;
}

} // namespace homebooth::core
