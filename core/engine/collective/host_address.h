// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Addresses of machines, as numbers: "192.168.1.7", "fe80::1%eth0". Free functions; any thread.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/util/result.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace homebooth::core {

/// @param host  a name or an address. Of several addresses the first of IPv4, else the first
/// Errors: BadInput where it is not known
[[nodiscard]] Result<std::string> numericAddress(const std::string& host);

/// The own address by which this machine reaches another. Errors: BadInput where there is no way to it
[[nodiscard]] Result<std::string> addressTowards(const std::string& address);

[[nodiscard]] bool isLoopback(const std::string& address);

/// An address of this machine that others may reach: of the interface with this name, or of the first one
/// that has any where the name is empty.
[[nodiscard]] std::optional<std::string> outsideAddress(const std::string& interface = "");

/// A socket that listens there. @param address  one of this machine, or empty: all of them
/// Errors: BadInput where the port is taken or the address is another machine's
[[nodiscard]] Result<std::unique_ptr<Descriptor>> listenAt(const std::string& address, int port);

/// Whether somebody takes connections there. @param address  as numericAddress gives it. @param limit  of a
/// machine that does not answer at all
[[nodiscard]] Result<void> tryConnecting(const std::string& address, int port,
                                         std::chrono::milliseconds limit);

} // namespace homebooth::core
