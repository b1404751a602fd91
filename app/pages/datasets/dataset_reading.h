// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading a data set again and again, as who follows its folder does: of all its files those are opened
// that are not what they were.
// Free functions; any thread.
#pragma once

#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_metadata.h"
#include "app/pages/datasets/known_files.h"
#include "core/media/picture_io.h"
#include "core/media/picture_list.h"

#include <QStringList>

#include <memory>
#include <vector>

namespace homebooth::app {

/// What a reading found of a data set's files.
struct DatasetKnown {
    using Lines = std::shared_ptr<const std::vector<MetadataLine>>; ///< null: there is no metadata.jsonl
    KnownFiles<core::FileContent> contents;                         ///< of all that lies in the folder
    KnownFiles<core::PictureInfo> pictures;
    KnownFiles<QString> captions; ///< beside pictures
    KnownFiles<Lines> lines;      ///< of metadata.jsonl, as it is written, without their bytes
};

struct DatasetReading {
    std::vector<DatasetItem> items;
    DatasetKnown known;  ///< for the next one
    QStringList watched; ///< as watchedPaths
};

/// As readDataset. @param before  what the reading before found, of this or of another folder
[[nodiscard]] core::Result<DatasetReading> readDatasetAgain(const QString& folder, const DatasetKnown& before,
                                                            WorkCount& count);

/// The items with what is wrong by now: of those that were broken or missing each is looked at again, with
/// its caption, and tells that its disk answers; the others are as they were.
[[nodiscard]] std::vector<DatasetItem> problemsNow(const QString& folder, std::vector<DatasetItem> items);

} // namespace homebooth::app
