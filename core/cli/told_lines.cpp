// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/told_lines.h"

#include "core/base/run/journal/event_json.h"
#include "core/base/util/exit_codes.h"
#include "core/cli/verb.h"

#include <cerrno>
#include <chrono>
#include <cstdio>

namespace homebooth::core {
namespace {
int untold = 0;
} // namespace

void tellLine(const std::string& line) {
    const bool written = std::printf("%s\n", line.c_str()) >= 0 && std::fflush(stdout) == 0;
    if (!written && untold == 0) untold = errno != 0 ? errno : EIO;
}

void tellEvent(const Event& event, int64_t seq) {
    tellLine(toJsonLine({seq, isoTime(std::chrono::system_clock::now()), event}));
}

int untoldLines() {
    return untold;
}

int failTold(std::string_view verb, const Error& error, bool json) {
    if (json) {
        OutcomeEvent outcome;
        outcome.code = static_cast<int>(error.code);
        outcome.result = outcome.code == kExitCancelled ? "cancelled" : "failed";
        outcome.message = error.text();
        tellEvent(outcome);
    }
    return fail(verb, error);
}

} // namespace homebooth::core
