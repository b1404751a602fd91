// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures without a caption, counted, with the names of the first. Where they may be left out, they are
// broken ones, too. One thread; the list of broken ones must outlive it.
#pragma once

#include "core/base/util/result.h"
#include "core/engine/data/broken_pictures.h"

#include <cstddef>
#include <string>

namespace homebooth::core {

class MissingCaptions {
public:
    explicit MissingCaptions(BrokenPictures& broken)
        : m_broken(broken) {}

    void add(const std::string& name);

    /// Errors: BadInput if there are any, but where they may be left out and others have one
    /// @param advice  what to do about it
    [[nodiscard]] Result<void> settle(const std::string& advice, const std::string& folder,
                                      bool someHaveOne) const;

private:
    BrokenPictures& m_broken;
    size_t m_count = 0;
    std::string m_names;
};

} // namespace homebooth::core
