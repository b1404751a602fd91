// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for homebooth-worker in the tests of the command line: ends in the way that $FAKE_WORKER names,
// or the file "how" in the run's folder; then it leaves there, too, what it was started with.
#include "core/base/plan/own_limits.h"
#include "core/base/run/control/control.h"
#include "core/base/run/journal/event_json.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/orphan.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/exit_codes.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace homebooth::core;

namespace {

volatile std::sig_atomic_t stopped = 0;
std::vector<char> held; // memory that a training takes from others

/// Empty if there is none.
std::string firstLine(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "none";
}

void onStop(int) {
    stopped = 1;
}

StepEvent step(int64_t number) {
    StepEvent event;
    event.step = number;
    event.loss = 0.5;
    return event;
}

OutcomeEvent outcome(const char* result, int code) {
    OutcomeEvent event;
    event.result = result;
    event.code = code;
    event.message = code == 3 ? "the third photo cannot be read" : "";
    return event;
}

class Worker {
public:
    Worker(std::string run, int events)
        : m_run(std::move(run))
        , m_events(events)
        , m_journal(std::move(JournalWriter::open(m_run + "/events.jsonl")).value()) {
        m_journal->setListener([this](const std::string& line) { tell(line); });
    }

    int end(std::string_view how) {
        if (how == "badinput") return say(outcome("failed", 3));
        if (how == "alone" || how == "unmet")
            return say({"failed",
                        {},
                        {},
                        how == "alone" ? kExitRankAbsent : kExitRankLost,
                        "they did not come together",
                        {}});
        if (how == "until told, saves") listen();
        m_journal->emit(StateEvent{"training", "", 0, 0});
        m_journal->emit(step(1));
        sayThatItStarted();
        return endAs(how.starts_with("until told") ? untilTold() : std::string(how));
    }

private:
    void tell(const std::string& line) {
        const std::string text = line + "\n";
        if (::write(m_events, text.data(), text.size()) < 0) m_events = -1;
    }

    /// Says that it has saved whenever it is asked to, or to pause for the battery, that it pauses for that,
    /// and that it was asked to end.
    void listen() {
        const auto socket = controlSocketPath(m_run);
        if (!socket) return;
        auto server =
            ControlServer::start(*socket, m_run + "/control", [this](const ControlCommand& command) {
                if (command.verb == ControlVerb::SaveNow)
                    m_journal->emit(CheckpointEvent{1, m_run + "/checkpoints/step-1"});
                if (command.verb == ControlVerb::Pause && command.battery) {
                    m_journal->emit(CheckpointEvent{1, m_run + "/checkpoints/step-1"});
                    m_journal->emit(StateEvent{"paused", kBatteryIsLow, 1, 10});
                }
                if (command.verb == ControlVerb::Resume && command.battery)
                    m_journal->emit(StateEvent{"training", "", 1, 10});
                if (command.verb == ControlVerb::Stop || command.verb == ControlVerb::Finish)
                    tell(toJsonLine({1, isoTime(std::chrono::system_clock::now()),
                                     StateEvent{kEndsOnRequest, "", 0, 0}}));
                return ControlReply{};
            });
        if (server) m_control = std::move(server).value();
    }

    /// In a run with a file "how", and not before the journal has it.
    void sayThatItStarted() const {
        if (firstLine(m_run + "/how").empty()) return;
        std::ofstream(m_run + "/started") << ::getpid() << ' ' << variable("CUDA_VISIBLE_DEVICES") << ' '
                                          << variable(kRamLimitVariable) << " .\n";
    }

    /// What a test writes into the file "end" of the run's folder; what to do after a request to stop else.
    std::string untilTold() const {
        while (stopped == 0) {
            if (std::string how = firstLine(m_run + "/end"); !how.empty()) return how;
            ::usleep(5000);
        }
        return "stoppable";
    }

    int endAs(const std::string& how) {
        if (how == "done") return finish();
        if (how == "waits for room, twice") return waitForRoom();
        if (how == "kill") std::raise(SIGKILL);
        if (how == "segv") {
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
        }
        if (how == "abort") std::raise(SIGABRT);
        if (how == "torn") tearJournal();
        if (how == "exit4") return 4;
        if (how == "exit6") return 6;
        if (how == "exit6, once") { // the next attempt is told anew
            std::filesystem::remove(m_run + "/end");
            return 6;
        }
        if (how == "exit99") return 99;
        if (how == "deaf") std::signal(SIGTERM, SIG_DFL);
        return waitForStop(how);
    }

    int say(const OutcomeEvent& event) {
        m_journal->emit(event);
        return event.code;
    }

    int finish() {
        OutcomeEvent event = outcome("done", 0);
        event.resultPaths = {m_run + "/result/model"};
        return say(event);
    }

    /// A try between the waits fails.
    int waitForRoom() {
        for (int wait = 0; wait < 2; ++wait) {
            m_journal->emit(StateEvent{"saving", "checkpoint", 0, 0});
            m_journal->emit(StateEvent{kWaitsForRoom, "saving: the disk is full", 1, 2});
        }
        return finish();
    }

    /// Half a line, as a process that is killed in a write leaves it.
    [[noreturn]] void tearJournal() {
        std::ofstream(m_run + "/events.jsonl", std::ios::app) << "{\"v\":1,\"seq\":99,\"ty" << std::flush;
        std::raise(SIGKILL);
        std::abort();
    }

