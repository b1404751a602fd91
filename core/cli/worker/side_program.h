// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A small program of the system's that runs beside this one until its owner lets it go; where it is not
// installed nothing runs. Main thread: the kernel ends it when the thread that started it dies.
#pragma once

#include "core/base/files/descriptor.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace homebooth::core {

class SideProgram {
public:
    /// A command's words, the program first; the end of the array is null.
    using Words = const char* const*;

    /// @param commands  the first one that is installed runs. @param heard  what it says can be read
    SideProgram(const std::vector<Words>& commands, bool heard);
    ~SideProgram();
    SideProgram(const SideProgram&) = delete;
    SideProgram& operator=(const SideProgram&) = delete;

    /// What it has said since the last time. Does not wait; empty once it has ended.
    [[nodiscard]] std::string news() const;

private:
    Descriptor m_words;
    pid_t m_process = -1;
};

} // namespace homebooth::core
