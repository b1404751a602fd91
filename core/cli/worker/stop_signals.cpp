// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/stop_signals.h"

#include <chrono>
#include <initializer_list>
#include <optional>
#include <sys/signalfd.h>
#include <unistd.h>

namespace homebooth::core {
namespace {

using Clock = std::chrono::steady_clock;

/// How long what is sent belongs to the request before it. timeout tells its child and then the whole group;
/// a terminal that closes and its shell both say so.
constexpr std::chrono::milliseconds kSameRequest(500);

int held = 0; // how many live; one thread, so a plain number
sigset_t maskBefore{};
std::optional<Clock::time_point> lastRequest; // taken
bool isJob = false;                           // of a supervisor

const CancelToken& cancelToken() {
    static const CancelToken token;
    return token;
}

void cancel(int) {
    cancelToken().request();
}

/// Whether it is a request of its own however soon it comes: a key was pressed, or the supervisor asks,
/// which has put together itself what belongs together.
bool isOneOfItsOwn(const signalfd_siginfo& info) {
    const bool key = info.ssi_signo == SIGINT && info.ssi_code == SI_KERNEL;
    return key || info.ssi_signo == kSupervisorsStop;
}

} // namespace

void listenToSupervisor() {
    isJob = true;
}

bool listensToSupervisor() {
    return isJob;
}

bool isIgnored(int number) {
    struct sigaction present {};
    return ::sigaction(number, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
}

CancelToken cancelOnSignals() {
    const CancelToken& token = cancelToken(); // made before a signal can come
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        if (!isIgnored(number)) std::signal(number, cancel);
    return token;
}

StopSignals::StopSignals() {
    sigset_t signals;
    ::sigemptyset(&signals);
    // One that is ignored must not be blocked: the kernel would queue it and it would be read as a request.
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        if (!isIgnored(number)) ::sigaddset(&signals, number);
    if (isJob) ::sigaddset(&signals, kSupervisorsStop);
    if (held == 0) lastRequest.reset();
    ::sigprocmask(SIG_BLOCK, &signals, held++ == 0 ? &maskBefore : nullptr);
    m_descriptor.reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

StopSignals::~StopSignals() {
    if (--held == 0) ::sigprocmask(SIG_SETMASK, &maskBefore, nullptr);
}

const sigset_t& StopSignals::before() {
    return maskBefore;
}

bool StopSignals::take() const {
    const Clock::time_point now = Clock::now();
    const bool late = !lastRequest || now - *lastRequest >= kSameRequest;
    signalfd_siginfo info{};
    bool any = false;
    while (::read(m_descriptor.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        any = any || late || isOneOfItsOwn(info);
    if (any) lastRequest = now;
    return any;
}

} // namespace homebooth::core
