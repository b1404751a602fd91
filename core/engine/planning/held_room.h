// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// How many latents and encoded captions a training holds in RAM, and whether it encodes beside its
// steps: as many as there is room for beside all else that it does. A run and its forecast decide it
// here, each with its own plans. Free functions; any thread.
#pragma once

#include "core/base/plan/generation/encoding_plan.h"
#include "core/base/plan/generation/picture_memory.h"
#include "core/base/plan/training/train_plan.h"
#include "core/engine/planning/step_planner.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace homebooth::core {

/// The most that a run may take of RAM, by the budget of its steps; all of a process with its program.
/// @param gpu  computes
[[nodiscard]] int64_t ramOfRun(const StepBudget& budget, bool gpu);

/// Whether that is enough for the steps and for what comes before and behind them. Previews are made
/// with what there is.
/// @param need       of the steps, without what is held, with what is encoded beside them
/// @param heldBytes  of latents and encoded captions
[[nodiscard]] bool hasRoomBeside(const TrainConfig& config, const ModelSource& model, StepNeed need,
                                 int64_t heldBytes, bool gpu, int64_t ramBytes);

/// Plans for the first of several ways to hold latents and captions that finds room. Where not even the
/// last one does, that is planned, and its refusal names the least that would do.
/// @param ways     at least one, each of which takes less than the one before
/// @param plan     of a way. Errors: OutOfResources where its steps find no room
/// @param hasRoom  whether the rest of the run finds it, too
template <class Planned>
[[nodiscard]] Result<Planned> planHolding(const std::vector<HeldPictures>& ways,
                                          const std::function<Result<Planned>(const HeldPictures& way)>& plan,
                                          const std::function<bool(const Planned& planned)>& hasRoom) {
    const auto tight = [](const Result<Planned>& found) {
        return !found && found.error().code == ErrorCode::OutOfResources;
    };
    Result<Planned> all = plan(ways.front());
    if (ways.size() == 1 || (all ? hasRoom(*all) : !tight(all))) return all;
    Result<Planned> least = plan(ways.back());
    if (!least || !hasRoom(*least)) return least;
    for (size_t way = 1; way + 1 < ways.size(); ++way) {
        Result<Planned> fewer = plan(ways[way]);
        if (fewer ? hasRoom(*fewer) : !tight(fewer)) return fewer;
    }
    return least;
}

/// What a run has beside its steps.
struct BesideSteps {
    HeldPictures pictures;
    int64_t encodingBytes = 0; ///< 0: all is encoded before them
};

/// What a plan has to do with disks. No speed of a disk is known: the fewer bytes, the shorter the step.
struct DiskTraffic {
    bool forWantOfRam = false; ///< something lies on the disk of --swap that RAM might hold
    int64_t stepBytes = 0;     ///< that a step reads and writes there, with what of pictures it reads
};

/// @param need  of the steps, with what is on the disk
[[nodiscard]] DiskTraffic diskTrafficOf(const StepNeed& need, const HeldPictures& pictures);

/// How a kind of plan is made and judged.
/// @tparam Planned  has the `pictures` that it was made for
template <class Planned>
struct BesideSearch {
    std::function<Result<Planned>(const BesideSteps& beside)> plan; ///< Errors: as for planHolding
    std::function<bool(const Planned& planned)> hasRoom;            ///< the rest of the run, too
    std::function<double(const Planned& planned)> stepSeconds;
    std::function<DiskTraffic(const Planned& planned)> disk;
};

/// Holds fewer latents and captions where that leaves RAM for what would lie on a disk, and steps move fewer
/// bytes to disks and from them: a whole model, or what is learned of it, against a few pictures.
/// @param found  the first of the ways that finds room
template <class Planned>
[[nodiscard]] Result<Planned> sparingDisk(const std::vector<HeldPictures>& ways, int64_t encodingBytes,
                                          const BesideSearch<Planned>& search, Result<Planned> found) {
    const auto planned = [&](size_t way) { return search.plan({ways[way], encodingBytes}); };
    const auto bytesOf = [&](const Planned& one) { return search.disk(one).stepBytes; };
    if (!found || !search.disk(*found).forWantOfRam || found->pictures.way + 1 >= ways.size()) return found;
    Result<Planned> least = planned(ways.size() - 1);
    if (!least || !search.hasRoom(*least) || bytesOf(*least) >= bytesOf(*found)) return found;
    for (size_t way = found->pictures.way + 1; way + 1 < ways.size(); ++way) {
        Result<Planned> fewer = planned(way);
        if (fewer && search.hasRoom(*fewer) && bytesOf(*fewer) <= bytesOf(*least)) return fewer;
    }
    return least;
}

/// Plans with what is wished for of encoding, and as many latents and captions held as there is room for
/// then, or fewer to spare a disk. Where the run finds no room with encoding beside its steps, all is
/// encoded first.
/// @param ways           as for planHolding
/// @param encodingBytes  what encoding beside the steps takes
template <class Planned>
[[nodiscard]] Result<Planned> planBeside(const std::vector<HeldPictures>& ways, EncodingWish wish,
                                         int64_t encodingBytes, const BesideSearch<Planned>& search) {
    constexpr double kHardlySlower = 1.02;
    const auto holding = [&](int64_t besideBytes) {
        auto found = planHolding<Planned>(
            ways,
            [&](const HeldPictures& way) {
                return search.plan({way, besideBytes});
            },
            search.hasRoom);
        return sparingDisk(ways, besideBytes, search, std::move(found));
    };
    const auto fits = [&](const Result<Planned>& found) { return found && search.hasRoom(*found); };
    if (wish == EncodingWish::WhateverElse) {
        Result<Planned> beside = holding(encodingBytes);
        if (fits(beside) || (!beside && beside.error().code != ErrorCode::OutOfResources)) return beside;
        Result<Planned> first = holding(0);
        return beside && !fits(first) ? std::move(beside) : std::move(first);
    }
    Result<Planned> first = holding(0);
    if (!first || wish != EncodingWish::WhereItFits) return first;
    Result<Planned> beside = search.plan({first->pictures, encodingBytes});
    const bool taken = beside && search.stepSeconds(*beside) <= kHardlySlower * search.stepSeconds(*first);
    return taken ? std::move(beside) : std::move(first);
}

} // namespace homebooth::core
