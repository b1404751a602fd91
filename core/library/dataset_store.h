// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// The folders of captioned pictures that the user works with. Captions live beside the pictures, not here.
// Free functions on the library's thread.
#pragma once

#include "core/base/config/colour.h"
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
    uint32_t backgroundRgb = kWhite; ///< 0xRRGGBB, sRGB; behind transparent parts of its pictures
    friend bool operator==(const DatasetRecord&, const DatasetRecord&) = default;
};

/// By name.
[[nodiscard]] Result<std::vector<DatasetRecord>> loadDatasets(const Library& library);
/// Writes a data set under its folder. Of a known one the name alone is taken over.
[[nodiscard]] Result<void> saveDataset(Library& library, const DatasetRecord& dataset);
/// Gives the data set of this key another folder and name. Errors: BadInput for the folder of another one
[[nodiscard]] Result<void> moveDataset(Library& library, const DatasetRecord& dataset);
[[nodiscard]] Result<void> setDatasetBackground(Library& library, int64_t id, uint32_t rgb);
[[nodiscard]] Result<void> removeDataset(Library& library, int64_t id);

} // namespace homebooth::core
