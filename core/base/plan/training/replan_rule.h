// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// When the step of a run is planned anew.
//
//   warming up --(as many steps as were asked for)--> planned --(drift, several times in a row)--> measuring
//                                                        ^                                            |
//                                                        +-------------(two steps later)--------------+
//
// A plan stays for a while whatever happens, but for memory that it needs and that is gone: without such
// hysteresis, a machine on which something else comes and goes would be planned for without end. Where memory
// is gone and no plan needs less, that is looked at again after a rest that is twice as long each time, or
// when there is clearly more memory than then; that the other memory is gone is looked at meanwhile. One
// thread.
#pragma once

#include "core/base/run/journal/event.h"

#include <cstdint>
#include <optional>

namespace homebooth::core {

enum class ReplanReason : uint8_t { None, WarmUp, StepTime, LessMemory, LessRam, MoreMemory };

struct ReplanOptions {
    int warmUpSteps = 3;         ///< measured, but for those that fill caches
    int fillingSteps = 1;        ///< of them, the first ones
    int measuringSteps = 2;      ///< before a plan that follows a drift
    double timeTolerance = 0.25; ///< of the predicted step time
    int timeSteps = 5;           ///< beyond it, in a row
    int lessMemorySteps = 2;     ///< with less than the plan needs, on the device or in RAM, in a row
    double moreMemory = 1.25;    ///< times what the plan was made for
    int moreMemorySteps = 20;    ///< with that much, in a row
    int restSteps = 20;          ///< without a new plan, after one
    int longestRestSteps = 1280; ///< where memory is gone and no plan needs less
};

class ReplanRule {
public:
    explicit ReplanRule(ReplanOptions options = {})
        : m_options(options) {}

    /// Whether the coming step is to be measured block by block.
    [[nodiscard]] bool measures() const;

    /// A step has ended. @param budgetBytes     that it may take as the machine stands now
    /// @param ramBudgetBytes  the same of RAM, where that is a tier of its own
    /// @returns  why a plan is due now: its measurements are complete
    [[nodiscard]] ReplanReason stepEnded(double seconds, int64_t budgetBytes,
                                         std::optional<int64_t> ramBudgetBytes = {});

    /// What holds from now on. @param couldUseMore    with more memory it would be another plan
    /// @param neededRamBytes  where RAM is a tier of its own; 0: whatever RAM is left will do
    void planned(double predictedSeconds, int64_t neededBytes, int64_t budgetBytes, bool couldUseMore,
                 int64_t neededRamBytes = 0);

    /// A plan was due, and there is no other one: the present one goes on.
    /// @param budgetBytes, ramBudgetBytes  as for stepEnded
    void stays(ReplanReason why, int64_t budgetBytes, std::optional<int64_t> ramBudgetBytes = {});

private:
    /// That one of the memories is gone, and no plan needs less of it.
    struct Lack {
        int steps = 0;           ///< after which it is planned for again; 0: at once
        int since = 0;           ///< steps since it was found
        int64_t budgetBytes = 0; ///< then
        int64_t ramBytes = 0;
    };

    [[nodiscard]] bool isKnown(const Lack& lack, int64_t budgetBytes,
                               std::optional<int64_t> ramBudgetBytes) const;
    [[nodiscard]] ReplanReason drift(double seconds, int64_t budgetBytes,
                                     std::optional<int64_t> ramBudgetBytes);
    [[nodiscard]] bool clearlyMore(int64_t bytes, int64_t thanBytes) const;
    void countAnew();

    ReplanOptions m_options;
    int m_steps = 0;         // since the beginning, as far as they matter
    int m_measuringLeft = 0; // steps until a plan for m_reason
    ReplanReason m_reason = ReplanReason::None;
    int m_sincePlan = 0;
    int m_offTime = 0; // in a row
    int m_tooLittle = 0;
    int m_tooLittleRam = 0;
    int m_plenty = 0;
    double m_predictedSeconds = 0.0;
    int64_t m_neededBytes = 0;
    int64_t m_neededRamBytes = 0;
    int64_t m_budgetBytes = 0;
    bool m_couldUseMore = false;
    Lack m_deviceLack;
    Lack m_ramLack;
};

/// For the journal: "planned again: steps take longer or shorter than planned".
[[nodiscard]] PlanDecision decisionOf(ReplanReason reason);

} // namespace homebooth::core
