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
constexpr NvLink kNvLink3{3, 300.0 * kGiga};
constexpr NvLink kNvLink4{4, 450.0 * kGiga};

/// Letters in lower case and digits alone, without the maker's and the family's name and the module's kind.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char letter : name)
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const std::string_view family : {"nvidia", "geforce", "rtx"})
        if (plain.starts_with(family)) plain.erase(0, family.size());
    for (const std::string_view kind : {"sxm4", "sxm5", "hbm3"})
        if (const size_t place = plain.find(kind); place != std::string::npos)
            plain.erase(place, kind.size());
    return plain;
}

/// Of a plain name that ends in one, as "h10080gb".
std::string withoutMemory(const CardFacts& card) {
    const std::string plain = plainName(card.name);
    const std::string memory = std::to_string(card.memoryBytes / kGiB) + "gb";
    return plain.ends_with(memory) ? plain.substr(0, plain.size() - memory.size()) : plain;
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

/// Sources, of those that people have at home: NVIDIA Turing GPU Architecture (2018), Ampere GA102 GPU
/// Architecture (2021), Ada GPU Architecture (2023), each with the tables of its cards, and NVIDIA's product
/// pages for RTX 2060, 3050, 3060 and 4060. Tensor throughput = multiprocessors x 512 multiply-adds a cycle x
/// boost clock, of which these cards reach half when sums are kept in fp32, as they are in training (Turing,
/// GA10x and AD10x: 1024 operations a cycle and multiprocessor with sums in fp16). In fp32 Turing has a
/// quarter of that without tensor cores, the later ones half. Of those that people rent: NVIDIA's data sheets
/// of A100 (2021), H100 (2023) and L40S (2023), figures without sparsity; links by the whitepapers of A100
/// (2020) and H100 (2022): twelve and eighteen of 25 GB/s each way. A100 and H100 are the SXM modules, which
/// stand eight in a machine; as PCIe cards they are slower. They sum in fp32 at full speed, and so does L40S,
/// of whose 48 GB error correction takes a sixteenth.
const std::vector<CardFacts>& knownCards() {
    static const std::vector<CardFacts> cards = {
        // name, memory, its bandwidth, throughput with tensor cores and in fp32, bf16, bus, NVLink
        {"RTX 2060", 6 * kGiB, 336.0 * kGiga, 25.8 * kTera, 6.45 * kTera, false, {3, 16}},
        {"RTX 2070", 8 * kGiB, 448.0 * kGiga, 29.9 * kTera, 7.475 * kTera, false, {3, 16}},
        {"RTX 3050", 8 * kGiB, 224.0 * kGiga, 18.2 * kTera, 9.1 * kTera, true, {4, 8}},
        {"RTX 3060", 12 * kGiB, 360.0 * kGiga, 25.5 * kTera, 12.75 * kTera, true, {4, 16}},
        {"RTX 3080", 10 * kGiB, 760.0 * kGiga, 59.5 * kTera, 29.75 * kTera, true, {4, 16}},
        {"RTX 3090", 24 * kGiB, 936.0 * kGiga, 71.0 * kTera, 35.5 * kTera, true, {4, 16}},
        {"RTX 4060", 8 * kGiB, 272.0 * kGiga, 30.2 * kTera, 15.1 * kTera, true, {4, 8}},
        {"RTX 4090", 24 * kGiB, 1008.0 * kGiga, 165.2 * kTera, 82.6 * kTera, true, {4, 16}},
        {"A100 40 GB", 40 * kGiB, 1555.0 * kGiga, 312.0 * kTera, 19.5 * kTera, true, {4, 16}, kNvLink3},
        {"A100 80 GB", 80 * kGiB, 2039.0 * kGiga, 312.0 * kTera, 19.5 * kTera, true, {4, 16}, kNvLink3},
        {"H100 80 GB", 80 * kGiB, 3350.0 * kGiga, 989.4 * kTera, 66.9 * kTera, true, {5, 16}, kNvLink4},
        {"L40S", 45 * kGiB, 864.0 * kGiga, 362.05 * kTera, 91.6 * kTera, true, {4, 16}},
    };
    return cards;
}

Result<CardFacts> cardNamed(std::string_view name) {
    const std::string plain = plainName(name);
    std::string known;
    std::vector<CardFacts> ofThatName; // with whichever memory
    for (const CardFacts& card : knownCards()) {
        if (plainName(card.name) == plain) return card;
        if (withoutMemory(card) == plain) ofThatName.push_back(card);
        known += (known.empty() ? "" : ", ") + std::string(card.name);
    }
    if (ofThatName.size() == 1) return ofThatName.front();
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
