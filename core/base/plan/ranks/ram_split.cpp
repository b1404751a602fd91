// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/ranks/ram_split.h"

#include "core/base/config/byte_size.h"

namespace homebooth::core {
namespace {

std::string partInWords(int64_t processes) {
    switch (processes) {
    case 2:
        return "a half";
    case 3:
        return "a third";
    case 4:
        return "a quarter";
    default:
        return "1/" + std::to_string(processes);
    }
}

} // namespace

std::string RamSplit::inWords() const {
    if (processes <= 1) return "";
    const std::string whole = limitBytes > 0 ? "--ram " + byteSizeText(limitBytes) : "what is free";
    return " (" + partInWords(processes) + " of " + whole + ", for each of " + std::to_string(processes) +
           " processes)";
}

std::string RamSplit::advice() const {
    if (processes <= 1) return limitBytes > 0 ? "raise --ram, or " : "";
    return limitBytes > 0 ? "raise --ram or take fewer --processes, or " : "take fewer --processes, or ";
}

} // namespace homebooth::core
