// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engine/parallel/rank_warnings.h"

#include "core/base/run/journal/event_json.h"

#include <map>
#include <sstream>

namespace homebooth::core {
namespace {

std::string linesOf(const std::vector<WarningEvent>& warnings) {
    std::string lines;
    for (const WarningEvent& warning : warnings) lines += toJsonLine({0, "", warning}) + "\n";
    return lines;
}

std::vector<WarningEvent> warningsIn(const std::string& lines) {
    std::vector<WarningEvent> warnings;
    std::istringstream text(lines);
    for (std::string line; std::getline(text, line);)
        if (const auto entry = parseJournalLine(line))
            if (const auto* warning = std::get_if<WarningEvent>(&entry->event)) warnings.push_back(*warning);
    return warnings;
}

/// "rank 1", "ranks 1 and 2", "ranks 1, 2 and 5"
std::string namesOf(const std::vector<size_t>& ranks) {
    std::string names = ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t i = 0; i < ranks.size(); ++i)
        names += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
    return names;
}

} // namespace

void RankWarnings::emit(const Event& event) {
    if (const auto* warning = std::get_if<WarningEvent>(&event)) {
        const std::lock_guard lock(m_mutex);
        const bool isNew = m_said.emplace(warning->code, warning->message).second;
        if (isNew && !m_ranks.isFirst()) m_waiting.push_back(*warning);
    }
    m_next.emit(event);
}

bool RankWarnings::waits() const {
    const std::lock_guard lock(m_mutex);
    return !m_waiting.empty();
}

void RankWarnings::exchange() {
    std::vector<WarningEvent> own;
    {
        const std::lock_guard lock(m_mutex);
        own.swap(m_waiting);
    }
    const std::vector<std::string> all = m_ranks.texts(linesOf(own));
    if (!m_ranks.isFirst()) return;
    std::vector<WarningEvent> found; // in the order in which they were said
    std::map<Said, std::vector<size_t>> sayers;
    for (size_t rank = 1; rank < all.size(); ++rank)
        for (WarningEvent& warning : warningsIn(all[rank])) {
            std::vector<size_t>& ranks = sayers[{warning.code, warning.message}];
            ranks.push_back(rank);
            if (ranks.size() == 1) found.push_back(std::move(warning));
        }
    for (const WarningEvent& warning : found) {
        const Said said{warning.code, warning.message};
        {
            const std::lock_guard lock(m_mutex);
            if (!m_said.insert(said).second) continue;
        }
        m_next.emit(WarningEvent{warning.code, namesOf(sayers[said]) + ": " + warning.message});
    }
}

} // namespace homebooth::core
