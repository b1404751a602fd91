// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// metadata.jsonl of a data set: one JSON object a line, which names a picture (`file_name`) and its caption
// (`text`, or the first of a list `texts`).
// Free functions; any thread. Invariant: lines that are not changed keep every byte, changed ones every other
// key; a file that cannot be read, or not understood, is never written.
#pragma once

#include "app/pages/datasets/captions/caption_originals.h"
#include "app/pages/datasets/left_out.h"
#include "core/base/util/result.h"

#include <QMap>
#include <QStringList>

#include <optional>
#include <vector>

namespace homebooth::app {

struct MetadataLine {
    std::string bytes; ///< as they stand, without the line's end
    QString path;      ///< of the picture, absolute, as it is written; empty for a blank line
    QString caption;
    QMap<QString, QString> otherTexts; ///< what else is said of the picture, by key
};

/// The lines of a folder's metadata.jsonl; nothing if there is no such file.
/// Errors: BadInput naming the file, and the line that is no object with a `file_name` within the folder
[[nodiscard]] core::Result<std::optional<std::vector<MetadataLine>>> readMetadata(const QString& folder);

/// Spells the paths of lines as the disk does, which may compose letters and marks otherwise.
void spellAsOnDisk(const QString& folder, std::vector<MetadataLine>& lines);

/// Writes captions into the lines of their pictures; a picture without one gets a line at the end, which goes
/// with a caption that is taken back.
/// @param captions  absolute path, spelled as on the disk, to caption
/// Errors: as readMetadata, and OutOfResources; the file is then as it was
[[nodiscard]] core::Result<void> writeMetadata(const QString& folder, const QMap<QString, QString>& captions,
                                               CaptionOriginals& originals);

/// Takes the lines of pictures out, however their names are composed, into a metadata.jsonl in the folder
/// "left out": with the captions nothing is lost. Without the file there is nothing to do.
/// @param dropped  receives them, added to what is in it; null: nobody asks. Errors: as writeMetadata
[[nodiscard]] core::Result<void> dropFromMetadata(const QString& folder, const QStringList& pictures,
                                                  std::vector<LeftOut::Line>* dropped = nullptr);

/// Puts lines that were taken out back where they were, but for those of pictures that have one by now.
/// Errors: as writeMetadata
[[nodiscard]] core::Result<void> returnToMetadata(const QString& folder,
                                                  const std::vector<LeftOut::Line>& lines);

[[nodiscard]] QString metadataFile(const QString& folder);

} // namespace homebooth::app
