// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/util/version.h"
#include "core/engine/memory/arena_allocator.h"
#include "core/worker/environment.h"
#include "core/worker/jobs.h"
#include "core/worker/memory_habits.h"
#include "core/worker/rank_device.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

/// Takes an option and what stands behind it out of the arguments; empty without it.
std::string takeText(std::vector<std::string>& arguments, const char* option) {
    const auto found = std::find(arguments.begin(), arguments.end(), option);
    if (found == arguments.end() || found + 1 == arguments.end()) return {};
    std::string text = *(found + 1);
    arguments.erase(found, found + 2);
    return text;
}

/// The same of a number; -1 without it.
int takeNumber(std::vector<std::string>& arguments, const char* option) {
    const std::string text = takeText(arguments, option);
    int number = -1;
    const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc{} && rest == text.data() + text.size() ? number : -1;
}

/// Which of several ranks this is: --rank R --ranks N --meeting FILE, or as a launcher says in the
/// environment.
Result<RankPlace> takePlace(std::vector<std::string>& arguments, bool launched) {
    if (launched) {
        HOMEBOOTH_ASSIGN(const auto found, findRankPlace(::getenv));
        if (!found) return Error{ErrorCode::Usage, "expected a launcher's variables, found none", {}};
        return *found;
    }
    RankPlace place;
    place.rank = std::max(takeNumber(arguments, "--rank"), 0);
    place.ranks = std::max(takeNumber(arguments, "--ranks"), 1);
    place.localRank = place.rank;
    place.meetingFile = takeText(arguments, "--meeting");
    return place;
}

int usage() {
    std::fprintf(stderr, "error: homebooth-worker computes for homebooth-engine and is not started by hand; "
                         "expected train RUN, resume RUN, plan, sample, generate, serve or bench\n");
    return static_cast<int>(ErrorCode::Usage);
}

int dispatch(std::vector<std::string> arguments) {
    EventStream events(takeNumber(arguments, "--events-fd"));
    const bool launched = std::erase(arguments, "--launched") > 0;
    const Result<RankPlace> place = takePlace(arguments, launched);
    if (!place) {
        events.emit(failedOutcome(place.error()));
        return static_cast<int>(place.error().code);
    }
    if (arguments.empty()) return usage();
    const std::string& job = arguments[0];
    if (job == "--version") {
        std::printf("homebooth-worker %s\n", versionText());
        return 0;
    }
    prepareRank(*place, launched);
    behave();
    keepFreedMemory();
    useArena();
    if ((job == "train" || job == "resume") && arguments.size() == 2)
        return runTraining({arguments[1], job == "resume", *place, launched}, events);
    if (job == "join" && launched) return runTraining({"", false, *place, launched}, events);
    if (job == "plan") return runPlanning({arguments.begin() + 1, arguments.end()}, events);
    if (job == "sample") return runSampling(*place, events);
    if (job == "generate") return runWriting(events);
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
