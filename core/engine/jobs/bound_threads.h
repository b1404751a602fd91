// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The threads that help the calling one in Torch's loops, each bound to the processors of one memory node, as
// many to each as it has processors. Optimizers on the CPU give each thread the same stretch of every
// parameter and its states at every step, and memory lies on the node of the thread that first wrote there:
// bound, a thread finds it near. Within a node the kernel may move a thread, so that another program on one
// of the cores does not hold up all the others. Free function; the thread that computes.
#pragma once

#include <vector>

namespace homebooth::core {

/// Binds them, but not the calling one, whose affinity the threads that it starts would inherit. Does
/// nothing where there is only one node.
/// @param nodes  as memoryNodes() tells them
/// @param place  of this process among those of the machine that share its cores, from 0
void bindThreads(const std::vector<std::vector<int>>& nodes, int place = 0, int processes = 1);

} // namespace homebooth::core
