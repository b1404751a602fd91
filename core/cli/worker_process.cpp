// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker_process.h"

#include "core/base/files/atomic_file.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/stop_signals.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// From the second request to stop until the worker is killed.
constexpr std::chrono::milliseconds kKillGrace(1500);

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
    int input = -1;
    int events = -1;
    int inherited = -1;
    int deathSignal = SIGTERM;
    pid_t parent = 0;
    sigset_t signals{};
};

/// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void becomeWorker(const ChildSetUp& child) {
    // The worker must not go on unseen when this process dies: it saves and stops, or gives its memory back
    // even where it would not hear that it shall.
    ::prctl(PR_SET_PDEATHSIG, child.deathSignal);
    if (::getppid() != child.parent) ::_exit(1);
    if (child.input >= 0) ::dup2(child.input, STDIN_FILENO);
    for (const int kept : {child.events, child.inherited})
        if (kept >= 0) ::fcntl(kept, F_SETFD, 0);
    ::signal(SIGPIPE, SIG_IGN); // it outlives this program, and then its pipe to us breaks
    ::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole terminal; this program decides what it means
    ::sigprocmask(SIG_SETMASK, &child.signals, nullptr);
    ::execv(child.arguments[0], child.arguments.data());
    ::_exit(kExitNotStarted);
}

/// Collects lines and hands them on.
class LineReader {
public:
    explicit LineReader(const EventListener& listener)
        : m_listener(listener) {}

    /// False at the end of the stream.
    bool read(int descriptor) {
        std::array<char, 65536> buffer{};
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0) return errno == EINTR || errno == EAGAIN;
        if (count == 0) return false;
        m_pending.append(buffer.data(), static_cast<size_t>(count));
        size_t start = 0;
        for (size_t end = m_pending.find('\n'); end != std::string::npos; end = m_pending.find('\n', start)) {
            take(m_pending.substr(start, end - start));
            start = end + 1;
        }
        m_pending.erase(0, start);
        return true;
    }

    [[nodiscard]] const std::optional<OutcomeEvent>& outcome() const { return m_outcome; }

private:
    void take(const std::string& line) {
        const auto entry = parseJournalLine(line);
        if (entry)
            if (const auto* ended = std::get_if<OutcomeEvent>(&entry->event)) m_outcome = *ended;
        if (m_listener) m_listener(line, entry);
    }

    const EventListener& m_listener;
    std::string m_pending;
    std::optional<OutcomeEvent> m_outcome;
};

/// Waits for the child and passes on its lines and our signals.
class Watch {
public:
    Watch(pid_t child, int events, const StopSignals& signals, const EventListener& onEvent,
          const StopListener& onStop)
        : m_child(child)
        , m_events(events)
        , m_signals(signals)
        , m_lines(onEvent)
        , m_onStop(onStop) {}

    WorkerEnd untilItEnded() {
        constexpr int kPollMs = 100;
        int status = 0;
        rusage usage{};
        pid_t waited = 0;
        while ((waited = ::wait4(m_child, &status, WNOHANG, &usage)) == 0) {
            if (m_killAt && Clock::now() >= *m_killAt) ::kill(m_child, SIGKILL);
            std::array<pollfd, 2> watched{{{m_signals.descriptor(), POLLIN, 0}, {m_events, POLLIN, 0}}};
            ::poll(watched.data(), m_events >= 0 ? 2 : 1, kPollMs);
            if (watched[0].revents != 0 && m_signals.take()) stop();
            if (m_events >= 0 && watched[1].revents != 0 && !m_lines.read(m_events)) m_events = -1;
        }
        // A signal to the whole group may have ended the child before this program read its own.
        if (m_signals.take()) note();
        // What it wrote last. A grandchild may hold the pipe open, so nobody waits for its end.
        if (m_events >= 0) {
            ::fcntl(m_events, F_SETFL, O_NONBLOCK);
            for (pollfd last{m_events, POLLIN, 0}; ::poll(&last, 1, 0) > 0 && m_lines.read(m_events);)
                continue;
        }
        WorkerEnd end;
        if (waited < 0) // nobody knows how it ended: never a success
            end.exitCode = static_cast<int>(ErrorCode::Internal);
        else if (WIFSIGNALED(status))
            end.signal = WTERMSIG(status);
        else
            end.exitCode = WEXITSTATUS(status);
        // A single SIGTERM ends it before it has begun to listen.
        end.killedByUs = m_stops > 1 || (m_stops == 1 && end.signal == SIGTERM);
        end.peakResidentBytes = static_cast<int64_t>(usage.ru_maxrss) * 1024;
        end.outcome = m_lines.outcome();
        return end;
    }

private:
    using Clock = std::chrono::steady_clock;

