// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/worker_start.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/cli/worker/child_environment.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/working_folder.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// What a worker reads on its standard input.
Result<void> openInput(const std::string& content, Descriptor& input) {
    input.reset(::memfd_create("homebooth-request", MFD_CLOEXEC));
    const int file = input.get();
    if (file < 0 || ::write(file, content.data(), content.size()) != static_cast<ssize_t>(content.size()) ||
        ::lseek(file, 0, SEEK_SET) != 0)
        return systemError("hand the request over", "homebooth-worker", errno);
    return {};
}

/// What has to be right in this process before it has a child. @param path  of the worker
Result<void> prepareToFork(const std::string& path) {
    if (::access(path.c_str(), X_OK) != 0)
        return Error{ErrorCode::Internal,
                     "expected the program homebooth-worker here, found none; build or "
                     "install it beside homebooth-engine",
                     path};
    // Threads of LibTorch spin up to a millisecond at every barrier. Beside other programs that is most of
    // what they do (86 % in one profile of small convolutions), so let them sleep much sooner.
    ::setenv("GOMP_SPINCOUNT", "5000", /*overwrite=*/0);
    // Whoever started this program may have left it ignored; the kernel would then forget how the worker
    // ended.
    std::signal(SIGCHLD, SIG_DFL);
    return {};
}

struct ChildSetUp {
    std::vector<char*> arguments;
    std::vector<char*> environment;
    int input = -1;
    int events = -1;
    int inherited = -1;
    int deathSignal = SIGTERM;
    pid_t parent = 0;
    bool homeless = false; ///< the folder that it would work in has no path
    sigset_t signals{};
};

/// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void becomeWorker(const ChildSetUp& child) {
    // The worker must not go on unseen when this process dies: it saves and stops, or gives its memory back
    // even where it would not hear that it shall.
    ::prctl(PR_SET_PDEATHSIG, child.deathSignal);
    if (::getppid() != child.parent) ::_exit(1);
    // Where a relative path names nothing, and nothing can be made.
    if (child.homeless && ::chdir("/proc") != 0) ::_exit(kExitNotStarted);
    if (child.input >= 0) ::dup2(child.input, STDIN_FILENO);
    for (const int kept : {child.events, child.inherited})
        if (kept >= 0) ::fcntl(kept, F_SETFD, 0);
    ::signal(SIGPIPE, SIG_IGN); // it outlives this program, and then its pipe to us breaks
    ::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole terminal; this program decides what it means
    ::signal(SIGTERM, SIG_DFL); // this program may not listen to it: one of a supervisor's jobs
    ::sigprocmask(SIG_SETMASK, &child.signals, nullptr);
    ::execve(child.arguments[0], child.arguments.data(), child.environment.data());
    ::_exit(kExitNotStarted);
}

} // namespace

std::string workerPath() {
    std::error_code code;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code);
    return (self.parent_path() / "homebooth-worker").string();
}

Result<StartedWorker> startWorker(const WorkerOptions& options) {
    std::string path = workerPath();
    HOMEBOOTH_CHECK(prepareToFork(path));
    std::array<int, 2> pipe{-1, -1};
    if (options.events && ::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return systemError("start the worker", path, errno);
    auto readEnd = std::make_unique<Descriptor>(pipe[0]);
    Descriptor writeEnd(pipe[1]);
    Descriptor input;
    if (!options.inheritInput) HOMEBOOTH_CHECK(openInput(options.input, input));

    std::vector<std::string> words = options.arguments;
    words.insert(words.begin(), path);
    if (options.events) words.insert(words.end(), {"--events-fd", std::to_string(writeEnd.get())});
    std::vector<std::pair<std::string, std::string>> own;
    if (!options.device.empty()) own.emplace_back(kVisibleDevicesVariable, options.device);
    std::vector<std::string> environment = environmentWith(own);
    ChildSetUp child{pointersTo(words), pointersTo(environment), input.get(),
                     writeEnd.get(),    options.inheritedFile,   options.saves ? SIGTERM : SIGKILL,
                     ::getpid(),        !hasWorkingFolder(),     StopSignals::before()};

    const pid_t process = ::fork();
    if (process < 0) return systemError("start the worker", path, errno);
    if (process == 0) becomeWorker(child);
    return StartedWorker{process, options.events ? std::move(readEnd) : nullptr};
}

} // namespace homebooth::core
