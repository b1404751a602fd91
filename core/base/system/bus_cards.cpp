// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/system/bus_cards.h"

#include "core/base/system/gpu_facts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace homebooth::core {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kNvidia = 0x10de;
constexpr unsigned kDisplay = 0x03; // the first byte of the class of all that draws: VGA, 3D, others
constexpr unsigned kFirstTuring = 0x1e00;
static_assert(kOldestCompute == 75); // which is Turing

/// "0x10de\n".
std::optional<unsigned> numberIn(const fs::path& file) {
    std::ifstream stream(file);
    unsigned number = 0;
    if (!(stream >> std::hex >> number)) return std::nullopt;
    return number;
}

std::optional<BusCard> cardAt(const fs::path& folder) {
    if (numberIn(folder / "vendor") != kNvidia) return std::nullopt;
    if (numberIn(folder / "class").value_or(0) >> 16U != kDisplay) return std::nullopt;
    const auto device = numberIn(folder / "device");
    if (!device) return std::nullopt;
    std::error_code none;
    BusCard card{*device, fs::read_symlink(folder / "driver", none).filename().string()};
    const bool givenAway = card.driver == "vfio-pci" || card.driver == "pci-stub"; // to a virtual machine
    if (givenAway) return std::nullopt;
    return card;
}

} // namespace

std::vector<BusCard> nvidiaCardsOnBus(const std::string& folder) {
    std::vector<fs::path> places;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        places.push_back(entry->path());
    std::sort(places.begin(), places.end());
    std::vector<BusCard> cards;
    for (const fs::path& place : places)
        if (auto card = cardAt(place)) cards.push_back(*std::move(card));
    return cards;
}

bool isOfUsableKind(const BusCard& card) {
    return card.device >= kFirstTuring;
}

std::string idOf(const BusCard& card) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%04x:%04x", kNvidia, card.device & 0xFFFFU);
    return text.data();
}

} // namespace homebooth::core
