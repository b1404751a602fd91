// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A data set on the disk: pictures with a .txt or .caption beside each, or a metadata.jsonl that names them.
// Free functions; any thread.
#pragma once

#include "app/library/work_count.h"
#include "app/pages/datasets/captions/caption_originals.h"
#include "core/base/files/file_look.h"
#include "core/base/files/file_names.h"
#include "core/base/util/result.h"

#include <QMap>
#include <QString>

#include <vector>

namespace homebooth::app {

struct LeftOut;

struct DatasetItem {
    QString path;
    QString caption;
    bool listed = false;               ///< metadata.jsonl has its caption, or would have it
    QMap<QString, QString> otherTexts; ///< of metadata.jsonl, by key, beside the caption
    int widthPixels = 0;               ///< 0: the file cannot be read
    int heightPixels = 0;
    QString problem;          ///< why; empty for whole pictures
    QString guessedCaption;   ///< what it may say, where that is the problem; empty: it is another one
    bool missing = false;     ///< named by metadata.jsonl or by a caption's file, but not there
    core::FileIdentity file;  ///< as it was read
    bool transparent = false; ///< has a channel of transparency
    /// Whether something behind it is learned.
    [[nodiscard]] bool seeThrough() const { return transparent && problem.isEmpty(); }
    /// Whether another copy of the picture would mend it.
    [[nodiscard]] bool wantsCopy() const { return missing || widthPixels == 0; }
    friend bool operator==(const DatasetItem&, const DatasetItem&) = default;
};

/// The pictures of a folder with their captions, in natural order; then what is broken, what metadata.jsonl
/// names further down, and what is missing. A caption that cannot be read is a problem of its picture.
/// @param count  pictures of the folder and what else metadata.jsonl names, each with its caption; null:
/// nobody asks. Stopped, what was read by then is what there is
/// Errors: BadInput for the folder, for one that is gone (`saysGone`) or holds shards alone (`saysShards`),
/// or for a metadata.jsonl that is not understood
[[nodiscard]] core::Result<std::vector<DatasetItem>> readDataset(const QString& folder,
                                                                 WorkCount* count = nullptr);

/// Where the caption of a picture lies if it has one beside it. @param names  as core::captionFileOf
[[nodiscard]] QString captionFile(const QString& picture, core::FileNames& names);

/// How many files a folder has whose names end as those of pictures do: a quick look, none of them is opened.
[[nodiscard]] int countPictures(const QString& folder);

/// Whether a folder was refused because it holds WebDataset shards alone: they can be trained on, but neither
/// shown nor edited here.
[[nodiscard]] bool saysShards(const core::Error& error);

/// Whether a folder could not be read because there is nothing of that name: its drive may be away, or it has
/// another place by now.
[[nodiscard]] bool saysGone(const core::Error& error);

/// Writes captions back to where the engine reads them. @param captions  path to caption
/// @param originals  of this folder, as the last call left them: what is taken back becomes as it was
/// Errors: OutOfResources; BadInput for a file that cannot be read or not understood, which stays as it is,
/// and for a picture whose name is in another coding, where several are shown alike or metadata.jsonl would
/// have to name it
[[nodiscard]] core::Result<void> writeCaptions(const QString& folder, const QMap<QString, QString>& captions,
                                               CaptionOriginals& originals);

/// The captions that pictures have on the disk, by path. @param captions  path to the caption that shall be:
/// what nobody can read for sure, but most likely says that, counts as none
/// Errors: as writeCaptions, and BadInput for a folder that is gone
[[nodiscard]] core::Result<QMap<QString, QString>> captionsNow(const QString& folder,
                                                               const QMap<QString, QString>& captions);

/// Copies missing pictures, and broken ones, into the folder from wherever below `search` a whole file of
/// that name lies. A broken one is moved into "left out" before.
/// @param count  pictures that were found, of those that are wanted; null: nobody asks. Stopped, those that
/// were found by then stay. @returns how many were found
[[nodiscard]] int findMissing(const QString& folder, const std::vector<DatasetItem>& items,
                              const QString& search, WorkCount* count = nullptr);

/// What tells of changes to a dataset when it is watched: its folders, pictures and captions. Looks at the
/// disk where there are items.
[[nodiscard]] QStringList watchedPaths(const QString& folder, const std::vector<DatasetItem>& items);

/// Takes what is broken or missing out: its files are moved into the folder "left out" beside the pictures,
/// its lines of metadata.jsonl into one in there. What belongs to a picture goes with it: its captions,
/// and masks of other programs, which would be pictures then; but not what another picture has as well.
/// @param out  receives what went, added to what is in it; null: nobody asks
/// Errors: OutOfResources; BadInput; both also for what could not be moved: all the rest is out then
[[nodiscard]] core::Result<void>
leaveOutProblems(const QString& folder, const std::vector<DatasetItem>& items, LeftOut* out = nullptr);

/// How many captions have something that `replaceWords` would replace.
[[nodiscard]] int captionsToReplace(const std::vector<DatasetItem>& items, const QString& find);

/// `text` with every `find` replaced, whole words only where `find` is a word.
[[nodiscard]] QString replaceWords(const QString& text, const QString& find, const QString& replace);

} // namespace homebooth::app
