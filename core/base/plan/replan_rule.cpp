// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/replan_rule.h"

#include <algorithm>
#include <cmath>

namespace homebooth::core {

bool ReplanRule::measures() const {
    return m_measuringLeft > 0 || (m_steps >= m_options.fillingSteps && m_steps < m_options.warmUpSteps);
}

ReplanReason ReplanRule::stepEnded(double seconds, int64_t budgetBytes,
                                   std::optional<int64_t> ramBudgetBytes) {
    if (m_steps < m_options.warmUpSteps)
        return ++m_steps == m_options.warmUpSteps ? ReplanReason::WarmUp : ReplanReason::None;
    ++m_sincePlan;
    if (m_measuringLeft > 0) return --m_measuringLeft == 0 ? m_reason : ReplanReason::None;
    m_reason = drift(seconds, budgetBytes, ramBudgetBytes);
    if (m_reason == ReplanReason::LessMemory || m_reason == ReplanReason::LessRam)
        return m_reason; // at once, with the times that are known
    if (m_reason != ReplanReason::None) m_measuringLeft = m_options.measuringSteps;
    return ReplanReason::None;
}

bool ReplanRule::clearlyMore(int64_t bytes, int64_t thanBytes) const {
    return bytes > 0 && static_cast<double>(bytes) > m_options.moreMemory * static_cast<double>(thanBytes);
}

ReplanReason ReplanRule::drift(double seconds, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes) {
    const double off = std::abs(seconds - m_predictedSeconds);
    m_offTime = off > m_options.timeTolerance * m_predictedSeconds ? m_offTime + 1 : 0;
    m_tooLittle = budgetBytes < m_neededBytes ? m_tooLittle + 1 : 0;
    const bool ramLacks = m_neededRamBytes > 0 && ramBudgetBytes && *ramBudgetBytes < m_neededRamBytes;
    m_tooLittleRam = ramLacks ? m_tooLittleRam + 1 : 0;
    m_plenty = m_couldUseMore && clearlyMore(budgetBytes, m_budgetBytes) ? m_plenty + 1 : 0;
    const bool known =
        m_sincePlan < m_lackingSteps && !clearlyMore(budgetBytes, m_lackingBudgetBytes) &&
        !clearlyMore(ramBudgetBytes.value_or(0), m_lackingRamBytes); // with less there is no plan either
    if (!known && m_tooLittle >= m_options.lessMemorySteps) return ReplanReason::LessMemory;
    if (!known && m_tooLittleRam >= m_options.lessMemorySteps) return ReplanReason::LessRam;
    if (m_sincePlan < m_options.restSteps) return ReplanReason::None;
    if (m_offTime >= m_options.timeSteps) return ReplanReason::StepTime;
    return m_plenty >= m_options.moreMemorySteps ? ReplanReason::MoreMemory : ReplanReason::None;
}

void ReplanRule::planned(double predictedSeconds, int64_t neededBytes, int64_t budgetBytes, bool couldUseMore,
                         int64_t neededRamBytes) {
    m_predictedSeconds = predictedSeconds;
    m_neededBytes = neededBytes;
    m_neededRamBytes = neededRamBytes;
    m_budgetBytes = budgetBytes;
    m_couldUseMore = couldUseMore;
    m_lackingSteps = 0;
    countAnew();
}

void ReplanRule::stays(ReplanReason why, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes) {
    countAnew();
    if (why != ReplanReason::LessMemory && why != ReplanReason::LessRam) return;
    m_lackingSteps = std::max(m_options.restSteps, std::min(2 * m_lackingSteps, m_options.longestRestSteps));
    m_lackingBudgetBytes = budgetBytes;
    m_lackingRamBytes = ramBudgetBytes.value_or(0);
}

void ReplanRule::countAnew() {
    m_sincePlan = m_offTime = m_tooLittle = m_tooLittleRam = m_plenty = m_measuringLeft = 0;
}

PlanDecision decisionOf(ReplanReason reason) {
    switch (reason) {
    case ReplanReason::None:
        break;
    case ReplanReason::WarmUp:
        return {"planned again: the first steps have been measured", "again-measured"};
    case ReplanReason::StepTime:
        return {"planned again: steps take longer or shorter than planned", "again-step-time"};
    case ReplanReason::LessMemory:
        return {"planned again: there is less free memory than planned", "again-less-memory"};
    case ReplanReason::LessRam:
        return {"planned again: there is less free RAM than planned", "again-less-ram"};
    case ReplanReason::MoreMemory:
        return {"planned again: there is more free memory than planned", "again-more-memory"};
    }
    return {"planned again: nothing has changed"};
}

} // namespace homebooth::core
