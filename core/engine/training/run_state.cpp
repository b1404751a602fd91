// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/training/run_state.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace homebooth::core {
namespace {

using Json = nlohmann::json;

constexpr int kStateFormat = 1;

Json cursorJson(const OrderCursor& cursor) {
    return {{"drawn", cursor.drawn}, {"generation", cursor.generation}, {"positions", cursor.positions}};
}

Error notWhatWasWritten(const std::string& found, const std::string& context) {
    return badInput("reading a checkpoint: its state.json is not what was written: " + found + "; " +
                        kWithoutCheckpoint,
                    context);
}

/// What was wrong, without the name and number that the parser gives it.
std::string wordsOf(const Json::exception& error) {
    const std::string words = error.what();
    const size_t begin = words.find("] ");
    return begin == std::string::npos ? words : words.substr(begin + 2);
}

/// What a run can have counted: its samples are looked up by these numbers, and it counts on from them.
bool isCount(int64_t number) {
    constexpr int64_t kMost = int64_t{1} << 53;
    return number >= 0 && number <= kMost;
}

Result<OrderCursor> cursorOf(const Json& json, const std::string& context) {
    OrderCursor cursor{json.at("drawn").get<int64_t>(), json.at("generation").get<int64_t>(),
                       json.at("positions").get<std::vector<int64_t>>()};
    if (!isCount(cursor.drawn) || !isCount(cursor.generation) ||
        !std::all_of(cursor.positions.begin(), cursor.positions.end(), isCount))
        return notWhatWasWritten("a data cursor is out of range", context);
    return cursor;
}

} // namespace

std::string toJson(const RunState& state) {
    Json cursors = Json::array();
    for (const OrderCursor& cursor : state.cursors) cursors.push_back(cursorJson(cursor));
    const Json json = {{"format", kStateFormat},
                       {"step", state.step},
                       {"cursors", cursors},
                       {"dataSha256", state.dataHash},
                       {"lossScale", state.flow.scaler.scale},
                       {"goodSteps", state.flow.scaler.goodSteps},
                       {"skippedSteps", state.flow.skippedSteps},
                       {"statesBegin", state.flow.statesBegin},
                       {"threads", state.threads}};
    return json.dump(2) + "\n";
}

Result<RunState> parseRunState(const std::string& text, const std::string& context) {
    try {
        const Json json = Json::parse(text);
        if (json.at("format").get<int>() > kStateFormat)
            return badInput("reading a checkpoint: it was written by a newer Homebooth; update this one",
                            context);
        RunState state;
        state.step = json.at("step").get<int64_t>();
        if (!isCount(state.step)) return notWhatWasWritten("its step is out of range", context);
        for (const Json& one : json.at("cursors")) {
            HOMEBOOTH_ASSIGN(OrderCursor cursor, cursorOf(one, context));
            state.cursors.push_back(std::move(cursor));
        }
        state.dataHash = json.at("dataSha256").get<std::string>();
        state.flow.scaler.scale = json.at("lossScale").get<double>();
        state.flow.scaler.goodSteps = json.at("goodSteps").get<int64_t>();
        state.flow.skippedSteps = json.at("skippedSteps").get<int64_t>();
        state.flow.statesBegin = json.value("statesBegin", int64_t{0});
        state.threads = json.at("threads").get<int64_t>();
        if (state.cursors.empty()) return notWhatWasWritten("it holds no data cursor", context);
        return state;
    } catch (const Json::exception& error) {
        return notWhatWasWritten(wordsOf(error), context);
    }
}

} // namespace homebooth::core
