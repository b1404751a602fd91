// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Files by names whose letters and marks may be composed otherwise than on the disk: a Mac takes them apart,
// and what it packed is unpacked like that.
// A value for one thread and one piece of work: each folder in which a name is sought is listed once.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

namespace homebooth::core {

class FileNames {
public:
    /// `folder` / `name`, spelled as it is on the disk; as given where nothing is called so there, or where
    /// several things are and none of them exactly, and where it is no UTF-8.
    [[nodiscard]] std::filesystem::path find(const std::filesystem::path& folder,
                                             const std::filesystem::path& name);

private:
    using Names = std::unordered_map<std::string, std::string>; // by form C; empty: there are several
    [[nodiscard]] const Names& namesIn(const std::filesystem::path& folder);

    std::unordered_map<std::string, Names> m_folders;
};

} // namespace homebooth::core
