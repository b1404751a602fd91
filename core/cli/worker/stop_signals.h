// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Requests to stop, held back while something is made that must not be left half done. Main thread.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/util/cancel.h"

#include <csignal>

namespace homebooth::core {

/// What a supervisor sends the program that works on one of its jobs: that one does not listen to the signals
/// which go to whole terminals and sessions, or it would hear every request twice, and the second one means
/// "at once".
constexpr int kSupervisorsStop = SIGUSR1;

/// From now on this program listens to `kSupervisorsStop`, too.
void listenToSupervisor();
/// Whether it does.
[[nodiscard]] bool listensToSupervisor();

/// SIGINT, SIGTERM, SIGHUP as readable events while this lives; a signal that the program ignores stays
/// ignored. After the outermost one has gone they act as usual again, also those that came meanwhile and
/// nobody took.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
    /// The mask of signals ahead of the outermost one: what children start with.
    [[nodiscard]] static const sigset_t& before();
    /// Takes what arrived; whether there was a request. What programs send within half a second of one is
    /// the same; each Ctrl-C counts.
    [[nodiscard]] bool take() const;

private:
    Descriptor m_descriptor;
};

/// Whether this program was started to ignore a signal, as nohup and shells in the background do.
[[nodiscard]] bool isIgnored(int number);

/// A token that SIGINT, SIGTERM and SIGHUP raise from now on; those that are ignored stay so. For verbs that
/// compute in this process and tidy up after themselves.
[[nodiscard]] CancelToken cancelOnSignals();

} // namespace homebooth::core
