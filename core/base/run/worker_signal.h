// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Stopping a run whose worker has no control socket. A free function; any thread.
#pragma once

#include <string>

namespace homebooth::core {

/// Asks the workers of a run to save and stop, by signal, as its supervisor would; those that do not listen
/// to it yet are left alone, since it would end them. To its supervisor that is a stop on request.
/// @param lockFile  of the run
/// @returns whether one was asked
[[nodiscard]] bool stopBySignal(const std::string& lockFile);

} // namespace homebooth::core
