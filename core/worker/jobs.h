// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The jobs of homebooth-worker. Each runs on the main thread and returns the exit code; none throws what it
// can put into words.
#pragma once

#include "core/base/run/journal/event.h"
#include "core/base/run/rank_place.h"
#include "core/base/util/result.h"
#include "core/worker/event_stream.h"

#include <functional>
#include <string>
#include <vector>

namespace homebooth::core {

struct TrainingArguments {
    std::string runDir;    ///< of a launcher's ranks the first one alone knows it
    bool resumed = false;  ///< go on after the last checkpoint
    RankPlace place = {};  ///< of several ranks
    bool launched = false; ///< by a launcher: no supervisor sees how all of them end
};

/// Trains a run. Of several ranks the first one writes into its folder, but for a failure: whoever started
/// them hears from all how they ended, and knows what came first. Those of a launcher tell each other.
int runTraining(const TrainingArguments& arguments, EventStream& events);

/// Plans the training whose settings it reads as JSON from standard input: emits what each tier holds, then
/// the plan.
/// @param arguments  those behind "plan": how many processes share the machine, --sharing N, and perhaps a
///                   card to plan for: --card NAME --pcie 3x16, and then --scaling for a table of more and
///                   fewer of it; --blocks for a line a block, --stages for one of each stage of --zero where
///                   several processes of this machine train; --in-turn where it begins once other workers
///                   have ended; --pictures FILE for those that count (engine/data/listed_pictures)
int runPlanning(const std::vector<std::string>& arguments, EventStream& events);

/// Makes the pictures of one request, read as JSON from standard input.
/// @param place  of several ranks, which have all read the same request: this one makes its share. Each tells
///               of its own; whoever started them puts that together
int runSampling(const RankPlace& place, EventStream& events);

/// Keeps a model and answers requests, one command a line on standard input, until that ends:
///   {"command":"generate","request":{settings of sample}}    {"command":"stop"}
///   {"command":"elsewhere","folder":"/..."}    of the pictures that are made, from the next one on
int runServer(EventStream& events);

/// Writes the texts of one request, read as JSON from standard input.
int runWriting(EventStream& events);

/// @param arguments  those behind "bench"
int runBenchmark(const std::vector<std::string>& arguments);

/// Calls `job` and turns what it throws into an outcome: out of memory, a lost GPU, a fault.
[[nodiscard]] OutcomeEvent guarded(const std::function<OutcomeEvent()>& job);

/// The same of a training; where memory runs out, what its run still takes is advised.
/// @param runDir  of it; empty: not known here
[[nodiscard]] OutcomeEvent guardedTraining(const std::string& runDir,
                                           const std::function<OutcomeEvent()>& job);

/// A failure as an outcome.
[[nodiscard]] OutcomeEvent failedOutcome(const Error& error);

/// The same where ranks did not come together: they can say less than the one that was missing.
[[nodiscard]] OutcomeEvent notMetOutcome(const Error& error);

} // namespace homebooth::core
