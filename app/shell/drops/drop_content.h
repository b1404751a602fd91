// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What somebody dropped, pasted or named on the command line, in Homebooth's terms. Reads names and a few
// bytes, never whole pictures. Free functions; any thread.
#pragma once

#include "app/shell/drops/drop_rest.h"

#include <QString>
#include <QStringList>

#include <vector>

class QImage;
class QMimeData;

namespace homebooth::app {

/// A folder whose pictures carry captions, are packed in shards, or are more than a subject's.
struct DatasetFolder {
    QString path;
    QStringList pictures; ///< not those in folders within it, nor in shards
};

struct DropContent {
    /// Picture files, those of other folders included: what came loose first, then each folder's by itself.
    std::vector<QStringList> subjects;
    std::vector<DatasetFolder> datasets;
    QString folder;         ///< with pictures, where one came and nothing else
    QStringList wordLists;  ///< text files, where there is nothing else
    QStringList models;     ///< models and add-ons
    DropRest rest;          ///< what is not taken of it
    QString parameters;     ///< what a single generated picture says of itself
    bool picture = false;   ///< a picture that came without a file
    bool unusable = false;  ///< there are files or folders, and nothing of them is ours
    bool elsewhere = false; ///< as `isElsewhere` says
    /// Those of all subjects.
    [[nodiscard]] QStringList photos() const;
    [[nodiscard]] bool empty() const {
        return subjects.empty() && datasets.empty() && models.isEmpty() && wordLists.isEmpty() && !picture;
    }
    /// The pictures of datasets, too.
    [[nodiscard]] QStringList allPictures() const;
};

/// Looks at the disk; into the folders of a folder where that has no pictures of its own, but no
/// deeper. Of a folder without any its models are taken, and those in its folders where these have no
/// pictures, either; pictures that show what a model beside them makes are none of its own, unless they
/// have captions.
/// @param paths  may be addresses, too: what lies elsewhere is not taken
[[nodiscard]] DropContent dropContentOf(const QStringList& paths);

/// Files and folders that were chosen as models; in place of a folder that is none those in it.
[[nodiscard]] QStringList modelsOf(const QStringList& paths);

/// Local files of dropped or pasted data. What lies on other machines is not fetched.
[[nodiscard]] QStringList localPathsOf(const QMimeData& data);

/// The same, and beside them the addresses of what lies elsewhere.
[[nodiscard]] QStringList pathsOf(const QMimeData& data);

/// Whether all of it lies on a phone or another machine, and no picture came with it.
[[nodiscard]] bool isElsewhere(const QMimeData& data);

/// What the bytes of a generated picture's file say of it; empty where they are none.
[[nodiscard]] QString parametersOf(const QByteArray& png);

/// Writes a picture that came without a file. @returns its path; empty if that failed
[[nodiscard]] QString savePicture(const QImage& picture, const QString& folder);

/// What a picture takes as the file that `savePicture` writes.
[[nodiscard]] qint64 pictureBytes(const QImage& picture);

/// Whether the data may hold anything for us; quick enough for drag events.
[[nodiscard]] bool maybeOurs(const QMimeData& data);

} // namespace homebooth::app
