// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Masks and the like of other programs, by the pictures of a dataset that they stand beside.
// A value for one thread and one piece of work: each folder in which one is sought is listed once.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace homebooth::app {

struct DatasetItem;

class MasksBeside {
public:
    /// @param items  of the dataset: their pictures that are whole keep their masks
    explicit MasksBeside(const std::vector<DatasetItem>& items);

    /// Those beside a picture that is broken or missing; none where a whole picture has them as well.
    /// What is called like a mask but has a caption is a picture.
    [[nodiscard]] std::vector<std::filesystem::path> of(const std::filesystem::path& picture);

private:
    using Masks = std::unordered_multimap<std::string, std::filesystem::path>; ///< by stems of pictures
    [[nodiscard]] const Masks& masksIn(const std::filesystem::path& folder);

    std::unordered_set<std::string> m_whole;     ///< pictures that stay, without their endings
    std::unordered_set<std::string> m_captioned; ///< of these, those with a caption
    std::unordered_map<std::string, Masks> m_folders;
};

} // namespace homebooth::app
