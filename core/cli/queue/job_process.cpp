// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/queue/job_process.h"

#include "core/base/files/atomic_file.h"
#include "core/base/run/queue/rank_gpus.h"
#include "core/base/run/run_folder.h"
#include "core/base/system/memory_facts.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/worker/child_environment.h"
#include "core/cli/worker/own_program.h"
#include "core/cli/worker/stop_signals.h"
#include "core/cli/worker/worker_process.h"

#include <cerrno>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace homebooth::core {
namespace {

constexpr size_t kEntriesAtOnce = 4096; // of a long journal

std::vector<std::string> wordsOf(const JobStart& start) {
    std::vector<std::string> words{ownPath(), "supervise", start.runDir, "--no-queue", "--job"};
    if (start.mayWait) words.emplace_back("--may-wait");
    if (start.logInRun) words.emplace_back("--logs-in-runs");
    return words;
}

std::vector<std::string> environmentOf(const JobStart& start) {
    std::vector<std::pair<std::string, std::string>> own{{kVisibleDevicesVariable, start.device}};
    if (start.ramBytes > 0) own.emplace_back(kRamLimitVariable, std::to_string(start.ramBytes));
    return environmentWith(own);
}

/// Between fork and exec: async-signal-safe calls only.
[[noreturn]] void becomeJob(char* const* words, char* const* environment, pid_t supervisor) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != supervisor) ::_exit(1);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN);
    ::sigprocmask(SIG_SETMASK, &StopSignals::before(), nullptr);
    ::execve(words[0], words, environment);
    ::_exit(kExitNotStarted);
}

} // namespace

JobProcess::JobProcess(const JobStart& start)
    : m_journal(start.runDir + "/events.jsonl") {}

Result<std::unique_ptr<JobProcess>> JobProcess::start(const JobStart& start) {
    std::unique_ptr<JobProcess> job(new JobProcess(start));
    HOMEBOOTH_CHECK(job->begin(start));
    return job;
}

Result<void> JobProcess::begin(const JobStart& start) {
    if (const auto run = RunFolder::open(start.runDir)) // else the job says what is wrong with it
        if (const auto config = run->config()) {
            m_processes = config->parallel.processes;
            m_hostAlone = config->memory.device == ComputeDevice::Cpu;
        }
    readPlans();
    m_plan.reset(); // those of earlier attempts say nothing of this one
    std::vector<std::string> words = wordsOf(start);
    std::vector<std::string> variables = environmentOf(start);
    const std::vector<char*> wordPointers = pointersTo(words);
    const std::vector<char*> variablePointers = pointersTo(variables);
    // Whoever started this program may have left it ignored; the kernel would then forget how a job ended.
    std::signal(SIGCHLD, SIG_DFL);
    const pid_t supervisor = ::getpid();
    m_process = ::fork();
    if (m_process < 0) return systemError("start a job", start.runDir, errno);
    if (m_process == 0) becomeJob(wordPointers.data(), variablePointers.data(), supervisor);
    return {};
}

JobProcess::~JobProcess() {
    if (m_process <= 0) return;
    ::kill(m_process, SIGKILL);
    ::waitpid(m_process, nullptr, 0);
}

void JobProcess::stop() const {
    if (m_process > 0) ::kill(m_process, kSupervisorsStop);
}

std::optional<int> JobProcess::ended() {
    int status = 0;
    const pid_t waited = ::waitpid(m_process, &status, WNOHANG);
    if (waited == 0 || (waited < 0 && errno == EINTR)) return std::nullopt;
    m_process = -1;
    if (waited > 0 && WIFEXITED(status)) {
        if (WEXITSTATUS(status) == kExitNotStarted) m_silentEnd = notStarted("the job");
        return WEXITSTATUS(status);
    }
    // Before it listens a request to stop ends it at once; nothing was begun by then.
    const bool asked = waited > 0 && WTERMSIG(status) == kSupervisorsStop;
    if (asked) return kExitCancelled;
    if (waited > 0 && !isPlanned()) // else its worker lives on, saves and writes its end
        m_silentEnd =
            Error{ErrorCode::Internal,
                  "the job ended by signal " + std::to_string(WTERMSIG(status)) + " before it was planned",
                  {}};
    return static_cast<int>(ErrorCode::Internal);
}

std::optional<Error> JobProcess::silentEnd() const {
    return m_silentEnd;
}

void JobProcess::readPlans() {
    for (size_t count = kEntriesAtOnce; count >= kEntriesAtOnce;) {
        const auto news = m_journal.poll(kEntriesAtOnce);
        count = news ? news->size() : 0;
        for (size_t index = 0; index < count; ++index)
            if (const auto* plan = std::get_if<PlanEvent>(&(*news)[index].event)) m_plan = plan->predicted;
    }
}

bool JobProcess::isPlanned() {
    if (!m_plan) readPlans();
    return m_plan.has_value();
}

int64_t JobProcess::plannedRamBytes() {
    readPlans();
    if (!m_plan) return 0;
    return m_processes * (m_plan->ramBytes + (m_hostAlone ? m_plan->deviceBytes : 0));
}

int64_t JobProcess::residentBytes() const {
    return m_process > 0 ? residentBytesBelow(m_process) : 0;
}

} // namespace homebooth::core
