// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder in which the ranks of one machine meet: private (0700), gone with this object. It is locked as
// long as its owner lives; the next one removes what a killed one has left. One thread.
#pragma once

#include "core/base/files/descriptor.h"
#include "core/base/util/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

class MeetingFolder {
public:
    MeetingFolder() = default;
    ~MeetingFolder();
    MeetingFolder(const MeetingFolder&) = delete;
    MeetingFolder& operator=(const MeetingFolder&) = delete;

    /// Errors: OutOfResources, BadInput where no folder can be made
    [[nodiscard]] Result<void> make();

    /// How the names of files begin in which ranks meet.
    [[nodiscard]] std::string file() const { return m_path + "/meeting"; }

    /// What tells a worker that it is one of several ranks, and where they meet; nothing where it is alone.
    [[nodiscard]] std::vector<std::string> argumentsOf(int64_t rank, int64_t ranks) const;

private:
    std::string m_path; // empty: it was not made
    Descriptor m_lock;
};

} // namespace homebooth::core
