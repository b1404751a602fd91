// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Copies a data set into another folder, picture by picture, each with its caption: what is there when it
// ends early is a data set, too. Free functions; any thread.
#pragma once

#include "app/engine/runs/disk_use.h"
#include "app/library/work_count.h"
#include "core/base/util/result.h"

#include <QStringList>

#include <optional>

namespace homebooth::app {

struct DatasetCopy {
    QString from;
    QString to;
    bool goOn = false;       ///< `to` has a part already, of a copy that met a full disk
    QStringList before = {}; ///< the parts of such a copy elsewhere, which go once this one has ended
};

struct DatasetCopied {
    int pictures = 0; ///< that are in the new folder
    int ofPictures = 0;
    QString to;                   ///< the new folder
    bool stopped = false;         ///< before all of them were
    std::optional<Shortage> full; ///< the disk has no room for the rest; it can go on
};

/// Copies pictures, captions and metadata.jsonl. The new folder must not exist, but where the copy goes on;
/// of pictures that are not copied metadata.jsonl has no lines when it was stopped. When nothing is copied by
/// then there is no new folder. Looks for room before it begins.
/// @param count  pictures; may stop it between two of them
/// Errors: BadInput, OutOfResources; what was copied is then removed again
[[nodiscard]] core::Result<DatasetCopied> copyDataset(const DatasetCopy& copy, WorkCount& count);

/// The same into a folder that is free when it begins: `to`, or with a number behind it where that one is
/// there. It is made at once, so copies that begin together have folders of their own.
/// @param copy  one that does not go on
[[nodiscard]] core::Result<DatasetCopied> copyDatasetWhereFree(DatasetCopy copy, WorkCount& count);

} // namespace homebooth::app
