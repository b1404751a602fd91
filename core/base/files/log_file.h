// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Opening a file that words are written to. Stateless; any thread.
#pragma once

#include <string>

namespace homebooth::core {

/// Opens a file to write at its end, and makes it where there is none. Only a regular file: of a FIFO it
/// would wait for whoever reads, and a link leads who knows where.
/// @returns  a descriptor; -1: it cannot be written
[[nodiscard]] int openLog(const std::string& path);

} // namespace homebooth::core
