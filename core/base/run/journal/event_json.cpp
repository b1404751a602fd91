// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/journal/event_json.h"

#include "core/base/plan/training/swap_wear.h"
#include "core/base/run/journal/figure_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

namespace homebooth::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 11> kTypeNames{"state",   "plan",       "step",    "memory",
                                                 "preview", "checkpoint", "resumed", "warning",
                                                 "outcome", "validation", "text"};

constexpr const char* kReasonsKey = "reasons";
constexpr double kMsPerSecond = 1000.0;
constexpr const char* kSleptKey = "sleptSeconds";
constexpr double kLongestSleepMs = 1e12; // a journal may come from anywhere: sums stay numbers

struct TierKind {
    const char* name;
    const char* before; ///< its name in journals of earlier versions
    int64_t TierMemory::*bytes;
};
constexpr std::array<TierKind, 8> kTierKinds{
    {{"parameterBytes", "parameters", &TierMemory::parameterBytes},
     {"gradientBytes", "gradients", &TierMemory::gradientBytes},
     {"stateBytes", "states", &TierMemory::stateBytes},
     {"activationBytes", "activations", &TierMemory::activationBytes},
     {"workspaceBytes", "workspace", &TierMemory::workspaceBytes},
     {"cacheBytes", "cache", &TierMemory::cacheBytes},
     {"freeBytes", "free", &TierMemory::freeBytes},
     {"otherBytes", "other", &TierMemory::otherBytes}}};

template <class Use, class Visitor>
void visitUse(Use& use, Visitor&& visit, bool measured) {
    visit("deviceBytes", use.deviceBytes);
    visit("ramBytes", use.ramBytes);
    visit("swapBytes", use.swapBytes);
    visit("stepSeconds", use.stepSeconds);
    visit("linkBytesPerStep", use.linkBytesPerStep);
    visit("swapBytesWrittenPerStep", use.swapBytesWrittenPerStep);
    if (measured) visit("residentBytes", use.residentBytes);
}

template <class Outcome, class Visitor>
void visitOutcome(Outcome& event, Visitor&& visit) {
    visit("outcome", event.result);
    visit("measured", event.measured);
    visit("result", event.resultPaths);
    visit("code", event.code);
    visit("message", event.message);
    visit("kept", event.kept);
}

void visitStep(auto& event, auto& visit) {
    visit("step", event.step);
    visit("epoch", event.epoch);
    visit("loss", event.loss);
    visit("lr", event.learningRate);
    visit("seconds", event.seconds);
    visit("samplesPerSecond", event.samplesPerSecond);
    visit("dataSeconds", event.dataSeconds);
    visit("encodeSeconds", event.encodeSeconds);
    visit("gradientNorm", event.gradientNorm);
    visit("lossScale", event.lossScale);
    visit("lossParts", event.lossParts);
}

template <class Visitor>
void visitText(auto& event, Visitor&& visit) {
    visit("index", event.index);
    visit("text", event.text);
    visit("endedBy", event.endedBy);
    visit("tokens", event.tokens);
    visit("seconds", event.seconds);
}

/// Members of one event, so that writing and reading cannot drift apart. Visitor: (key, member&).
template <class Visitor>
void visitMembers(auto& event, Visitor&& visit) {
    using E = std::remove_cvref_t<decltype(event)>;
    if constexpr (std::is_same_v<E, StateEvent>) {
        visit("state", event.state);
        visit("detail", event.detail);
        visit("done", event.done);
        visit("total", event.total);
    } else if constexpr (std::is_same_v<E, PlanEvent>) {
        visit("predicted", event.predicted);
        visit("decisions", event.decisions);
    } else if constexpr (std::is_same_v<E, StepEvent>) {
        visitStep(event, visit);
    } else if constexpr (std::is_same_v<E, MemoryEvent>) {
        visit("step", event.step);
        visit("device", event.device);
        visit("ram", event.ram);
        visit("swap", event.swap);
        visit("ranks", event.ranks);
    } else if constexpr (std::is_same_v<E, PreviewEvent>) {
        visit("step", event.step);
        visit("index", event.index);
        visit("path", event.path);
    } else if constexpr (std::is_same_v<E, CheckpointEvent>) {
        visit("step", event.step);
        visit("path", event.path);
    } else if constexpr (std::is_same_v<E, ResumedEvent>) {
        visit("fromStep", event.fromStep);
    } else if constexpr (std::is_same_v<E, ValidationEvent>) {
        visit("step", event.step);
        visit("loss", event.loss);
    } else if constexpr (std::is_same_v<E, TextEvent>) {
        visitText(event, visit);
    } else if constexpr (std::is_same_v<E, WarningEvent>) {
        visit("code", event.code);
        visit("message", event.message);
    } else {
        visitOutcome(event, visit);
    }
}

