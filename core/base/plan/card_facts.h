// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Published facts of graphics cards that people train on, so that a plan can be made for one that is not at
// hand. Pure data; any thread.
#pragma once

#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

struct PcieLink {
    int generation = 0;
    int lanes = 0;

    /// Of the bus in each direction, less its line code; what copies reach is less.
    [[nodiscard]] double bytesPerSecond() const;
};

/// Between cards of a machine, all of them alike.
struct NvLink {
    int generation = 0;          ///< 0: there is none
    double bytesPerSecond = 0.0; ///< in each direction, of all its links together
};

struct CardFacts {
    std::string_view name;
    int64_t memoryBytes = 0;
    double memoryBytesPerSecond = 0.0;
    double tensorFlops = 0.0; ///< dense, 16-bit inputs, sums in fp32, per second at boost clock
    double floatFlops = 0.0;  ///< fp32 without tensor cores
    bool bfloat16 = false;    ///< whether tensor cores take it
    PcieLink pcie;
    NvLink nvlink = {};
};

/// A card in a machine.
struct CardInMachine {
    CardFacts card;
    PcieLink pcie; ///< the card's own, or what its slot has of it
};

[[nodiscard]] const std::vector<CardFacts>& knownCards();

/// Finds a card by a name as people write it: "RTX 3060", "rtx3060", "GeForce RTX 3060"; or as its driver
/// says it: "NVIDIA A100-SXM4-80GB". The size of its memory may be left out where there is one such card.
/// Errors: Usage listing the known ones
[[nodiscard]] Result<CardFacts> cardNamed(std::string_view name);

/// @param pcie  "3x16", or empty: the card's own
/// Errors: Usage
[[nodiscard]] Result<CardInMachine> cardInMachine(std::string_view name, const std::string& pcie);

/// Reads "3x16": generation and lanes. Errors: Usage
[[nodiscard]] Result<PcieLink> parsePcie(const std::string& text);

} // namespace homebooth::core
