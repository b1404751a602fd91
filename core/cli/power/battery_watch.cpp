// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/power/battery_watch.h"

#include "core/base/system/power_facts.h"

#include <utility>

namespace homebooth::core {
namespace {

constexpr std::chrono::seconds kBetweenLooks(3);

} // namespace

BatteryWatch::BatteryWatch(std::function<bool(bool low)> tell, SleepInhibitor* awake)
    : m_tell(std::move(tell))
    , m_awake(awake) {}

void BatteryWatch::look() {
    const Clock::time_point now = Clock::now();
    if (now < m_next) return;
    m_next = now + kBetweenLooks;
    const PowerFacts power = powerFacts();
    m_low = power.isLow() || (m_low && !power.isSafe());
    if (m_awake != nullptr) m_awake->hold(!m_low || !power.discharging); // asleep it would not go on
    if (m_low != m_told && m_tell(m_low)) m_told = m_low;
}

} // namespace homebooth::core