Json numberJson(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

struct Writer {
    Json& object;
    void operator()(const char* key, int64_t value) const { object[key] = value; }
    void operator()(const char* key, int value) const { object[key] = value; }
    void operator()(const char* key, double value) const { object[key] = numberJson(value); }
    void operator()(const char* key, const std::string& value) const { object[key] = value; }
    void operator()(const char* key, const std::vector<std::string>& value) const { object[key] = value; }
    void operator()(const char* key, const std::vector<PlanDecision>& decisions) const {
        Json texts = Json::array();
        Json reasons = Json::array();
        for (const PlanDecision& one : decisions) {
            texts.push_back(one.text);
            Json facts = Json::object();
            for (const auto& [name, value] : one.facts) facts[name] = figureJson(value);
            reasons.push_back({{"code", one.code}, {"facts", std::move(facts)}});
        }
        object[key] = std::move(texts);
        object[kReasonsKey] = std::move(reasons);
    }
    void operator()(const char* key, const std::optional<double>& value) const {
        if (value) object[key] = numberJson(*value);
    }
    void operator()(const char* key, const std::map<std::string, double>& numbers) const {
        for (const auto& [name, value] : numbers) object[key][name] = numberJson(value);
    }
    void operator()(const char* key, const TierMemory& tier) const {
        for (const TierKind& kind : kTierKinds) object[key][kind.name] = tier.*kind.bytes;
    }
    void operator()(const char* key, const std::vector<RankMemory>& ranks) const {
        if (ranks.empty()) return;
        Json list = Json::array();
        for (const RankMemory& one : ranks)
            list.push_back({{"deviceBytes", one.deviceBytes}, {"ramBytes", one.ramBytes}});
        object[key] = std::move(list);
    }
    void operator()(const char* key, const ResourceUse& use) const {
        visitUse(use, Writer{object[key]}, std::string_view(key) == "measured");
    }
};

/// Takes what fits and leaves the rest at its default: readers ignore what they do not understand.
struct Reader {
    const Json& object;
    [[nodiscard]] const Json* find(const char* key) const {
        const auto found = object.find(key);
        return found == object.end() ? nullptr : &*found;
    }
    void operator()(const char* key, int64_t& value) const {
        if (const Json* json = find(key); json && json->is_number()) value = json->get<int64_t>();
    }
    void operator()(const char* key, int& value) const {
        if (const Json* json = find(key); json && json->is_number_integer()) value = json->get<int>();
    }
    void operator()(const char* key, double& value) const {
        const Json* json = find(key);
        if (json && json->is_number())
            value = json->get<double>();
        else if (json && json->is_null())
            value = std::numeric_limits<double>::quiet_NaN();
    }
    void operator()(const char* key, std::string& value) const {
        if (const Json* json = find(key); json && json->is_string()) value = json->get<std::string>();
    }
    void operator()(const char* key, std::vector<std::string>& value) const {
        const Json* json = find(key);
        if (!json || !json->is_array()) return;
        for (const Json& entry : *json)
            if (entry.is_string()) value.push_back(entry.get<std::string>());
    }
    void operator()(const char* key, std::vector<PlanDecision>& decisions) const {
        std::vector<std::string> texts;
        (*this)(key, texts);
        for (std::string& text : texts) decisions.push_back({std::move(text)});
        const Json* reasons = find(kReasonsKey);
        if (!reasons || !reasons->is_array() || reasons->size() != decisions.size()) return;
        for (size_t index = 0; index < decisions.size(); ++index)
            Reader{(*reasons)[index]}.takeReason(decisions[index]);
    }
    void takeReason(PlanDecision& decision) const {
        if (!object.is_object()) return;
        (*this)("code", decision.code);
        (*this)("facts", decision.facts);
    }
    void operator()(const char* key, std::map<std::string, double>& numbers) const {
        const Json* json = find(key);
        if (!json || !json->is_object()) return;
        for (const auto& [name, value] : json->items()) Reader{*json}(name.c_str(), numbers[name]);
    }
    void operator()(const char* key, std::optional<double>& value) const {
        double number = 0.0;
        if (!find(key)) return;
        (*this)(key, number);
        value = number;
    }
    void operator()(const char* key, TierMemory& tier) const {
        const Json* json = find(key);
        if (!json || !json->is_object()) return;
        for (const TierKind& kind : kTierKinds)
            for (const char* name : {kind.before, kind.name}) Reader{*json}(name, tier.*kind.bytes);
    }
    void operator()(const char* key, std::vector<RankMemory>& ranks) const {
        const Json* json = find(key);
        if (!json || !json->is_array()) return;
        for (const Json& entry : *json) {
            RankMemory& one = ranks.emplace_back(); // also of what is none: those behind keep their places
            if (!entry.is_object()) continue;
            const Reader read{entry};
            read("deviceBytes", one.deviceBytes);
            read("ramBytes", one.ramBytes);
        }
    }
    void operator()(const char* key, ResourceUse& use) const {
        if (const Json* json = find(key); json && json->is_object()) visitUse(use, Reader{*json}, true);
    }
};

int64_t readSleptMs(const Reader& read) {
    double seconds = 0.0;
    double milliseconds = 0.0;
    read("sleptMs", milliseconds); // of earlier versions
    read(kSleptKey, seconds);
    milliseconds += seconds * kMsPerSecond;
    return std::isfinite(milliseconds) ? std::llround(std::clamp(milliseconds, 0.0, kLongestSleepMs)) : 0;
}

template <size_t index = 0>
std::optional<Event> readEvent(const std::string& type, const Json& object) {
    if constexpr (index == std::variant_size_v<Event>) {
        return std::nullopt;
    } else {
        if (type != kTypeNames[index]) return readEvent<index + 1>(type, object);
        std::variant_alternative_t<index, Event> event;
        visitMembers(event, Reader{object});
        return event;
    }
}

/// What follows from an event and has no member of its own.
void addDerived(const Event& event, Json& object) {
    if (const auto* plan = std::get_if<PlanEvent>(&event)) {
        double readBytes = 0.0;
        for (const PlanDecision& one : plan->decisions)
            if (const auto found = one.facts.find(kStepReadBytes); found != one.facts.end())
                readBytes = found->second;
        constexpr double kMost = 1e18; // a journal may come from anywhere
        object["predicted"]["swapBytesReadPerStep"] =
            readBytes > 0.0 && readBytes < kMost ? static_cast<int64_t>(readBytes) : int64_t{0};
    } else if (const auto* preview = std::get_if<PreviewEvent>(&event)) {
        // Of a picture that is still being made: the file goes with the next one.
        const size_t name = preview->path.rfind('/') + 1; // of none: the beginning
        if (preview->path.compare(name, 1, ".") == 0) object["unfinished"] = true;
    }
}

std::string dump(const Json& object) {
    return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string isoTime(std::chrono::system_clock::time_point time) {
    const auto sinceEpoch = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
    const int64_t milliseconds = sinceEpoch.count();
    const std::time_t seconds = milliseconds / 1000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 40> text{};
    const size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text.data() + length, text.size() - length, ".%03dZ",
                  static_cast<int>(milliseconds % 1000));
    return text.data();
}

const char* eventTypeName(const Event& event) {
    return kTypeNames.at(event.index());
}

std::string toJsonLine(const JournalEntry& entry) {
    Json object;
    object["v"] = kJournalVersion;
    object["seq"] = entry.seq;
    object["time"] = entry.time;
    object["type"] = eventTypeName(entry.event);
    if (entry.sleptMs > 0) object[kSleptKey] = static_cast<double>(entry.sleptMs) / kMsPerSecond;
    std::visit([&](const auto& event) { visitMembers(event, Writer{object}); }, entry.event);
    addDerived(entry.event, object);
    return dump(object);
}

std::optional<JournalEntry> parseJournalLine(std::string_view line, size_t longest) {
    if (line.size() > longest) return std::nullopt;
    const Json object = Json::parse(line, nullptr, false);
    if (!object.is_object()) return std::nullopt;
    int64_t version = 0;
    JournalEntry entry;
    std::string type;
    const Reader read{object};
    read("v", version);
    read("seq", entry.seq);
    read("time", entry.time);
    read("type", type);
    entry.sleptMs = readSleptMs(read);
    if (version != kJournalVersion) return std::nullopt;
    auto event = readEvent(type, object);
    if (!event) return std::nullopt;
    entry.event = std::move(*event);
    return entry;
}

std::string planJson(const PlanEvent& plan) {
    Json object;
    visitMembers(plan, Writer{object});
    addDerived(plan, object);
    return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

} // namespace homebooth::core
