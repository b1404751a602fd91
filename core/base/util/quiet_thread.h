// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that no signal reaches, so that the program's own threads go on hearing them all.
// The caller owns and joins the thread.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace homebooth::core {

/// Errors: throws std::system_error where no thread can be made
template <class Work>
[[nodiscard]] std::thread startQuietThread(Work&& work) {
    struct Blocked {
        Blocked() {
            sigset_t all;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
        }
        ~Blocked() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
        sigset_t before{};
    };
    const Blocked blocked; // a new thread inherits the mask
    return std::thread(std::forward<Work>(work));
}

} // namespace homebooth::core
