// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What of a drop is not taken, and what to say of it: nothing is lost without a word.
// Free functions; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace homebooth::app {

/// What a file is that is no photo for us, by its name.
enum class OtherFile {
    Beside, ///< a caption or what a camera keeps beside its photos: nothing to be told
    Raw,
    Picture, ///< of a kind that is not read
    Film,
    Mask, ///< of another program, beside its picture
    Archive,
    Unfinished, ///< some program downloads it, or gave up
    Weights,    ///< of a kind that is not read
    Elsewhere,  ///< on a phone or another machine
    Named,      ///< a picture whose name is in no encoding that we know
    Unknown,
};

struct FileNotTaken {
    QString name;
    OtherFile kind = OtherFile::Unknown;
};

/// A folder with pictures that lies in one that was taken as it is, or deeper than is looked.
struct FolderNotTaken {
    QString path;
    int pictures = 0;
};

struct DropRest {
    std::vector<FolderNotTaken> folders;
    QStringList
        models; ///< in a folder that was taken for its pictures or those of folders in it; else deeper
    QStringList photos; ///< that came with models, which alone were wanted
    std::vector<FileNotTaken> files;
    bool ofComfy = false; ///< the one picture's settings are ComfyUI's, and cannot be read
    [[nodiscard]] bool empty() const {
        return folders.empty() && models.isEmpty() && photos.isEmpty() && files.empty() && !ofComfy;
    }
    [[nodiscard]] QStringList folderPaths() const;
};

[[nodiscard]] OtherFile otherFile(const QString& name);

/// Plain sentences: how many photos and files, which, and what to do with a file. Empty: all was taken.
[[nodiscard]] QString restText(const DropRest& rest);

} // namespace homebooth::app
