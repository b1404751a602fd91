// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How a training would go on 1, 8, 64 and 512 GPUs over links of several kinds: a row a number and kind, as
// decisions of a plan, which is how the worker hands them on. Free functions; any thread.
#pragma once

#include "core/base/plan/ranks/rank_simulation.h"
#include "core/base/run/journal/event.h"

#include <map>
#include <string>
#include <vector>

namespace homebooth::core {

/// Codes of decisions.
inline constexpr const char* kScalingRow = "scaling-row";
inline constexpr const char* kScalingRefused = "scaling-refused"; ///< so many GPUs cannot train it
inline constexpr const char* kRankStage = "rank-stage";           ///< what a stage of --zero would take
inline constexpr const char* kRankStageRefused = "rank-stage-refused";

[[nodiscard]] const std::vector<int64_t>& scalingCounts();

/// One number of GPUs.
struct ScaledTraining {
    RankSchedule schedule; ///< as planned for that number
    int64_t ranks = 1;
    int64_t picturesOfRank = 1; ///< in a step
    LoneStep lone;              ///< of one GPU
};

/// One row for each kind of link that matters to so many. Efficiency: pictures a second against so many times
/// those of one GPU.
[[nodiscard]] std::vector<PlanDecision> scalingRows(const ScaledTraining& training);
[[nodiscard]] PlanDecision scalingRefused(int64_t ranks, const std::string& why);

/// Of the table that texts of rows make. @param samples  what is learned from, at most nine letters
[[nodiscard]] std::string scalingHead(const std::string& samples = "pictures");
/// What a row's figures stand for in words: "inside", "between" (where machines are joined) and "bound",
/// of which "boundShare" is a figure.
[[nodiscard]] std::map<std::string, std::string> scalingNames(const PlanDecision& row);

} // namespace homebooth::core
