// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What LibTorch and its gloo say when they throw, for messages. Free function; any thread.
#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

namespace homebooth::core {

/// The first line of the exception in flight, without the stack trace of LibTorch's own ones and without the
/// place in gloo's source ("[/gloo/transport/tcp/pair.cc:538] "); inside a catch block only.
[[nodiscard]] inline std::string thrownCause() {
    std::string text = "unknown";
    try {
        throw;
    } catch (const c10::Error& error) {
        text = error.what_without_backtrace();
    } catch (const std::exception& error) {
        text = error.what();
    }
    text = text.substr(0, text.find('\n'));
    const size_t source = text.starts_with('[') ? text.find(".cc:") : std::string::npos;
    const size_t end = text.find("] ");
    if (source < end && end != std::string::npos) text.erase(0, end + 2);
    return text;
}

} // namespace homebooth::core
