// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/worker_process.h"

#include "core/base/system/memory_facts.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_start.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

/// From the second request to stop until the workers are killed.
constexpr std::chrono::milliseconds kKillGrace(1500);
/// From the failure of one rank until the others are killed, which mostly notice it at once.
constexpr std::chrono::seconds kLostGrace(8);
/// Until a supervisor has passed on to its jobs what ended their workers already.
constexpr int kPassedOnMs = 500;

/// Collects lines and hands them on.
class LineReader {
public:
    LineReader(const RankListener& listener, int rank)
        : m_listener(listener)
        , m_rank(rank) {}

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
        if (m_listener) m_listener(m_rank, line, entry);
    }

    const RankListener& m_listener;
    int m_rank;
    std::string m_pending;
    std::optional<OutcomeEvent> m_outcome;
};

/// Waits for the children and passes on their lines and our signals.
class Watch {
public:
    Watch(std::vector<StartedWorker> workers, const StopSignals& signals, const RankListener& onEvent,
          const StopListener& onStop, const RoundListener& onRound, bool noticeEnds)
        : m_signals(signals)
        , m_onStop(onStop)
        , m_onRound(onRound)
        , m_noticeEnds(noticeEnds) {
        for (StartedWorker& worker : workers)
            m_children.push_back(
                {std::move(worker), LineReader(onEvent, static_cast<int>(m_children.size())), true});
    }

    std::vector<RankEnd> untilAllEnded() {
        while (m_ends.size() < m_children.size()) {
            for (Child& child : m_children)
                if (child.runs) look(child);
            if (m_ends.size() == m_children.size()) break;
            if (m_killAt && Clock::now() >= *m_killAt) killAll();
            if (m_onRound) m_onRound();
            waitForNews();
        }
        return std::move(m_ends);
    }

private:
    using Clock = std::chrono::steady_clock;

    struct Child {
        StartedWorker worker;
        LineReader lines;
        bool runs;

        [[nodiscard]] int events() const { return worker.events ? worker.events->get() : -1; }
    };

    /// Takes the end of a child, if it has ended.
    void look(Child& child) {
        int status = 0;
        rusage usage{};
        const pid_t waited = ::wait4(child.worker.process, &status, WNOHANG, &usage);
        if (waited == 0) return;
        child.runs = false;
        // A signal to the whole group may have ended the child before this program read its own.
        if (askedToStop(waited > 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)) note();
        readRest(child);
        WorkerEnd end;
        if (waited < 0) // nobody knows how it ended: never a success
            end.exitCode = static_cast<int>(ErrorCode::Internal);
        else if (WIFSIGNALED(status))
            end.signal = WTERMSIG(status);
        else
            end.exitCode = WEXITSTATUS(status);
        // A single SIGTERM ends it before it has begun to listen.
        end.unheard = m_stops == 1 && end.signal == SIGTERM;
        end.killedByUs = m_stops > 1 || end.unheard;
        // Nor does the one that failed have to be the first whose end is seen.
        end.endedWithOthers = m_failed && m_killed && end.signal == SIGKILL;
        end.peakResidentBytes = static_cast<int64_t>(usage.ru_maxrss) * 1024;
        end.outcome = child.lines.outcome();
        const bool fails = end.signal != 0 || (end.exitCode != kExitDone && end.exitCode != kExitCancelled);
        m_ends.push_back({static_cast<int>(&child - m_children.data()), std::move(end)});
        if (fails) endOthers();
    }

    /// @param terminated  a child, by SIGTERM, and nobody may have asked this program yet: a supervisor's job
    /// does not listen to what goes to the whole session, and hears of it a moment later
    [[nodiscard]] bool askedToStop(bool terminated) const {
        if (m_signals.take()) return true;
        if (!terminated || m_stops > 0 || !listensToSupervisor()) return false;
        pollfd late{m_signals.descriptor(), POLLIN, 0};
        ::poll(&late, 1, kPassedOnMs);
        return m_signals.take();
    }

    /// Without one of them the others cannot go on. Those that notice it end by themselves.
    void endOthers() {
        if (!m_failed && !m_noticeEnds) signalAll(SIGTERM);
        m_failed = true;
        const Clock::time_point latest = Clock::now() + kLostGrace;
        if (!m_killAt || latest < *m_killAt) m_killAt = latest;
    }

