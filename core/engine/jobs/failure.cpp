// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/jobs/failure.h"

#include "core/engine/jobs/expected_failure.h"

#include <c10/util/Exception.h>

#include <exception>
#include <new>

namespace homebooth::core {
namespace {

/// The first line of LibTorch's message; the rest is a stack trace.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

Error torchFailure(const std::string& text, const std::string& operation, const std::string& memoryAdvice) {
    if (contains(text, "not enough memory") || contains(text, "can't allocate memory"))
        return {ErrorCode::OutOfResources,
                operation + ": there is not enough memory (" + text + "); " + memoryAdvice,
                {}};
    if (contains(text, "CUDA error"))
        return {ErrorCode::DeviceLost,
                operation + ": the GPU stopped answering (" + text +
                    "); try again, after a restart of the machine if it happens again",
                {}};
    return {ErrorCode::Internal, text, {}};
}

} // namespace

Error failureInFlight(const std::string& operation, const std::string& memoryAdvice) {
    const auto outOfMemory = [&](const std::string& text) {
        return Error{ErrorCode::OutOfResources,
                     operation + ": there is not enough memory (" + firstLine(text) + "); " + memoryAdvice,
                     {}};
    };
    try {
        throw;
    } catch (const ExpectedFailure& failure) { // it says all of that itself
        return failure.error();
    } catch (const c10::OutOfMemoryError& error) {
        return outOfMemory(error.what_without_backtrace());
    } catch (const std::bad_alloc& error) {
        return outOfMemory(error.what());
    } catch (const c10::Error& error) {
        return torchFailure(firstLine(error.what_without_backtrace()), operation, memoryAdvice);
    } catch (const std::exception& error) { // also the CUDA runtime's, which are no c10::Error everywhere
        return torchFailure(firstLine(error.what()), operation, memoryAdvice);
    }
}

} // namespace homebooth::core
