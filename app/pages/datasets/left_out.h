// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was taken out of a dataset, so that it can be taken back. A value; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace homebooth::app {

struct LeftOut {
    struct File {
        std::filesystem::path from;
        std::filesystem::path to; ///< in the folder "left out"
    };
    struct Line {
        size_t at = 0; ///< its number from 0, in metadata.jsonl as it was before
        std::string bytes;
    };
    std::vector<File> files; ///< in the order in which they went
    std::vector<Line> lines; ///< in that of the file
};

} // namespace homebooth::app
