// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/card_facts.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace homebooth::core {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;
constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;

/// Letters in lower case and digits alone, without the maker's and the family's name.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const std::string_view family : {"nvidia", "geforce", "rtx"})
        if (plain.starts_with(family)) plain.erase(0, family.size());
    return plain;
}

} // namespace

double PcieLink::bytesPerSecond() const {
    // PCI Express Base Specification 3.0 to 5.0: 8, 16 and 32 GT/s a lane, 128 bits in 130; 2.0: 5 GT/s, 8
    // in 10.
    constexpr double kBitsPerByte = 8.0;
    const double transfers = generation >= 3 ? 8e9 * static_cast<double>(1 << (generation - 3)) : 5e9;
    const double code = generation >= 3 ? 128.0 / 130.0 : 8.0 / 10.0;
    return transfers * code * lanes / kBitsPerByte;
}

/// Sources: NVIDIA Turing GPU Architecture (2018), Ampere GA102 GPU Architecture (2021), Ada GPU Architecture
/// (2023), each with the tables of its cards, and NVIDIA's product pages for RTX 2060, 3050, 3060 and 4060.
/// Tensor throughput = multiprocessors x 512 multiply-adds a cycle x boost clock, of which these cards reach
/// half when sums are kept in fp32, as they are in training (Turing, GA10x and AD10x: 1024 operations a cycle
/// and multiprocessor with sums in fp16).
const std::vector<CardFacts>& knownCards() {
    static const std::vector<CardFacts> cards = {
        // name, memory, its bandwidth, tensor throughput, bf16, bus
        {"RTX 2060", 6 * kGiB, 336.0 * kGiga, 25.8 * kTera, false, {3, 16}},
        {"RTX 2070", 8 * kGiB, 448.0 * kGiga, 29.9 * kTera, false, {3, 16}},
        {"RTX 3050", 8 * kGiB, 224.0 * kGiga, 18.2 * kTera, true, {4, 8}},
        {"RTX 3060", 12 * kGiB, 360.0 * kGiga, 25.5 * kTera, true, {4, 16}},
        {"RTX 3080", 10 * kGiB, 760.0 * kGiga, 59.5 * kTera, true, {4, 16}},
        {"RTX 3090", 24 * kGiB, 936.0 * kGiga, 71.0 * kTera, true, {4, 16}},
        {"RTX 4060", 8 * kGiB, 272.0 * kGiga, 30.2 * kTera, true, {4, 8}},
        {"RTX 4090", 24 * kGiB, 1008.0 * kGiga, 165.2 * kTera, true, {4, 16}},
    };
    return cards;
}

Result<CardFacts> cardNamed(std::string_view name) {
    std::string known;
    for (const CardFacts& card : knownCards()) {
        if (plainName(card.name) == plainName(name)) return card;
        known += (known.empty() ? "" : ", ") + std::string(card.name);
    }
    return Error{ErrorCode::Usage,
                 "--device " + std::string(name) +
                     ": expected auto, cpu, gpu or a card whose facts are known (" + known + ")",
                 {}};
}

Result<CardInMachine> cardInMachine(std::string_view name, const std::string& pcie) {
    HOMEBOOTH_ASSIGN(const CardFacts card, cardNamed(name));
    CardInMachine machine{card, card.pcie};
    if (pcie.empty()) return machine;
    HOMEBOOTH_ASSIGN(machine.pcie, parsePcie(pcie));
    // The slower side of both ends decides.
    machine.pcie.generation = std::min(machine.pcie.generation, card.pcie.generation);
    machine.pcie.lanes = std::min(machine.pcie.lanes, card.pcie.lanes);
    return machine;
}

Result<PcieLink> parsePcie(const std::string& text) {
    PcieLink link;
    const char* end = text.data() + text.size();
    const auto generation = std::from_chars(text.data(), end, link.generation);
    const bool separated = generation.ec == std::errc() && generation.ptr != end && *generation.ptr == 'x';
    const auto lanes = separated ? std::from_chars(generation.ptr + 1, end, link.lanes)
                                 : std::from_chars_result{end, std::errc::invalid_argument};
    const bool valid = lanes.ec == std::errc() && lanes.ptr == end && link.generation >= 2 &&
                       link.generation <= 5 && link.lanes >= 1 && link.lanes <= 16;
    if (valid) return link;
    return Error{
        ErrorCode::Usage,
        "--pcie: expected generation and lanes like 3x16 (generation 2 to 5, 1 to 16 lanes), found \"" +
            text + "\"",
        {}};
}

} // namespace homebooth::core
