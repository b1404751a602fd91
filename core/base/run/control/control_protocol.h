// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The lines of the control protocol as text. Private to core/base/run. Free functions; any thread.
#pragma once

#include "core/base/run/control/control.h"

#include <string>
#include <string_view>

namespace homebooth::core {

/// With the line break.
[[nodiscard]] std::string commandLine(const ControlCommand& command);
[[nodiscard]] std::string replyLine(const ControlReply& reply);

/// Errors: BadInput for anything but a reply.
[[nodiscard]] Result<ControlReply> parseReply(std::string_view line);

} // namespace homebooth::core
