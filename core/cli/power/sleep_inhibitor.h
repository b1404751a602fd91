// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the machine awake, or lets it wait a moment, while it lives, through systemd-inhibit where that
// exists; nothing happens elsewhere. Owners: the supervisor from its first job to its last; train, resume,
// sample and generate while their workers run, where a launcher has started several one on each machine;
// and the SleepWatch of each training. Not `sample --serve`, which mostly waits: the window that asks it
// for pictures keeps the machine awake itself. Main thread.
#pragma once

#include "core/cli/worker/side_program.h"

#include <optional>
#include <vector>

namespace homebooth::core {

class SleepInhibitor {
public:
    /// Awake: no sleep by itself. Delay: whoever sends it to sleep all the same, by its lid, say, waits as
    /// long as logind allows, 5 s unless somebody has set that.
    enum class Kind { Awake, Delay };
    explicit SleepInhibitor(Kind kind);

    /// Lets go, or takes it again.
    void hold(bool wanted);

private:
    Kind m_kind;
    std::optional<SideProgram> m_program;
};

} // namespace homebooth::core