    /// What it wrote last. A grandchild may hold the pipe open, so nobody waits for its end.
    void readRest(Child& child) {
        if (child.events() < 0) return;
        ::fcntl(child.events(), F_SETFL, O_NONBLOCK);
        for (pollfd last{child.events(), POLLIN, 0}; ::poll(&last, 1, 0) > 0 && child.lines.read(last.fd);)
            continue;
        child.worker.events.reset();
    }

    void waitForNews() {
        constexpr int kPollMs = 100;
        std::vector<pollfd> watched{{m_signals.descriptor(), POLLIN, 0}};
        for (const Child& child : m_children)
            watched.push_back({child.events(), POLLIN, 0}); // -1 is passed over
        ::poll(watched.data(), watched.size(), kPollMs);
        if (watched[0].revents != 0 && m_signals.take()) stop();
        for (size_t rank = 0; rank < m_children.size(); ++rank)
            if (watched[rank + 1].revents != 0 && !m_children[rank].lines.read(watched[rank + 1].fd))
                m_children[rank].worker.events.reset();
    }

    void stop() {
        note();
        if (m_stops == 1) signalAll(SIGTERM);
        // What it is writing may just be done; a third request does not wait for that.
        if (m_stops > 1) m_killAt = Clock::now() + (m_stops == 2 ? kKillGrace : Clock::duration::zero());
    }

    void note() {
        ++m_stops;
        if (m_onStop) m_onStop(m_stops == 1 ? StopRequest::Gently : StopRequest::AtOnce);
    }

    void killAll() {
        m_killed = true;
        signalAll(SIGKILL);
    }

    void signalAll(int number) const {
        for (const Child& child : m_children)
            if (child.runs) ::kill(child.worker.process, number);
    }

    std::vector<Child> m_children;
    std::vector<RankEnd> m_ends; // in the order in which they ended
    const StopSignals& m_signals;
    const StopListener& m_onStop;
    const RoundListener& m_onRound;
    const bool m_noticeEnds;
    int m_stops = 0;
    bool m_failed = false; // one of them
    bool m_killed = false; // the others, by this program
    std::optional<Clock::time_point> m_killAt;
};

/// Starts all, or none.
Result<std::vector<StartedWorker>> startAll(const std::vector<WorkerOptions>& ranks) {
    std::vector<StartedWorker> started;
    for (const WorkerOptions& rank : ranks) {
        auto worker = startWorker(rank);
        if (worker) {
            started.push_back(std::move(worker).value());
            continue;
        }
        for (const StartedWorker& one : started) {
            ::kill(one.process, SIGKILL);
            ::waitpid(one.process, nullptr, 0);
        }
        return worker.error();
    }
    return started;
}

/// @param noticeEnds  each rank hears when another one ends
Result<std::vector<RankEnd>> watchRanks(const std::vector<WorkerOptions>& ranks, const RankListener& onEvent,
                                        const StopListener& onStop, const RoundListener& onRound,
                                        bool noticeEnds) {
    const StopSignals signals;
    const int64_t killsBefore = memoryKillCount();
    HOMEBOOTH_ASSIGN(std::vector<StartedWorker> workers, startAll(ranks));
    std::vector<RankEnd> ends =
        Watch(std::move(workers), signals, onEvent, onStop, onRound, noticeEnds).untilAllEnded();
    const bool memoryKill = killsBefore >= 0 && memoryKillCount() > killsBefore;
    for (RankEnd& one : ends) one.end.memoryKill = memoryKill;
    return ends;
}

} // namespace

Result<std::vector<RankEnd>> runHeardRanks(const std::vector<WorkerOptions>& ranks,
                                           const RankListener& onEvent, const StopListener& onStop) {
    return watchRanks(ranks, onEvent, onStop, {}, /*noticeEnds=*/false);
}

Result<std::vector<RankEnd>> runRanks(const std::vector<WorkerOptions>& ranks, const EventListener& onEvent,
                                      const StopListener& onStop, const RoundListener& onRound) {
    return watchRanks(
        ranks,
        [&onEvent](int rank, const std::string& line, const auto& entry) {
            if (rank == 0 && onEvent) onEvent(line, entry);
        },
        onStop, onRound, /*noticeEnds=*/true);
}

Result<WorkerEnd> runWorker(const WorkerOptions& options, const EventListener& onEvent,
                            const StopListener& onStop) {
    HOMEBOOTH_ASSIGN(std::vector<RankEnd> ends, runRanks({options}, onEvent, onStop));
    return std::move(ends.front().end);
}

} // namespace homebooth::core
