// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/slept_time.h"

#include <ctime>

namespace homebooth::core {
namespace {

int64_t msOf(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

} // namespace

int64_t sleptMs() {
    return msOf(CLOCK_BOOTTIME) - msOf(CLOCK_MONOTONIC);
}

int64_t sinceBootMs() {
    return msOf(CLOCK_BOOTTIME);
}

std::chrono::system_clock::time_point switchedOn() {
    return std::chrono::system_clock::now() - std::chrono::milliseconds(sinceBootMs());
}

} // namespace homebooth::core
