// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/power/sleep_inhibitor.h"

namespace homebooth::core {
namespace {

constexpr const char* kAwake[]{"systemd-inhibit", "--what=sleep:idle",
                               "--who=Homebooth", "--why=working",
                               "--mode=block",    "sleep",
                               "infinity",        nullptr};
constexpr const char* kDelay[]{
    "systemd-inhibit", "--what=sleep", "--who=Homebooth", "--why=saving the training",
    "--mode=delay",    "sleep",        "infinity",        nullptr};

} // namespace

SleepInhibitor::SleepInhibitor(Kind kind)
    : m_kind(kind) {
    hold(true);
}

void SleepInhibitor::hold(bool wanted) {
    if (!wanted) return m_program.reset();
    if (m_program) return;
    const std::vector<SideProgram::Words> commands{m_kind == Kind::Awake ? kAwake : kDelay};
    m_program.emplace(commands, /*heard=*/false);
}

} // namespace homebooth::core
