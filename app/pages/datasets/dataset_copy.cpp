// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/datasets/dataset_copy.h"

#include "app/engine/places.h"
#include "app/library/file_copy.h"
#include "app/pages/datasets/dataset_files.h"
#include "app/pages/datasets/dataset_metadata.h"

#include <QDir>
#include <QFileInfo>

#include <utility>
#include <vector>

namespace homebooth::app {
namespace {

/// A picture, and before it its caption: where the picture is, both are.
struct Part {
    std::vector<std::pair<QString, QString>> files; ///< from, to
    qint64 bytes = 0;
    bool copied = false;
    [[nodiscard]] const QString& target() const { return files.back().second; }
};

bool isFull(const core::Error& error) {
    return error.code == core::ErrorCode::OutOfResources;
}

core::Result<void> copyPart(const Part& part) {
    for (const auto& [from, to] : part.files) HOMEBOOTH_CHECK(copyFile(from, to));
    return {};
}

std::vector<Part> partsOf(const DatasetCopy& copy, const std::vector<DatasetItem>& items) {
    std::vector<Part> parts;
    core::FileNames names;
    const auto add = [&copy](Part& part, const QString& file) {
        const QFileInfo info(file);
        if (!info.isFile()) return;
        part.files.emplace_back(file, copy.to + file.mid(copy.from.size()));
        part.bytes += info.size();
    };
    for (const DatasetItem& item : items) {
        if (item.missing) continue;
        Part part;
        add(part, captionFile(item.path, names));
        add(part, item.path);
        if (part.files.empty() || part.files.back().first != item.path) continue; // gone since
        const QFileInfo there(part.target());
        part.copied = copy.goOn && there.isFile() && there.size() == QFileInfo(item.path).size();
        parts.push_back(std::move(part));
    }
    return parts;
}

Shortage shortageOf(const DatasetCopy& copy, const std::vector<Part>& parts) {
    Shortage shortage{0, freeBytesAt(copy.to)};
    for (const Part& part : parts)
        if (!part.copied) shortage.neededBytes += part.bytes;
    return shortage;
}

core::Result<void> copyParts(const DatasetCopy& copy, std::vector<Part>& parts, WorkCount& count) {
    const QFileInfo lines(metadataFile(copy.from));
    const QFileInfo copied(metadataFile(copy.to));
    // On a disk that is full one that is there would be lost by copying it again.
    const bool there = copy.goOn && copied.isFile() && copied.size() == lines.size();
    if (lines.isFile() && !there) HOMEBOOTH_CHECK(copyFile(lines.filePath(), copied.filePath()));
    for (Part& part : parts) {
        if (!part.copied) {
            if (count.stopped) return {};
            HOMEBOOTH_CHECK(copyPart(part));
            part.copied = true;
        }
        ++count.done;
    }
    return {};
}

/// Makes a data set of what was copied until it was stopped.
core::Result<void> leaveAsDataset(const DatasetCopy& copy, const std::vector<Part>& parts,
                                  const DatasetCopied& copied) {
    if (copied.pictures == 0 && copied.stopped) {
        QDir(copy.to).removeRecursively();
        return {};
    }
    QStringList left;
    for (const Part& part : parts)
        if (!part.copied) left.append(part.target());
    return left.isEmpty() ? core::Result<void>() : dropFromMetadata(copy.to, left);
}

} // namespace

core::Result<DatasetCopied> copyDataset(const DatasetCopy& copy, WorkCount& count) {
    HOMEBOOTH_ASSIGN(const std::vector<DatasetItem> items, readDataset(copy.from));
    if (!copy.goOn && QFileInfo::exists(copy.to))
        return core::badInput("copying a data set: the folder exists already", copy.to.toStdString());
    std::vector<Part> parts = partsOf(copy, items);
    DatasetCopied copied;
    copied.to = copy.to;
    copied.ofPictures = static_cast<int>(parts.size());
    count.total = copied.ofPictures;
    const Shortage before = shortageOf(copy, parts);
    const bool room = before.freeBytes < 0 || before.freeBytes >= before.neededBytes || count.stopped;
    if (room && !makeFolder(copy.to))
        return core::badInput("copying a data set: the folder cannot be made", copy.to.toStdString());
    const auto done = room ? copyParts(copy, parts, count) : core::Result<void>();
    if (!done && !isFull(done.error())) {
        QDir(copy.to).removeRecursively();
        return done.error();
    }
    for (const Part& part : parts) copied.pictures += part.copied ? 1 : 0;
    if (!room || !done) {
        copied.full = shortageOf(copy, parts);
        if (copied.pictures == 0) QDir(copy.to).removeRecursively();
        return copied;
    }
    copied.stopped = copied.pictures < copied.ofPictures;
    HOMEBOOTH_CHECK(leaveAsDataset(copy, parts, copied));
    for (const QString& part : copy.before) QDir(part).removeRecursively();
    return copied;
}

core::Result<DatasetCopied> copyDatasetWhereFree(DatasetCopy copy, WorkCount& count) {
    const QString wanted = copy.to;
    const QDir around(QFileInfo(wanted).path());
    makeFolder(around.path());
    // Making it is what finds out whether it is free: nobody else can make it then.
    int number = 1;
    while (!(copy.goOn = around.mkdir(copy.to)) && QFileInfo::exists(copy.to))
        copy.to = wanted + QStringLiteral(" %1").arg(++number);
    auto copied = copyDataset(copy, count);          // which says why where a folder cannot be made
    if (!copied && copy.goOn) around.rmdir(copy.to); // with nothing in it
    return copied;
}

} // namespace homebooth::app
