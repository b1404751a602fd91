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

} // namespace homebooth::core
