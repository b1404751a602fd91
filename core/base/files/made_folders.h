// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folders that a command makes on the way to its output, and takes back when nothing comes of it.
// A value; one thread.
// Invariant: what Homebooth keeps for itself (ownFolders), and what it takes to make that, is the user's
// alone (0700), as the XDG base directory specification has it; all else has what the umask leaves.
#pragma once

#include "core/base/util/result.h"

#include <string>
#include <vector>

namespace homebooth::core {

class MadeFolders {
public:
    /// Makes `folder` and whatever is missing above it; those that existed are left alone.
    /// Errors: BadInput (a file in the way, no permission), OutOfResources; nothing is left then
    [[nodiscard]] static Result<MadeFolders> make(const std::string& folder);

    /// Removes those that were made here and are empty, the deepest first.
    void removeEmpty() const;

private:
    std::vector<std::string> m_made; ///< from the top
};

} // namespace homebooth::core
