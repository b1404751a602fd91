// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of training passes goes, block by block. Filled by the executor where somebody asks for it;
// on a GPU that makes it wait for what it computes at every block, so only steps that are measured do so.
// One thread.
#pragma once

#include <c10/core/Device.h>

#include <chrono>
#include <vector>

namespace homebooth::core {

/// Seconds of one node.
struct TurnSeconds {
    double forward = 0.0;
    double backward = 0.0;
    /// In its gradients' sink: updates, where they happen inside backward; and before it computes, until what
    /// others left has room in RAM.
    double handOver = 0.0;
};

/// Sums over passes.
struct BlockTimes {
    std::vector<TurnSeconds> nodes; ///< as in Schedule::nodes
    double waitingSeconds = 0.0;    ///< for parameters on their way
    int passes = 0;
};

/// Adds what passes between its construction and its end to a sum.
class TimedScope {
public:
    /// @param sum  null: nobody asks
    TimedScope(double* sum, at::Device device);
    ~TimedScope();
    TimedScope(const TimedScope&) = delete;
    TimedScope& operator=(const TimedScope&) = delete;

private:
    double* m_sum;
    at::Device m_device;
    std::chrono::steady_clock::time_point m_start;
};

} // namespace homebooth::core
