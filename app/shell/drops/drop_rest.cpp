// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/drops/drop_rest.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace homebooth::app {
namespace {

struct DropWords {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::DropWords)
};

constexpr qsizetype kMostNamed = 5; // a longer list is read by nobody

/// With what to do.
QString reason(OtherFile kind) {
    switch (kind) {
    case OtherFile::Raw:
        return DropWords::tr("a raw photo: save it as JPEG");
    case OtherFile::Picture:
        return DropWords::tr("save it as JPEG or PNG");
    case OtherFile::Film:
        return DropWords::tr("a film: save pictures of it");
    case OtherFile::Mask:
        return DropWords::tr("a mask, which is not used here");
    case OtherFile::Archive:
        return DropWords::tr("unpack it first");
    case OtherFile::Unfinished:
        return DropWords::tr("not finished downloading");
    case OtherFile::Weights:
        return DropWords::tr("look for a .safetensors version");
    case OtherFile::Elsewhere:
        return DropWords::tr("copy it to this computer first");
    case OtherFile::Named:
        return DropWords::tr("its name cannot be read: rename it");
    default:
        return DropWords::tr("no picture");
    }
}

QString listed(QStringList names) {
    const qsizetype more = names.size() - kMostNamed;
    if (more > 0) names = names.mid(0, kMostNamed) + QStringList{QString(QChar(0x2026))};
    return names.join(QStringLiteral(", "));
}

QString foldersText(const std::vector<FolderNotTaken>& folders) {
    int photos = 0;
    QStringList names;
    for (const FolderNotTaken& folder : folders) {
        photos += folder.pictures;
        names.append(QFileInfo(folder.path).fileName());
    }
    return DropWords::tr("%n photo(s) in folders within it were not taken: %1.", nullptr, photos)
        .arg(listed(names));
}

QString listedFiles(const QStringList& paths) {
    QStringList names;
    for (const QString& path : paths) names.append(QFileInfo(path).fileName());
    return listed(names);
}

QString modelsText(const QStringList& models) {
    return DropWords::tr("%n model(s) were not imported: %1.", nullptr, static_cast<int>(models.size()))
        .arg(listedFiles(models));
}

QString photosText(const QStringList& photos) {
    return DropWords::tr("%n photo(s) were not taken: %1.", nullptr, static_cast<int>(photos.size()))
        .arg(listedFiles(photos));
}

QString filesText(const std::vector<FileNotTaken>& files) {
    QStringList names;
    for (const FileNotTaken& file : files)
        names.append(QStringLiteral("%1 (%2)").arg(file.name, reason(file.kind)));
    return DropWords::tr("%n file(s) were not taken: %1.", nullptr, static_cast<int>(files.size()))
        .arg(listed(names));
}

} // namespace

QStringList DropRest::folderPaths() const {
    QStringList paths;
    for (const FolderNotTaken& folder : folders) paths.append(folder.path);
    return paths;
}

OtherFile otherFile(const QString& name) {
    struct Kind {
        OtherFile kind;
        const char* endings; ///< each between blanks
    };
    static constexpr Kind kKinds[]{
        {OtherFile::Beside, " txt caption json jsonl xmp aae npz csv md db ini thm html "},
        {OtherFile::Raw, " cr2 cr3 crw nef nrw arw srf sr2 dng raf orf rw2 pef srw raw rwl 3fr iiq x3f erf "
                         "mef mos kdc dcr "},
        {OtherFile::Picture, " psd psb jp2 j2k jpx jxl tga exr hdr xcf svg ai eps ico pcx ppm pgm kra jxr "},
        {OtherFile::Film, " mov mp4 avi mkv webm m4v 3gp mts "},
        {OtherFile::Archive, " zip rar 7z gz tgz bz2 xz tar "},
        {OtherFile::Unfinished, " part crdownload download aria2 partial incomplete opdownload "},
        {OtherFile::Weights, " pth pkl gguf onnx h5 msgpack "}};
    const QString ending = ' ' + QFileInfo(name).suffix().toLower() + ' ';
    const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&ending](const Kind& one) {
        return QLatin1String(one.endings).contains(ending);
    });
    return found == std::end(kKinds) ? OtherFile::Unknown : found->kind;
}

QString restText(const DropRest& rest) {
    QStringList sentences;
    if (!rest.folders.empty()) sentences.append(foldersText(rest.folders));
    if (!rest.models.isEmpty()) sentences.append(modelsText(rest.models));
    if (!rest.photos.isEmpty()) sentences.append(photosText(rest.photos));
    if (!rest.files.empty()) sentences.append(filesText(rest.files));
    if (rest.ofComfy)
        sentences.append(DropWords::tr("The picture was made with ComfyUI: its settings cannot be read."));
    return sentences.join(' ');
}

} // namespace homebooth::app
