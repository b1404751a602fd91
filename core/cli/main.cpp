// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/config/config_fields.h"
#include "core/base/files/atomic_file.h"
#include "core/base/system/user_folders.h"
#include "core/base/util/terminal_text.h"
#include "core/base/util/version.h"
#include "core/cli/told_lines.h"
#include "core/cli/verb.h"
#include "core/cli/worker/own_program.h"
#include "core/cli/worker/stop_signals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr std::array<Verb, 11> kVerbs{{
    {"train", "teach a model a subject or a dataset", runTrain, true},
    {"resume", "go on with a run, also with more steps", runResume, true},
    {"sample", "make pictures", runSample, true},
    {"generate", "write texts with a language model", runGenerate},
    {"plan", "say what a run would need, and why", runPlan},
    {"inspect", "say what a model, LoRA, embedding, picture, run or checkpoint is", runInspect, false, false},
    {"convert", "turn a model or LoRA into another form", runConvert, true, false},
    {"verify", "check a run's or checkpoint's manifests and hashes", runVerify, false, false},
    {"bench", "time training, sampling, optimizers and swapping", runBench},
    {"doctor", "look at driver, memory and disks", runDoctor},
    {"supervise", "run a job, then the queue", runSupervise, true},
}};

void printHelp() {
    std::printf("Homebooth %s: DreamBooth on a home PC.\n\nUsage: homebooth-engine VERB [OPTIONS]\n\n",
                versionText());
    for (const Verb& verb : kVerbs)
        std::printf("  %-10s %s\n", std::string(verb.name).c_str(), std::string(verb.summary).c_str());
    std::printf("\n`homebooth-engine VERB --help` lists a verb's options.\n"
                "Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad input, 4 out of memory or disk,\n"
                "            5 cancelled, 6 device lost.\n");
}

int unknownVerb(const std::string& word) {
    std::vector<std::string> known;
    for (const Verb& verb : kVerbs) known.emplace_back(verb.name);
    const std::string nearest = nearestWord(word, known);
    return fail("", {ErrorCode::Usage,
                     "unknown verb \"" + word + "\"" +
                         (nearest.empty() ? "; see --help" : "; did you mean " + nearest + "?"),
                     {}});
}

bool names(const Arguments& arguments, std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

bool asksForHelp(const Arguments& arguments) {
    return names(arguments, "--help") || names(arguments, "-h");
}

/// Errors: BadInput: the verb needs /proc, which is not there
Result<void> checkMachine(const Verb& verb, const Arguments& arguments) {
    return asksForHelp(arguments) || !verb.knowsMachine ? Result<void>() : checkProc();
}

/// Whether what it prints is what it was called for; else that lies in files.
bool answers(const Verb& verb, const Arguments& arguments) {
    if (!verb.writesFiles || asksForHelp(arguments)) return true;
    return verb.name == "sample" && (names(arguments, "--json") || names(arguments, "--serve"));
}

/// Why what was written before could not be: nobody kept that, so once more.
int causeNow() {
    return ::write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

/// Sees to it that all that was printed is written. A reader that has seen enough, as `head` has, is no
/// failure, nor is a terminal that was closed.
/// @param counts  else it is only said that something was not. @returns the exit code
int written(int code, bool counts = true) {
    const int flushed = std::fflush(stdout) != 0 ? errno : std::ferror(stdout) != 0 ? causeNow() : 0;
    const int failed = untoldLines() != 0 ? untoldLines() : flushed;
    if (failed == 0 || code != kExitDone) return code;
    pollfd reader{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)) != 0) return code;
    const Error error = systemError("write the answer", "standard output", failed);
    if (counts) return fail("", error);
    if (failed != EBADF) // closed on purpose
        std::fprintf(stderr, "warning: %s\n", terminalLine(error.text()).c_str());
    return code;
}

int run(const Arguments& arguments) {
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
        printHelp();
        return written(arguments.empty() ? static_cast<int>(ErrorCode::Usage) : kExitDone);
    }
    if (arguments[0] == "--version") {
        std::printf("homebooth-engine %s\n", versionText());
        return written(kExitDone);
    }
    for (const Verb& verb : kVerbs) {
        if (verb.name != arguments[0]) continue;
        const Arguments behind(arguments.begin() + 1, arguments.end());
        if (const auto there = checkMachine(verb, behind); !there) return fail(verb.name, there.error());
        return written(verb.run(behind), answers(verb, behind));
    }
    return unknownVerb(arguments[0]);
}

/// Ctrl-C where nothing has to be tidied up; verbs that write or start a worker listen themselves.
void stopAtOnce(int) {
    constexpr std::string_view kText = "stopped\n";
    const ssize_t ignored = ::write(STDERR_FILENO, kText.data(), kText.size());
    (void)ignored;
    ::_exit(kExitCancelled);
}

} // namespace

std::span<const Verb> verbs() {
    return kVerbs;
}

int fail(std::string_view verb, const Error& error) {
    std::string line = "error: ";
    if (!verb.empty()) line += std::string(verb) + ": ";
    line += error.text();
    std::fprintf(stderr, "%s\n", terminalLine(line).c_str());
    return static_cast<int>(error.code);
}

} // namespace homebooth::core

int main(int argc, char** argv) {
    using namespace homebooth::core;
    std::signal(SIGPIPE, SIG_IGN);
    if (!isIgnored(SIGINT)) std::signal(SIGINT, stopAtOnce);
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit (ulimit -f) is a failed write that can be reported
    settleUserFolders();
    try {
        return run(Arguments(argv + 1, argv + argc));
    } catch (const std::bad_alloc&) {
        return fail("", {ErrorCode::OutOfResources, "out of memory; close other programs and try again", {}});
    } catch (const std::exception& failure) {
        return fail("", {ErrorCode::Internal, std::string("a fault of Homebooth's: ") + failure.what(), {}});
    }
}
