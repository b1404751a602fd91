// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder that a run works in, known by what it is and not by its path alone: one that was moved, renamed
// or deleted meanwhile must not be made anew, as half of a run. Owned by whoever works on the run; one
// thread.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/run/run_folder.h"

#include <string>
#include <string_view>

namespace homebooth::core {

/// Part of each message about a folder that is not where it was. A deleted one is no exception: one that
/// was moved to another disk looks the same, and memory still holds what was learned.
constexpr const char* kPutRunBack = "back to go on";

class RunPlace {
public:
    /// As it is now.
    explicit RunPlace(const RunFolder& run);

    /// Whether the same folder is still there, or a copy of it, with its run.json. Errors: BadInput, with
    /// where it is now
    [[nodiscard]] Result<void> there() const;

    /// Whether what is there is another folder than the one at the beginning: its lock and its journal are
    /// not those that this process holds.
    [[nodiscard]] bool isCopy() const;

private:
    [[nodiscard]] Error awayError() const;

    std::string m_path;
    std::string m_identity; // empty: it cannot be told
    std::string m_byPath;   // the same where folders' numbers do not last: of a network, or copied back
    Descriptor m_folder;    // which knows where it is
    bool m_hasRunFile;
};

/// Whether a message is about a folder that is not there.
[[nodiscard]] bool isOfRunPlace(std::string_view message);

} // namespace homebooth::core
