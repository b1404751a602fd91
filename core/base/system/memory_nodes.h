// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which processors have which memory near: machines with several sockets, and some with many cores, have
// memory in nodes, and what lies on another one is slower to reach. Free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// The processors of a list as the kernel writes it: "0-3,8,10-11". What cannot be read is left out.
[[nodiscard]] std::vector<int> parseCpuList(std::string_view list);

/// By node the processors that this process may use, nodes without any left out; ordinary PCs have one.
/// @param folder  where the kernel tells of them
[[nodiscard]] std::vector<std::vector<int>>
memoryNodes(const std::string& folder = "/sys/devices/system/node");

} // namespace homebooth::core
