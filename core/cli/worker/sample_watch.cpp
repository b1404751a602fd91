// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cli/worker/sample_watch.h"

#include "core/cli/told_lines.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace homebooth::core {
namespace {

constexpr const char* kSampling = "sampling";

} // namespace

SampleWatch::SampleWatch(const SampleConfig& config, bool several, bool json)
    : m_config(config)
    , m_several(several)
    , m_json(json)
    , m_progress(!json && ::isatty(STDERR_FILENO) != 0, 0) {}

void SampleWatch::take(int rank, const std::string& line, const std::optional<JournalEntry>& entry) {
    if (entry)
        if (const auto* preview = std::get_if<PreviewEvent>(&entry->event)) remember(*preview);
    if (m_several) {
        if (entry) merge(rank, entry->event);
    } else if (m_json) {
        tellLine(line);
    } else if (entry) {
        show(entry->event);
    }
}

void SampleWatch::merge(int rank, const Event& event) {
    if (std::holds_alternative<OutcomeEvent>(event)) return; // that of all comes when the last one has ended
    if (const auto* state = std::get_if<StateEvent>(&event)) return mergeState(rank, *state);
    if (const auto* warning = std::get_if<WarningEvent>(&event))
        if (!m_warned.emplace(warning->code, warning->message).second) return; // all read the same model
    emit(event);
}

void SampleWatch::mergeState(int rank, const StateEvent& state) {
    if (state.state != kSampling) {
        // All load, and some are ready before others.
        if ((rank == 0 && !m_samples) || state.state == kWaitsForRoom) emit(state);
        return;
    }
    m_samples = true;
    m_done[rank] = state.done;
    StateEvent all = state;
    all.done = 0;
    for (const auto& [worker, done] : m_done) all.done += done;
    const int64_t count = std::max<int64_t>(m_config.count, 1);
    const int64_t each = std::max<int64_t>(state.total / count, 1);
    all.detail =
        "picture " + std::to_string(std::min(count, all.done / each + 1)) + " of " + std::to_string(count);
    emit(all);
}

void SampleWatch::emit(const Event& event) {
    if (m_json) // a single worker counts its lines itself, from 1 on
        tellEvent(event, m_several ? ++m_seq : 0);
    else
        show(event);
}

void SampleWatch::show(const Event& event) {
    const auto* state = std::get_if<StateEvent>(&event);
    if (state == nullptr || state->state != kSampling) return m_progress.show(event);
    StateEvent counted = *state;
    counted.detail += " (steps and decoding)"; // which counts as one more
    m_progress.show(counted);
}

void SampleWatch::stopping(StopRequest request) {
    if (m_json) return;
    m_progress.note(request == StopRequest::Gently ? "stopping; press Ctrl-C again to stop at once"
                                                   : "stopping at once");
}

void SampleWatch::remember(const PreviewEvent& preview) {
    if (std::filesystem::path(preview.path).filename().native().starts_with('.'))
        m_previews.insert(preview.path);
    else
        m_pictures[preview.index] = preview.path;
}

void SampleWatch::removePreviews() const {
    std::error_code ignored;
    for (const std::string& path : m_previews) std::filesystem::remove(path, ignored);
}

std::vector<std::string> SampleWatch::pictures() const {
    std::vector<std::string> paths;
    for (const auto& [index, path] : m_pictures) paths.push_back(path);
    return paths;
}

void SampleWatch::addKept(OutcomeEvent& outcome) const {
    outcome.resultPaths = pictures();
    outcome.kept = std::to_string(outcome.resultPaths.size()) + " of " + std::to_string(m_config.count) +
                   " pictures are in " + m_config.outputDir;
}

OutcomeEvent SampleWatch::outcomeOfSeveral(const std::vector<RankEnd>& ends) const {
    OutcomeEvent outcome = outcomeOfParts(ends);
    outcome.measured = {};
    for (const RankEnd& one : ends) {
        const ResourceUse used = outcomeOf(one.end).measured;
        outcome.measured.stepSeconds = std::max(outcome.measured.stepSeconds, used.stepSeconds);
        outcome.measured.residentBytes += used.residentBytes;
        outcome.measured.ramBytes += used.ramBytes;
    }
    addKept(outcome);
    if (outcome.result == "done") outcome.kept.clear();
    return outcome;
}

OutcomeEvent SampleWatch::end(const std::vector<RankEnd>& ends) {
    m_progress.finish();
    const bool allSaidIt =
        std::all_of(ends.begin(), ends.end(), [](const RankEnd& one) { return one.end.outcome.has_value(); });
    if (!allSaidIt) removePreviews();
    if (m_several) {
        const OutcomeEvent outcome = outcomeOfSeveral(ends);
        if (m_json) emit(outcome);
        return outcome;
    }
    OutcomeEvent outcome = outcomeOf(ends.front().end);
    if (allSaidIt) return outcome;
    addKept(outcome);
    if (m_json) emit(outcome);
    return outcome;
}

} // namespace homebooth::core
