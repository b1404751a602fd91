// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows what the workers of a generation say, and remembers the pictures for those that cannot say any more
// what they made. The lines of a single worker are passed on as they are; those of several become one stream,
// with one progress and one outcome, whose pictures stand in the order in which one process makes them.
// Owned by the verb; one thread.
#pragma once

#include "core/base/config/sample_config.h"
#include "core/base/run/journal/progress.h"
#include "core/cli/worker/worker_process.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {

class SampleWatch {
public:
    /// @param config   of the job; borrowed
    /// @param several  more than one process was asked for, whether or not there are so many
    /// @param json     print journal lines instead of progress
    SampleWatch(const SampleConfig& config, bool several, bool json);

    /// A line of a worker.
    void take(int rank, const std::string& line, const std::optional<JournalEntry>& entry);
    /// Of the preparation, before the first line of a worker.
    void warn(const WarningEvent& warning) { merge(0, warning); }
    void stopping(StopRequest request);

    /// How all of it ended, after the last line.
    [[nodiscard]] OutcomeEvent end(const std::vector<RankEnd>& ends);

private:
    void merge(int rank, const Event& event);
    void mergeState(int rank, const StateEvent& state);
    /// An event of the one stream.
    void emit(const Event& event);
    void show(const Event& event);
    void remember(const PreviewEvent& preview);
    /// Previews that killed workers left.
    void removePreviews() const;
    [[nodiscard]] std::vector<std::string> pictures() const;
    [[nodiscard]] OutcomeEvent outcomeOfSeveral(const std::vector<RankEnd>& ends) const;
    void addKept(OutcomeEvent& outcome) const;

    const SampleConfig& m_config;
    bool m_several;
    bool m_json;
    Progress m_progress;
    int64_t m_seq = 0;
    bool m_samples = false;                                 // a picture was begun
    std::map<int, int64_t> m_done;                          // steps of each worker
    std::set<std::pair<std::string, std::string>> m_warned; // code, message
    std::map<int64_t, std::string> m_pictures;              // by their place in the job
    std::set<std::string> m_previews;
};

} // namespace homebooth::core
