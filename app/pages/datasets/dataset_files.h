// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A data set on the disk: pictures with a .txt beside each, or a metadata.jsonl that names them.
// Free functions; any thread.
#pragma once

#include "core/base/util/result.h"

#include <QMap>
#include <QString>

#include <vector>

namespace homebooth::app {

struct DatasetItem {
    QString path;
    QString caption;
    int widthPixels = 0; ///< 0: the file cannot be read
    int heightPixels = 0;
    QString problem; ///< why; empty for whole pictures
    friend bool operator==(const DatasetItem&, const DatasetItem&) = default;
};

/// The pictures of a folder with their captions, in natural order. Errors: BadInput for the folder
[[nodiscard]] core::Result<std::vector<DatasetItem>> readDataset(const QString& folder);

/// Writes captions back to where the engine reads them. @param captions  path to caption
[[nodiscard]] core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions);

/// `text` with every `find` replaced, whole words only where `find` is a word.
[[nodiscard]] QString replaceWords(const QString& text, const QString& find, const QString& replace);

} // namespace homebooth::app
