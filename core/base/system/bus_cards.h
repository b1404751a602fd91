// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's graphics cards as the PCI bus has them, whoever drives them: what is known of a card whose
// driver does not work. Free functions; any thread.
#pragma once

#include <string>
#include <vector>

namespace homebooth::core {

/// Where Linux shows what is on the bus.
constexpr const char* kPciDevices = "/sys/bus/pci/devices";

struct BusCard {
    unsigned device = 0; ///< its number among NVIDIA's, such as 0x1f82
    std::string driver;  ///< the kernel's that has it, such as "nouveau"; empty: none
};

/// In the order of their places, without those that were given to a virtual machine; empty where nothing
/// can be read.
/// @param folder  with one for each device, each with files "vendor", "class" and "device"
[[nodiscard]] std::vector<BusCard> nvidiaCardsOnBus(const std::string& folder = kPciDevices);

/// Whether this build has code for it: of compute capability 7.5 or newer, which is GTX 16 and RTX 20.
/// Source: NVIDIA numbers its chips in the order of their generations (pci-ids.ucw.cz): the last ones
/// before those are Volta's, 0x1d81 to 0x1df6, and Turing's begin with 0x1e02.
[[nodiscard]] bool isOfUsableKind(const BusCard& card);

/// "10de:1f82", as lspci -n has it: the bus knows no names.
[[nodiscard]] std::string idOf(const BusCard& card);

} // namespace homebooth::core
