// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/version.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/memory_habits.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

/// Takes "--events-fd N" out of the arguments; -1 without it.
int takeEventsDescriptor(std::vector<std::string>& arguments) {
    for (size_t index = 0; index + 1 < arguments.size(); ++index) {
        if (arguments[index] != "--events-fd") continue;
        const std::string text = arguments[index + 1];
        int descriptor = -1;
        const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), descriptor);
        arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(index),
                        arguments.begin() + static_cast<std::ptrdiff_t>(index) + 2);
        return failed == std::errc{} && rest == text.data() + text.size() ? descriptor : -1;
    }
    return -1;
}

int usage() {
    std::fprintf(stderr, "error: homebooth-worker computes for homebooth-engine and is not started by hand; "
                         "expected train RUN, resume RUN, plan, sample, serve or bench\n");
    return static_cast<int>(ErrorCode::Usage);
}

int dispatch(std::vector<std::string> arguments) {
    EventStream events(takeEventsDescriptor(arguments));
    if (arguments.empty()) return usage();
    const std::string& job = arguments[0];
    if (job == "--version") {
        std::printf("homebooth-worker %s\n", versionText());
        return 0;
    }
    behave();
    keepFreedMemory();
    takeHugePages();
    if ((job == "train" || job == "resume") && arguments.size() == 2)
        return runTraining(arguments[1], job == "resume", events);
    if (job == "plan") return runPlanning({arguments.begin() + 1, arguments.end()}, events);
    if (job == "sample") return runSampling(events);
    if (job == "serve") return runServer(events);
    if (job == "bench") return runBenchmark({arguments.begin() + 1, arguments.end()});
    return usage();
}

} // namespace
} // namespace homebooth::core

int main(int argc, char** argv) {
    const int code = homebooth::core::dispatch({argv + 1, argv + argc});
    // Not all streams: a thread may hold the lock of standard input while it waits for a line.
    std::fflush(stdout);
    std::fflush(stderr);
    // Without the libraries' destructors: after a device error they can hang, and they free what is gone
    // anyway.
    ::_exit(code);
}
