// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What jobs compute on: one job at a time on each GPU, or one in all where there are fewer than two.
// Free functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace homebooth::core {

/// What one job at a time has for itself.
struct JobSlot {
    std::string device; ///< its GPU, as CUDA_VISIBLE_DEVICES takes it; empty: whatever there is
    std::string name;   ///< of that GPU, for people

    friend bool operator==(const JobSlot&, const JobSlot&) = default;
};

/// The slots of this machine, the fastest GPU first. Never empty. What $CUDA_VISIBLE_DEVICES hides counts as
/// not there. $HOMEBOOTH_SLOTS stands in the place of the GPUs: "GPU-1=The first;GPU-2=The second".
/// Asking takes up to half a second, see gpuFacts.
[[nodiscard]] std::vector<JobSlot> jobSlots();

/// The GPUs themselves, one of each, perhaps none.
[[nodiscard]] std::vector<JobSlot> gpuSlots();

/// The slots in such a text; one without a name where it says of fewer than two.
[[nodiscard]] std::vector<JobSlot> slotsOf(std::string_view text);

} // namespace homebooth::core
