// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What the trainings and pictures of Homebooth hold of this machine's memory, which they give back before
// a run begins that waits for its turn. Free functions; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace homebooth::core {

/// A plan's decision that counts such memory as free, with "heldBytes" of RAM.
constexpr const char* kHeldUntilTurn = "held-until-turn";

/// The processes that run this program's file, without the one that asks; of other users none is seen.
/// @param program    homebooth-worker
/// @param processes  where the system tells of them
[[nodiscard]] std::vector<int64_t> processesOf(const std::filesystem::path& program,
                                               const std::filesystem::path& processes = "/proc");

/// What is free of the machine's RAM once they have ended, beside what is free already: pages of files
/// are.
[[nodiscard]] int64_t ramHeldBy(const std::vector<int64_t>& processes,
                                const std::filesystem::path& told = "/proc");

/// The same of a GPU, as its driver counts it; 0 where that does not know them (in a container their
/// numbers are others). @param uuid  as GpuDevice has it
[[nodiscard]] int64_t gpuHeldBy(const std::vector<int64_t>& processes, const std::string& uuid);

} // namespace homebooth::core
