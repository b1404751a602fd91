// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How the processes of a machine share its RAM, as a refusal tells it. A value; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace homebooth::core {

struct RamSplit {
    int64_t processes = 1;
    int64_t limitBytes = 0; ///< --ram, which is that of all; 0: they share what is free

    /// " (a half of --ram 430 MiB, for each of 2 processes)", behind what one may use; of one nothing.
    [[nodiscard]] std::string inWords() const;
    /// What to do about it, ahead of other advice; of one that has no limit nothing.
    [[nodiscard]] std::string advice() const;
};

} // namespace homebooth::core
