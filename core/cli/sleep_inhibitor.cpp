// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/sleep_inhibitor.h"

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
    : m_program({kind == Kind::Awake ? kAwake : kDelay}, /*heard=*/false) {}

} // namespace homebooth::core
