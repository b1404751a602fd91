// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/memory/block_times.h"

#include "core/engine/memory/device_wait.h"

#include <exception>

namespace homebooth::core {

TimedScope::TimedScope(double* sum, at::Device device)
    : m_sum(sum)
    , m_device(device) {
    if (m_sum == nullptr) return;
    waitForStream(m_device);
    m_start = std::chrono::steady_clock::now();
}

TimedScope::~TimedScope() {
    if (m_sum == nullptr) return;
    try {
        waitForStream(m_device);
    } catch (const std::exception&) { // the next call on the device says the same
    }
    *m_sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

} // namespace homebooth::core
