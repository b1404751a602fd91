// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A disk that is full, as a limit on the size of files. Process-wide; one at a time.
#pragma once

#include <csignal>
#include <sys/resource.h>

namespace homebooth::test {

/// While it lives, a write that would make a file of this process larger fails, as on a full disk.
class FullDisk {
public:
    explicit FullDisk(rlim_t largestFileBytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{largestFileBytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

} // namespace homebooth::test
