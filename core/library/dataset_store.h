// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folders of captioned pictures that the user works with. Captions live beside the pictures, not here.
// Free functions on the library's thread.
#pragma once

#include "core/library/library.h"

#include <cstdint>
#include <string>
#include <vector>

namespace homebooth::core {

struct DatasetRecord {
    int64_t id = 0;
    std::string name;
    std::string folder;
    int64_t createdMs = 0;
    friend bool operator==(const DatasetRecord&, const DatasetRecord&) = default;
};

/// By name.
[[nodiscard]] Result<std::vector<DatasetRecord>> loadDatasets(const Library& library);
/// Writes a data set under its folder, new or known.
[[nodiscard]] Result<void> saveDataset(Library& library, const DatasetRecord& dataset);
/// Gives the data set of this key another folder and name. Errors: BadInput for the folder of another one
[[nodiscard]] Result<void> moveDataset(Library& library, const DatasetRecord& dataset);
[[nodiscard]] Result<void> removeDataset(Library& library, int64_t id);

} // namespace homebooth::core
