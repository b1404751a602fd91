// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/stall_clock.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <exception>
#include <utility>

namespace homebooth::core {
namespace {

/// Events that know when they were reached.
constexpr auto kTimed = c10::EventFlag::BACKEND_DEFAULT;

void record(c10::Event& event, at::Device device) {
    event.record(c10::impl::VirtualGuardImpl(device.type()).getStream(device));
}

} // namespace

StallClock::Pause::Pause(c10::DeviceType type)
    : begin(type, kTimed)
    , end(type, kTimed) {}

StallClock::Scope::Scope(StallClock& clock, at::Device device)
    : m_clock(clock)
    , m_device(device) {
    if (!device.is_cuda()) return;
    m_pause.emplace(device.type());
    record(m_pause->begin, device);
}

StallClock::Scope::~Scope() {
    if (!m_pause) return;
    try {
        record(m_pause->end, m_device);
        m_clock.m_open.push_back(std::move(*m_pause));
        static_cast<void>(m_clock.seconds()); // so that few stay open
    } catch (const std::exception&) {         // the next call on the device says the same
    }
}

double StallClock::seconds() {
    constexpr double kMilliseconds = 1e3;
    for (; !m_open.empty() && m_open.front().end.query(); m_open.pop_front())
        m_seconds += m_open.front().begin.elapsedTime(m_open.front().end) / kMilliseconds;
    return m_seconds;
}

} // namespace homebooth::core