    void stop() {
        note();
        if (m_stops == 1) ::kill(m_child, SIGTERM);
        // What it is writing may just be done; a third request does not wait for that.
        if (m_stops > 1) m_killAt = Clock::now() + (m_stops == 2 ? kKillGrace : Clock::duration::zero());
    }

    void note() {
        ++m_stops;
        if (m_onStop) m_onStop(m_stops == 1 ? StopRequest::Gently : StopRequest::AtOnce);
    }

    pid_t m_child;
    int m_events;
    const StopSignals& m_signals;
    LineReader m_lines;
    const StopListener& m_onStop;
    int m_stops = 0;
    std::optional<Clock::time_point> m_killAt;
};

std::string nameOfSignal(int number) {
    const char* name = ::sigabbrev_np(number);
    return name == nullptr ? "signal " + std::to_string(number) : "SIG" + std::string(name);
}

OutcomeEvent endedBySignal(const WorkerEnd& end) {
    OutcomeEvent outcome;
    outcome.result = end.killedByUs ? "cancelled" : "failed";
    outcome.code = end.killedByUs ? kExitCancelled : static_cast<int>(ErrorCode::Internal);
    const std::string name = nameOfSignal(end.signal);
    if (end.killedByUs) {
        outcome.message = "stopped at once, as asked, without saving";
    } else if (end.signal == SIGKILL && end.memoryKill) {
        outcome.code = static_cast<int>(ErrorCode::OutOfResources);
        outcome.message = "the system killed the worker because memory ran out; use less (smaller batch or "
                          "resolution, bf16, adamw8bit, a LoRA) or close other programs";
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

/// It exited without saying how it went.
OutcomeEvent exitedSilently(int exitCode) {
    OutcomeEvent outcome;
    outcome.result = exitCode == 0 ? "done" : exitCode == kExitCancelled ? "cancelled" : "failed";
    outcome.code = exitCode >= 0 && exitCode <= 6 ? exitCode : static_cast<int>(ErrorCode::Internal);
    if (exitCode == static_cast<int>(ErrorCode::OutOfResources))
        outcome.message = "the worker ran out of memory; its last lines may say more";
    else if (exitCode == static_cast<int>(ErrorCode::DeviceLost))
        outcome.message = "the GPU stopped answering; resume the run, and reboot if that happens again";
    else if (exitCode == kExitNotStarted)
        outcome.message = "the worker could not be started: a library is missing; install Homebooth again";
    else if (exitCode != 0 && exitCode != kExitCancelled)
        outcome.message = "the worker ended with exit code " + std::to_string(exitCode);
    return outcome;
}

} // namespace

std::string workerPath() {
    std::error_code code;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code);
    return (self.parent_path() / "homebooth-worker").string();
}

Result<WorkerEnd> runWorker(const WorkerOptions& options, const EventListener& onEvent,
                            const StopListener& onStop) {
    std::string path = workerPath();
    HOMEBOOTH_CHECK(prepareToFork(path));
    std::array<int, 2> pipe{-1, -1};
    if (options.events && ::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return systemError("start the worker", path, errno);
    const Descriptor readEnd(pipe[0]);
    Descriptor writeEnd(pipe[1]);
    Descriptor input;
    if (!options.inheritInput) HOMEBOOTH_CHECK(openInput(options.input, input));

    std::vector<std::string> words = options.arguments;
    words.insert(words.begin(), path);
    if (options.events) words.insert(words.end(), {"--events-fd", std::to_string(writeEnd.get())});
    const StopSignals signals;
    ChildSetUp child{{},
                     input.get(),
                     writeEnd.get(),
                     options.inheritedFile,
                     options.saves ? SIGTERM : SIGKILL,
                     ::getpid(),
                     StopSignals::before()};
    for (std::string& word : words) child.arguments.push_back(word.data());
    child.arguments.push_back(nullptr);

    const int64_t killsBefore = memoryKillCount();
    const pid_t process = ::fork();
    if (process < 0) return systemError("start the worker", path, errno);
    if (process == 0) becomeWorker(child);
    writeEnd.reset();
    WorkerEnd end = Watch(process, readEnd.get(), signals, onEvent, onStop).untilItEnded();
    end.memoryKill = killsBefore >= 0 && memoryKillCount() > killsBefore;
    return end;
}

OutcomeEvent outcomeOf(const WorkerEnd& end) {
    if (end.outcome) return *end.outcome;
    OutcomeEvent outcome = end.signal != 0 ? endedBySignal(end) : exitedSilently(end.exitCode);
    outcome.measured.residentBytes = end.peakResidentBytes;
    return outcome;
}

} // namespace homebooth::core
