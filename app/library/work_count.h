// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far work on many files is, and the wish to stop it: shared by the thread that works and the window.
// Any thread.
#pragma once

#include <atomic>

namespace homebooth::app {

struct WorkCount {
    std::atomic<int> done{0};
    std::atomic<int> total{0}; ///< 0: not known yet
    std::atomic<bool> stopped{false};
};

} // namespace homebooth::app
