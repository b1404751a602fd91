// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The pictures that a training goes on without, as its warnings name them, kept as a list in the run's
// folder:
//
//   left_out.txt   a line each: its path and why (core/base/run/journal/left_out_line.h). Attempts that go on
//                  add to it what is not there yet.
//
// A value; one thread.
#pragma once

#include "core/base/run/journal/left_out_line.h"
#include "core/base/run/run_folder.h"

#include <cstddef>
#include <set>
#include <string>

namespace homebooth::core {

class LeftOut {
public:
    /// Takes what is said of a picture; other warnings are none of its business.
    void take(const WarningEvent& warning);

    /// Writes the list, where there is anything to write.
    /// @returns  how many were left out by this attempt
    /// Errors: BadInput for a file of that name that is no list, System where it cannot be written
    [[nodiscard]] Result<size_t> write(const RunFolder& run) const;

private:
    std::set<std::string> m_lines;
};

} // namespace homebooth::core
