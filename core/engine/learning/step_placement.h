// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a step's parameters are at home and what its blocks keep for backward. Plain data.
#pragma once

#include "core/engine/memory/executor.h"
#include "core/engine/memory/streamed_device.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace homebooth::core {

/// Parts: the UNet, and the text encoder where it learns.
struct StepPlacement {
    std::optional<StreamingOptions> streaming = std::nullopt; ///< none: everything is resident
    /// By part and block; blocks that are not named compute everything again.
    std::vector<std::vector<Recompute>> recompute = {};
    bool valuesInRam = false; ///< those that are not read soon
    /// Moving averages and gradients that rest lie on the disk of --swap, as the optimizer's states do.
    /// Decided before a run begins.
    bool allStatesOnDisk = false;
    /// The disk takes what belongs to streamed blocks alone: beside a GPU, which updates resident ones
    /// itself. Decided before a run begins.
    bool diskOfStreamed = false;
    /// By part and block: it is resident although others are streamed; blocks that are not named are
    /// streamed.
    std::vector<std::vector<bool>> resident = {};

    /// By part and block: how many bytes of other blocks' gradients may still be on the device, on their way
    /// to RAM, when its backward begins; blocks that are not named wait until all have left.
    std::vector<std::vector<int64_t>> gradientRoom = {};

    /// By part and block: it is updated at home although the states of others come to the device for that;
    /// blocks that are not named are not.
    std::vector<std::vector<bool>> updatedAtHome = {};

    friend bool operator==(const StepPlacement&, const StepPlacement&) = default;

    /// Of one part.
    [[nodiscard]] std::optional<StreamingOptions> streamingOf(size_t part) const {
        std::optional<StreamingOptions> own = streaming;
        if (own && part < updatedAtHome.size()) own->updatedAtHome = updatedAtHome[part];
        return own;
    }

    [[nodiscard]] std::vector<bool> residentOf(size_t part) const {
        return part < resident.size() ? resident[part] : std::vector<bool>();
    }
    [[nodiscard]] int64_t gradientRoomOf(size_t part, int block) const {
        const auto index = static_cast<size_t>(block);
        const bool named = part < gradientRoom.size() && index < gradientRoom[part].size();
        return named ? gradientRoom[part][index] : 0;
    }
    [[nodiscard]] bool streams(size_t part, int block) const {
        const auto index = static_cast<size_t>(block);
        const bool named = part < resident.size() && index < resident[part].size();
        return streaming.has_value() && !(named && resident[part][index]);
    }
};

} // namespace homebooth::core