    /// The run's folder goes with a test that has failed, and nobody tells the worker to end any more.
    bool hasFolder() const {
        std::error_code unknown;
        return std::filesystem::exists(m_run, unknown);
    }

    /// Says in "asked" when it was. One that saves until it is told then waits for the file "end".
    int waitForStop(std::string_view how) {
        while (stopped == 0 || how == "deaf") ::usleep(5000);
        std::ofstream(m_run + "/asked") << "yes";
        const auto saves = [&] { return how == "saves until told" && firstLine(m_run + "/end").empty(); };
        while (hasFolder() && (how == "stubborn" || saves())) ::usleep(5000);
        if (how == "slower") // than a second request to stop would allow
            std::this_thread::sleep_for(std::chrono::milliseconds(2500));
        if (how == "done at a stop") return finish();
        std::ofstream(m_run + "/saved") << "yes";
        const OutcomeEvent end = outcome("cancelled", 5);
        const int code = say(m_supervisor.gone() ? orphanedOutcome(end) : end);
        std::ofstream(m_run + "/ended") << "yes"; // a worker that dies of its broken pipe does not get here
        return code;
    }

    const ParentWatch m_supervisor;
    std::string m_run;
    int m_events;
    std::unique_ptr<JournalWriter> m_journal;
    std::unique_ptr<ControlServer> m_control; // goes before the journal, into which it writes
};

/// An outcome, and nothing else, told to whoever listens. @returns  the exit code
int tell(int events, const OutcomeEvent& event) {
    const std::string line = toJsonLine({1, isoTime(std::chrono::system_clock::now()), event}) + "\n";
    return ::write(events, line.data(), line.size()) < 0 ? 1 : event.code;
}

/// What makes pictures or texts, or trains beside a first rank elsewhere: it stays until it is told to end,
/// or fails on its input.
int makeSomething(int events, std::string_view how) {
    if (how != "until told") return tell(events, outcome("failed", 3));
    while (stopped == 0) ::usleep(5000);
    return tell(events, outcome("cancelled", 5));
}

/// A rank that is not the first one: the journal is not its own. In a run with a file "how" it says in
/// "started-RANK" which GPU it sees, and stays until the first one has been told how to end.
int trainAlong(const std::string& run, int events, const std::string& rank) {
    if (!firstLine(run + "/how").empty()) {
        std::ofstream(run + "/started-" + rank) << ' ' << variable("CUDA_VISIBLE_DEVICES") << " .\n";
        while (stopped == 0 && firstLine(run + "/end").empty()) ::usleep(5000);
    }
    return tell(events, stopped == 0 ? outcome("done", 0) : outcome("cancelled", 5));
}

/// A step that needs next to nothing; "endless plan" does not come to that. "alone" finds no room beside
/// other jobs, "alone, limited" none within the limit of a GPU's memory, "never" finds none at all.
int plan(int events, std::string_view how) {
    if (how == "endless plan") {
        std::signal(SIGTERM, SIG_DFL);
        std::ofstream(std::getenv("FAKE_WORKER_PID")) << ::getpid();
        while (true) ::pause();
    }
    const bool beside = variable(kRamLimitVariable) != "none";
    if (how == "never" || (how.starts_with("alone") && beside)) {
        OutcomeEvent refused = outcome("failed", 4);
        refused.message = "this needs more memory";
        if (how == "alone, limited")
            refused.message = std::string("this training needs at least 2000 MiB")
                                  .append(kWhereItComputes)
                                  .append(", and 1.00 GiB may be used; ")
                                  .append(kRaiseDeviceLimit)
                                  .append(", or close other programs");
        const std::string line = toJsonLine({1, isoTime(std::chrono::system_clock::now()), refused}) + "\n";
        return ::write(events, line.data(), line.size()) < 0 ? 1 : 4;
    }
    PlanEvent planned;
    planned.decisions = {{"parameters: they fit", "parameters-stay", {{"parameterBytes", 4096.0}}}};
    const std::string now = isoTime(std::chrono::system_clock::now());
    const std::string lines =
        toJsonLine({1, now, planned}) + "\n" + toJsonLine({2, now, outcome("done", 0)}) + "\n";
    return ::write(events, lines.data(), lines.size()) < 0 ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGTERM, onStop);
    std::string run;
    std::string rank = "0";
    int events = -1;
    for (int index = 1; index < argc; ++index) {
        const std::string_view word = argv[index];
        if (word == "--events-fd" && index + 1 < argc)
            events = std::atoi(argv[++index]);
        else if (word == "--rank" && index + 1 < argc)
            rank = argv[++index];
        else if (index == 2 && !word.starts_with("--"))
            run = word;
    }
    const char* told = std::getenv("FAKE_WORKER");
    std::string how = told != nullptr ? told : "done";
    if (argc > 1 && std::string_view(argv[1]) == "plan") return plan(events, how);
    if (std::getenv("FAKE_WORKER_PID") != nullptr)
        std::ofstream(std::getenv("FAKE_WORKER_PID")) << ::getpid();
    for (const std::string_view verb : {"sample", "serve", "generate", "join"})
        if (argc > 1 && argv[1] == verb) return makeSomething(events, how);
    if (rank != "0") return trainAlong(run, events, rank);
    if (const std::string own = firstLine(run + "/how"); !own.empty()) {
        how = own;
        if (how == "until told, holds memory") held.assign(size_t{200} << 20, 'h');
    }
    return Worker(run, events).end(how);
}
