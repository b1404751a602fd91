// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/failure_cause.h"

#include "core/base/util/result.h"

#include <array>

namespace homebooth::core {
namespace {

struct Sign {
    const char* part; ///< of a message
    FailureCause cause;
};

constexpr std::array kResources{Sign{"the system killed the worker", FailureCause::MemoryKill},
                                Sign{"the disk is full", FailureCause::DiskFull},
                                Sign{"disk quota", FailureCause::DiskFull},
                                Sign{" of disk, and", FailureCause::DiskFull},
                                Sign{"for swapping", FailureCause::DiskFull},
                                Sign{"--swap-size allows", FailureCause::DiskFull},
                                Sign{"than allowed; raise the limit", FailureCause::DiskFull}};
constexpr std::array kInternal{Sign{"the supervisor ended while", FailureCause::EngineEnded},
                               Sign{"killed from outside", FailureCause::Killed},
                               Sign{"crashed (SIGBUS)", FailureCause::FileChanged},
                               Sign{"the worker crashed", FailureCause::Crash},
                               Sign{"could not be started", FailureCause::NotStarted},
                               Sign{"found none; build or install", FailureCause::NotStarted}};
constexpr std::array kInput{Sign{"no longer finite at step", FailureCause::Diverged}};

template <size_t count>
FailureCause firstOf(const std::array<Sign, count>& signs, std::string_view message, FailureCause otherwise) {
    for (const Sign& sign : signs)
        if (message.find(sign.part) != std::string_view::npos) return sign.cause;
    return otherwise;
}

} // namespace

FailureCause causeOf(int code, std::string_view message) {
    switch (static_cast<ErrorCode>(code)) {
    case ErrorCode::OutOfResources:
        return firstOf(kResources, message, FailureCause::OutOfMemory);
    case ErrorCode::DeviceLost:
        return FailureCause::DeviceLost;
    case ErrorCode::BadInput:
    case ErrorCode::Usage:
        return firstOf(kInput, message, FailureCause::BadInput);
    case ErrorCode::Internal:
        break;
    }
    return firstOf(kInternal, message, FailureCause::Unknown);
}

} // namespace homebooth::core
