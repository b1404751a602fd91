// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a training will take from its start to its end, and how sure that is. What earlier trainings of
// the same kind took on this machine is known to a few per cent; of all else the plan and the work that there
// is to do give an estimate with a wide range. Pure functions; any thread.
#pragma once

#include "app/engine/plans/plan_facts.h"
#include "app/engine/runs/run_data.h"

#include <QString>

#include <optional>

namespace homebooth::app {

/// What one of each took on this machine, in seconds; 0: nobody knows.
struct Pace {
    double step = 0.0;
    double example = 0.0; ///< picture of the class
    double preview = 0.0; ///< picture
    double save = 0.0;    ///< of a checkpoint
    double start = 0.0;   ///< loading, and encoding the photos
    [[nodiscard]] QString toText() const;
    [[nodiscard]] static Pace ofText(const QString& text);
};

/// Of a run that ended. What it did not do is what it was `before`.
[[nodiscard]] Pace paceOf(const RunData& run, Pace before);

struct TimeSpan {
    double least = 0.0;
    double likely = 0.0;
    double most = 0.0;
    TimeSpan& operator+=(const TimeSpan& other);
};

struct PlanTime {
    TimeSpan whole;
    double steps = 0.0; ///< likely seconds of each part
    double examples = 0.0;
    double previews = 0.0;
    double saves = 0.0;
    int64_t exampleCount = 0;
    int64_t previewCount = 0;
    int64_t saveCount = 0;
    bool known = false; ///< how long a step takes; else nothing else is worked out
};

/// How many times as long it takes to compute while other programs use the processor as they did in the
/// last minute; 1 where they hardly do. Where Homebooth has used it, too, only more than it can have
/// used counts.
/// @param sinceOwnMs  since Homebooth itself computed last; -1: it has not
[[nodiscard]] double slowdownBy(double processorLoad, qint64 sinceOwnMs = -1);

/// Whether a training of this plan would be slowed down by that: nothing but the processor computes.
[[nodiscard]] bool sharesProcessor(const PlanFacts& facts, double slowdown);

/// @param examplesThere  how many pictures of the class there are: an earlier training's, or the user's
/// @param slowdown       by other programs; they may end soon, so that only the longest time has it
[[nodiscard]] PlanTime planTimeOf(const PlanFacts& facts, const core::TrainConfig& config, const Pace& pace,
                                  int64_t examplesThere, double slowdown = 1.0);

/// Until a run that works has done all its steps, with what it looks at and saves on the way, as far as it
/// has shown what that takes, and with the example pictures that it makes now, at first as planned. On the
/// processor what they took tells how far the plan of the steps is right. Nothing while nobody knows how
/// long a step takes.
[[nodiscard]] std::optional<double> secondsLeftOf(const RunData& run);

/// "31 min (27 to 36)", or "31 min" where that is as good as sure.
[[nodiscard]] QString spanText(const TimeSpan& span);

/// What it is made up of, a line each; what takes no time worth a word is left out.
[[nodiscard]] QString partsText(const PlanTime& time, int64_t steps);

} // namespace homebooth::app
