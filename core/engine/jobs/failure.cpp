// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/failure.h"

#include "core/base/run/ram_failure.h"
#include "core/engine/jobs/expected_failure.h"
#include "core/engine/memory/memory_relief.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>

namespace homebooth::core {
namespace {

/// The first line of LibTorch's message; the rest is a stack trace.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// Whether a GPU says that it has failed, or cuDNN, which does not always name the reason.
bool saysDeviceFailed(const std::string& text) {
    constexpr std::array<std::string_view, 4> kWords{
        "CUDA error", "CUDA driver error", "CUDNN_STATUS_EXECUTION_FAILED", "CUDNN_STATUS_INTERNAL_ERROR"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view words) { return text.find(words) != std::string::npos; });
}

/// What cuBLAS and cuDNN say of a handle that cannot be made: for want of memory nearly always, but a driver
/// that is not in order is no other failure to them.
bool mayBeTheDriver(const std::string& text) {
    return text.find("STATUS_NOT_INITIALIZED") != std::string::npos;
}

Error memoryFailure(const std::string& text, const std::string& operation, const MemoryAdvice& advice) {
    const bool driver = mayBeTheDriver(text);
    const bool ofRam = ramRanOut(static_cast<int>(ErrorCode::OutOfResources), text);
    return {
        ErrorCode::OutOfResources,
        operation + ": there is not enough memory" + (driver ? ", or the GPU's driver is not in order" : "") +
            " (" + text + "); " + (ofRam ? advice.ofRam : advice.ofDevice) +
            (driver ? "; if much of the GPU's memory is free, restart the machine or install the driver again"
                    : ""),
        {}};
}

/// @param text  of the exception in flight, a line
Error thrownFailure(const std::string& text, const std::string& operation, const MemoryAdvice& advice) {
    if (memoryRanOut()) // also said by CUDA errors, which are asked about behind it
        return memoryFailure(text, operation, advice);
    if (saysDeviceFailed(text))
        return {ErrorCode::DeviceLost,
                operation + ": the GPU stopped answering (" + text +
                    "); try again, after a restart of the machine if it happens again",
                {}};
    return {ErrorCode::Internal, text, {}};
}

} // namespace

Error failureInFlight(const std::string& operation, const MemoryAdvice& advice) {
    try {
        throw;
    } catch (const ExpectedFailure& failure) { // it says all of that itself
        return failure.error();
    } catch (const c10::Error& error) {
        return thrownFailure(firstLine(error.what_without_backtrace()), operation, advice);
    } catch (const std::exception& error) { // also the CUDA runtime's, which are no c10::Error everywhere
        return thrownFailure(firstLine(error.what()), operation, advice);
    }
}

Error failureInFlight(const std::string& operation, const std::string& memoryAdvice) {
    return failureInFlight(operation, MemoryAdvice{memoryAdvice, memoryAdvice});
}

} // namespace homebooth::core
