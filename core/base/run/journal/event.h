// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker says while it works: one struct for each type of journal line, and the sink that takes them.
// The sink numbers and dates them (seq, time). No Torch, no JSON in this header.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace homebooth::core {

/// Bytes of one tier by kind.
struct TierMemory {
    int64_t parameterBytes = 0;
    int64_t gradientBytes = 0;
    int64_t stateBytes = 0;
    int64_t activationBytes = 0;
    int64_t workspaceBytes = 0;
    int64_t cacheBytes = 0;
    int64_t freeBytes = 0;
    int64_t otherBytes = 0; ///< other programs'
};

/// Predicted by the plan; the same names are measured at the end.
struct ResourceUse {
    int64_t deviceBytes = 0;
    int64_t ramBytes = 0;
    int64_t swapBytes = 0;
    double stepSeconds = 0.0;
    int64_t linkBytesPerStep = 0;
    int64_t swapBytesWrittenPerStep = 0;
    int64_t residentBytes = 0; ///< peak of the process; measured only
};

/// `state` of a run that waits until it can save.
constexpr const char* kWaitsForRoom = "waiting";

/// `state` names the phase (loading, reading, class-images, caching, training, sampling, saving, paused,
/// waiting, done); `done` of `total` units give the progress within it (0 of 0: unknown). Waiting is for room
/// on the disk: then `detail` says what could not be written, and `done` bytes are free of `total` that are
/// needed (0: unknown).
struct StateEvent {
    std::string state;
    std::string detail;
    int64_t done = 0;
    int64_t total = 0;
};
/// Why a plan is as it is. In the journal the texts stand in `decisions`, and beside them, in `reasons`, what
/// programs tell of it in words of their own.
struct PlanDecision {
    std::string text;      ///< one line
    std::string code = {}; ///< names the sentence, whatever its wording; empty where it has none
    std::map<std::string, double> facts = {}; ///< its figures; a name ends in its unit, as "stateBytes"
};
struct PlanEvent {
    ResourceUse predicted;
    std::vector<PlanDecision> decisions;
};
struct StepEvent {
    int64_t step = 0; ///< 1 after the first optimizer step
    int64_t epoch = 0;
    double loss = 0.0;
    double learningRate = 0.0;
    double seconds = 0.0;
    double samplesPerSecond = 0.0;
    double dataSeconds = 0.0;   ///< of `seconds`, waited until the pictures and texts of the step were there
    double encodeSeconds = 0.0; ///< of `seconds`, spent on encoding those that nothing had encoded before
    std::optional<double> gradientNorm;
    std::optional<double> lossScale;
    /// What `loss` is the sum of, where it has parts. Of an autoencoder: pixels, edges, areas, divergence.
    std::map<std::string, double> lossParts = {};
};
/// Mean loss over the pictures that are held out of training.
struct ValidationEvent {
    int64_t step = 0;
    double loss = 0.0;
};
/// All that one of several processes takes which train together.
struct RankMemory {
    int64_t deviceBytes = 0;
    int64_t ramBytes = 0;
};
struct MemoryEvent {
    int64_t step = 0;
    TierMemory device;
    TierMemory ram;
    TierMemory swap;
    std::vector<RankMemory> ranks = {}; ///< of all of them, in their order; empty: there is one process
};
struct PreviewEvent {
    int64_t step = 0;
    int64_t index = 0;
    std::string path;
};
struct CheckpointEvent {
    int64_t step = 0;
    std::string path;
};
struct ResumedEvent {
    int64_t fromStep = 0;
};
struct WarningEvent {
    std::string code;
    std::string message;
};
/// The end of a run. `result` is done, cancelled or failed.
struct OutcomeEvent {
    std::string result;
    ResourceUse measured;
    std::vector<std::string> resultPaths;
    int code = 0; ///< exit code
    std::string message;
    std::string kept; ///< what is safe on disk after a failure or cancellation, in words
};
/// What a language model has written since the last one, of a text, or its end.
struct TextEvent {
    int64_t index = 0; ///< 0: the first of those that were asked for
    std::string text;  ///< whole characters
    /// Empty: it goes on; else end-token, stop, tokens (as many as were asked for), context-full or
    /// cancelled.
    std::string endedBy = {};
    int64_t tokens = 0;   ///< up to now, without those of the prompt and the one that ends a text
    double seconds = 0.0; ///< since the first text began, without the time for the prompt
};

using Event = std::variant<StateEvent, PlanEvent, StepEvent, MemoryEvent, PreviewEvent, CheckpointEvent,
                           ResumedEvent, WarningEvent, OutcomeEvent, ValidationEvent, TextEvent>;

class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void emit(const Event& event) = 0;
};

} // namespace homebooth::core
