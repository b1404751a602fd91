// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/plan/training/replan_rule.h"

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
    for (int* count : {&m_sincePlan, &m_deviceLack.since, &m_ramLack.since}) ++*count;
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

/// With less memory than then there is no plan either.
bool ReplanRule::isKnown(const Lack& lack, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes) const {
    return lack.since < lack.steps && !clearlyMore(budgetBytes, lack.budgetBytes) &&
           !clearlyMore(ramBudgetBytes.value_or(0), lack.ramBytes);
}

ReplanReason ReplanRule::drift(double seconds, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes) {
    const double off = std::abs(seconds - m_predictedSeconds);
    m_offTime = off > m_options.timeTolerance * m_predictedSeconds ? m_offTime + 1 : 0;
    m_tooLittle = budgetBytes < m_neededBytes ? m_tooLittle + 1 : 0;
    const bool ramLacks = m_neededRamBytes > 0 && ramBudgetBytes && *ramBudgetBytes < m_neededRamBytes;
    m_tooLittleRam = ramLacks ? m_tooLittleRam + 1 : 0;
    m_plenty = m_couldUseMore && clearlyMore(budgetBytes, m_budgetBytes) ? m_plenty + 1 : 0;
    const int enough = m_options.lessMemorySteps;
    if (m_tooLittle >= enough && !isKnown(m_deviceLack, budgetBytes, ramBudgetBytes))
        return ReplanReason::LessMemory;
    if (m_tooLittleRam >= enough && !isKnown(m_ramLack, budgetBytes, ramBudgetBytes))
        return ReplanReason::LessRam;
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
    m_deviceLack = m_ramLack = {};
    countAnew();
}

void ReplanRule::stays(ReplanReason why, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes) {
    countAnew();
    if (why != ReplanReason::LessMemory && why != ReplanReason::LessRam) return;
    Lack& lack = why == ReplanReason::LessRam ? m_ramLack : m_deviceLack;
    const int steps = std::max(m_options.restSteps, std::min(2 * lack.steps, m_options.longestRestSteps));
    lack = {steps, 0, budgetBytes, ramBudgetBytes.value_or(0)};
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
