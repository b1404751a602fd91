// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/run_data.h"

#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/left_out_line.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

namespace homebooth::app {
namespace {

template <class T>
void dropLater(std::vector<T>& entries, int64_t step) {
    std::erase_if(entries, [step](const T& entry) { return entry.step > step; });
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Of every four samples the one with the least and the one with the greatest value, in their order; the last
/// ones stay as they are.
template <class T, class Value>
bool halve(std::vector<T>& samples, size_t most, Value value) {
    constexpr size_t kGroup = 4;
    constexpr size_t kLatest = 256; // whoever asks for the present speed finds all of them
    if (samples.size() <= std::max(most, kLatest)) return false;
    const size_t end = (samples.size() - kLatest) / kGroup * kGroup;
    std::vector<T> kept;
    kept.reserve(samples.size() / 2 + kLatest);
    for (size_t first = 0; first < end; first += kGroup) {
        const auto from = samples.begin() + static_cast<std::ptrdiff_t>(first);
        const auto [least, greatest] = std::minmax_element(
            from, from + kGroup, [&value](const T& a, const T& b) { return value(a) < value(b); });
        kept.push_back(*std::min(least, greatest));
        kept.push_back(*std::max(least, greatest));
    }
    kept.insert(kept.end(), samples.begin() + static_cast<std::ptrdiff_t>(end), samples.end());
    samples = std::move(kept);
    return true;
}

/// That another folder took nothing is of no interest once something else was tried.
void dropRefusals(std::vector<core::WarningEvent>& warnings) {
    std::erase_if(warnings, [](const core::WarningEvent& one) { return one.code == "elsewhere"; });
}

/// Of a line's time.
int64_t msOf(const std::string& time) {
    return QDateTime::fromString(QString::fromStdString(time), Qt::ISODateWithMs).toMSecsSinceEpoch();
}

/// Where the steps begin that tell the present speed.
size_t firstOfLatest(const std::vector<StepSample>& steps) {
    constexpr size_t kLatest = 50;
    return steps.size() > kLatest ? steps.size() - kLatest : 0;
}

/// Each attempt plans for what is free as it begins: nothing became of the run by that.
bool beginsWith(const core::PlanEvent& plan) {
    return std::any_of(plan.decisions.begin(), plan.decisions.end(),
                       [](const core::PlanDecision& one) { return one.code == "run-begins"; });
}

/// Whether a decision is none about memory: why it was planned, for how much of it, and what a step takes.
bool isBesideTheShape(const std::string& code) {
    for (const char* one : {"again-", "budget", "run-begins", "step-", "swap"}) // wear goes by the time
        if (code.starts_with(one)) return true;
    return false;
}

/// What a plan does with memory, as one number: equal for plans that differ in time alone.
size_t shapeOf(const core::PlanEvent& plan) {
    const core::ResourceUse& use = plan.predicted;
    std::string text;
    for (const int64_t bytes : {use.deviceBytes, use.ramBytes, use.swapBytes})
        text += std::to_string(bytes) + ' ';
    for (const core::PlanDecision& one : plan.decisions) {
        if (isBesideTheShape(one.code)) continue;
        text += '\n' + (one.code.empty() ? one.text : one.code); // earlier engines gave no codes
        for (const auto& [name, value] : one.facts)
            if (!name.ends_with("Seconds")) text += ' ' + name + '=' + std::to_string(value);
    }
    return std::hash<std::string>()(text);
}

} // namespace

bool beginsAttempt(const core::StateEvent& event) {
    return event.state == "loading" && event.detail.empty();
}

std::optional<core::ResourceUse> budgetOf(const core::PlanEvent& plan) {
    for (const core::PlanDecision& decision : plan.decisions) {
        if (!decision.code.starts_with("budget")) continue;
        const auto bytes = [&decision](const char* name) {
            const auto found = decision.facts.find(name);
            return found == decision.facts.end() ? int64_t{0} : static_cast<int64_t>(found->second);
        };
        core::ResourceUse budget;
        budget.deviceBytes = bytes("deviceBytes");
        budget.ramBytes = bytes("ramBytes");
        return budget;
    }
    return std::nullopt;
}

bool RunUpdate::empty() const {
    return !restartFrom && steps.empty() && heldOut.empty() && memory.empty() && previews.empty() &&
           checkpoints.empty() && warnings.empty() && !plan && !state && !outcome && !newAttempt;
}

void RunUpdate::take(const core::JournalEntry& entry) {
    sleptMs += entry.sleptMs;
    std::visit(
        [this, &when = entry.time](const auto& event) {
            using T = std::decay_t<decltype(event)>;
            if constexpr (std::is_same_v<T, core::StepEvent>) {
                steps.push_back(
                    {event.step, event.loss, event.learningRate, static_cast<float>(event.seconds),
                     static_cast<float>(event.samplesPerSecond), static_cast<float>(event.dataSeconds)});
                lossParts = event.lossParts;
            } else if constexpr (std::is_same_v<T, core::ValidationEvent>) {
                heldOut.push_back(event);
            } else if constexpr (std::is_same_v<T, core::MemoryEvent>) {
                memory.push_back({event.step, event.device, event.ram, event.swap});
                rankMemory = event.ranks;
            } else if constexpr (std::is_same_v<T, core::PreviewEvent>) {
                previews.push_back(event);
            } else if constexpr (std::is_same_v<T, core::CheckpointEvent>) {
                checkpoints.push_back(event);
            } else if constexpr (std::is_same_v<T, core::WarningEvent>) {
                warnings.push_back(event);
                if (auto line = core::leftOutLine(event)) leftOut.push_back(std::move(*line));
            } else if constexpr (std::is_same_v<T, core::PlanEvent>) {
                plan = event;
                if (const auto named = budgetOf(event)) budget = named;
                markPlan(event);
            } else if constexpr (std::is_same_v<T, core::StateEvent>) {
                takeState(event, msOf(when));
            } else if constexpr (std::is_same_v<T, core::OutcomeEvent>) {
                outcome = event;
                phases.push_back({{}, msOf(when), 0, false, std::exchange(sleptMs, 0)});
            } else if constexpr (std::is_same_v<T, core::ResumedEvent>) {
                restart(event.fromStep);
            }
        },
        entry.event);
}

void RunUpdate::takeState(const core::StateEvent& event, int64_t atMs) {
    if (event.state == "paused") mark(RunMark::Kind::Paused);
    if (event.state == core::kWaitsForRoom) {
        if (core::lackOf(event.detail) == core::FailureCause::DiskFull) mark(RunMark::Kind::DiskFull);
        ++roomWaits;
    } else {
        dropRefusals(warnings);
        triesAgain = true;
    }
    phases.push_back(
        {event.state, atMs, event.total - event.done, beginsAttempt(event), std::exchange(sleptMs, 0)});
    state = event;
    outcome.reset();
    newAttempt = true;
}

void RunUpdate::restart(int64_t fromStep) {
    restartFrom = std::min(restartFrom.value_or(fromStep), fromStep);
    dropLater(steps, fromStep);
    lossParts.clear();
    dropLater(heldOut, fromStep);
    dropLater(memory, fromStep);
    rankMemory.emplace(); // the next attempt may have other processes
    dropLater(previews, fromStep);
    dropLater(checkpoints, fromStep);
    dropLater(marks, fromStep); // but for those whose step only the run's data knows
    marks.push_back({fromStep, RunMark::Kind::Resumed});
    outcome.reset();
    newAttempt = true;
}

void RunUpdate::mark(RunMark::Kind kind) {
    const RunMark one{steps.empty() ? restartFrom.value_or(RunMark::kLatest) : steps.back().step, kind};
    if (marks.empty() || marks.back() != one) marks.push_back(one);
}

void RunUpdate::markPlan(const core::PlanEvent& event) {
    const size_t shape = shapeOf(event);
    // Of a start it names what it may use. A resumption takes nothing of this back: it begins with this plan.
    if (budgetOf(event) || beginsWith(event))
        return marks.push_back({RunMark::kLatest, RunMark::Kind::Planned, shape});
    mark(RunMark::Kind::Replanned);
    marks.back().shape = shape;
}

void RunData::addMarks(const RunUpdate& update, int64_t latest) {
    for (RunMark mark : update.marks) {
        const bool planned = mark.kind == RunMark::Kind::Planned || mark.kind == RunMark::Kind::Replanned;
        const bool same = planned && std::exchange(m_shape, mark.shape) == mark.shape;
        if (same || mark.kind == RunMark::Kind::Planned) continue; // steps take another time, no more
        mark.shape = 0;
        const bool before = mark.step == RunMark::kLatest; // the steps and restarts of the update
        if (before) mark.step = latest;
        if (before && update.restartFrom && latest > *update.restartFrom) continue; // it counts no more
        if (mark.step == 0 && mark.kind == RunMark::Kind::Replanned) continue;      // it had not begun
        if (marks.empty() || marks.back() != mark) marks.push_back(mark);
    }
    if (marks.size() > kMostMarks)
        marks.erase(marks.begin(), marks.end() - static_cast<std::ptrdiff_t>(kMostMarks));
}

/// Several are made at once, and told of again and again until they are there.
void RunData::addExamples(const PhaseBegin& next, double lasted) {
    const int64_t left = next.state == m_phase.state ? next.left
                         : next.state.empty()        ? m_phase.left // it ended in the midst
                                                     : 0;
    const int64_t made = std::max<int64_t>(0, m_phase.left - left);
    sinceExampleSeconds += lasted;
    if (made == 0) return;
    examplesMade += made;
    exampleSeconds += std::exchange(sinceExampleSeconds, 0.0);
}

void RunData::addPhases(const RunUpdate& update) {
    for (const PhaseBegin& next : update.phases) {
        const int64_t lastedMs = next.atMs - m_phase.atMs - next.sleptMs - std::exchange(m_sleptMs, 0);
        const bool known = !next.attempt && !m_phase.state.empty() && m_phase.atMs > 0 && lastedMs >= 0;
        if (known) phaseSeconds[m_phase.state] += double(lastedMs) / 1000.0;
        if (known && m_phase.state == "class-images") addExamples(next, double(lastedMs) / 1000.0);
        if (next.attempt) sinceExampleSeconds = 0.0; // it makes them once more
        m_phase = next;
        sleptMs += next.sleptMs;
    }
    m_sleptMs += update.sleptMs;
    sleptMs += update.sleptMs;
}

void RunData::addWarnings(const RunUpdate& update) {
    if (update.triesAgain) dropRefusals(warnings);
    append(warnings, update.warnings);
    if (warnings.size() > kMostWarnings)
        warnings.erase(warnings.begin(), warnings.end() - static_cast<std::ptrdiff_t>(kMostWarnings));
    for (const std::string& line : update.leftOut)
        if (leftOut.size() < kMostLeftOut) leftOut.insert(line);
}

void RunData::apply(const RunUpdate& update) {
    const int64_t latest = step();
    if (update.restartFrom) {
        dropLater(steps, *update.restartFrom);
        dropLater(heldOut, *update.restartFrom);
        dropLater(memory, *update.restartFrom);
        dropLater(previews, *update.restartFrom);
        dropLater(checkpoints, *update.restartFrom);
        dropLater(marks, *update.restartFrom);
        ++generation;
    }
    addMarks(update, latest);
    addPhases(update);
    append(steps, update.steps);
    if (!update.steps.empty() || update.restartFrom) lossParts = update.lossParts;
    append(heldOut, update.heldOut);
    append(memory, update.memory);
    if (update.rankMemory) rankMemory = *update.rankMemory;
    append(previews, update.previews);
    append(checkpoints, update.checkpoints);
    addWarnings(update);
    if (thin()) ++generation;
    if (update.plan) plan = update.plan;
    if (update.budget) budget = *update.budget;
    if (update.state) state = *update.state;
    roomWaits += update.roomWaits;
    if (update.newAttempt) outcome.reset();
    if (update.outcome) outcome = update.outcome;
    if (update.config) config = *update.config;
    if (update.moments) moments = *update.moments;
    workerAlive = update.workerAlive;
    folderGone = update.folderGone;
    workedSeconds = update.workedSeconds;
    if (update.lastSignMs == 0) return;
    lastSignMs = update.lastSignMs;
    modelThere = update.modelThere;
}

std::optional<int64_t> RunData::savedStep() const {
    std::optional<int64_t> last;
    if (!checkpoints.empty()) last = checkpoints.back().step;
    if (!moments.empty()) last = std::max(moments.back().step, last.value_or(0));
    return last;
}

core::TrainConfig RunData::nothingKnown() {
    core::TrainConfig config;
    config.steps = 0;
    return config;
}

bool RunData::thin(size_t mostSteps, size_t mostMemory, size_t mostHeldOut) {
    // A value that is no number counts as the greatest: it is what one looks for.
    const auto lossOf = [](const auto& one) {
        return std::isfinite(one.loss) ? one.loss : std::numeric_limits<double>::max();
    };
    const bool fewerSteps = halve(steps, mostSteps, lossOf);
    const bool fewerHeldOut = halve(heldOut, mostHeldOut, lossOf);
    const bool fewerMemory = halve(memory, mostMemory, [](const MemorySample& one) {
        return usedBytes(one.device) + usedBytes(one.ram) + usedBytes(one.swap);
    });
    return fewerSteps || fewerHeldOut || fewerMemory;
}

double RunData::secondsPerStep() const {
    std::vector<float> latest;
    for (size_t i = firstOfLatest(steps); i < steps.size(); ++i) latest.push_back(steps[i].seconds);
    if (latest.empty()) return 0.0;
    std::nth_element(latest.begin(), latest.begin() + static_cast<std::ptrdiff_t>(latest.size() / 2),
                     latest.end());
    return latest[latest.size() / 2];
}

double RunData::waitingPart() const {
    double waited = 0.0;
    double whole = 0.0;
    for (size_t i = firstOfLatest(steps); i < steps.size(); ++i) {
        waited += double(steps[i].dataSeconds);
        whole += double(steps[i].seconds);
    }
    return whole > 0.0 ? waited / whole : 0.0;
}

int64_t ramOfAllProcesses(const RunData& run) {
    if (run.rankMemory.empty()) return run.memory.empty() ? 0 : usedBytes(run.memory.back().ram);
    int64_t bytes = 0;
    for (const core::RankMemory& one : run.rankMemory) bytes += one.ramBytes;
    return bytes;
}

int64_t usedBytes(const core::TierMemory& memory) {
    return memory.parameterBytes + memory.gradientBytes + memory.stateBytes + memory.activationBytes +
           memory.workspaceBytes + memory.cacheBytes;
}

} // namespace homebooth::app
