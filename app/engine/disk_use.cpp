// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/disk_use.h"

#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoints_elsewhere.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QStorageInfo>

namespace homebooth::app {
namespace {

constexpr size_t kKept = 2;

qint64 sizeOf(const QString& folder, const QString& names = QStringLiteral("*")) {
    qint64 bytes = 0;
    QDirIterator files(folder, {names}, QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes += files.fileInfo().size();
    }
    return bytes;
}

std::string checkpointsOf(const QString& runFolder) {
    return (runFolder + QStringLiteral("/checkpoints")).toStdString();
}

} // namespace

qint64 diskBytesOf(const QString& path) {
    const QFileInfo file(path);
    return file.isDir() ? sizeOf(path) : file.size();
}

qint64 freeBytesAt(const QString& path) {
    QFileInfo place(path);
    while (!place.exists() && place.path() != place.filePath()) place = QFileInfo(place.path());
    const QStorageInfo disk(place.filePath());
    return disk.isValid() && disk.isReady() ? disk.bytesAvailable() : -1;
}

RunDisk diskOf(const QString& runFolder) {
    RunDisk disk;
    disk.bytes = sizeOf(runFolder);
    if (const auto elsewhere = core::checkpointsElsewhere(runFolder.toStdString()))
        disk.bytes += sizeOf(QString::fromStdString(*elsewhere));
    for (const std::string& before : core::ownCheckpointsBefore(runFolder.toStdString()))
        disk.bytes += sizeOf(QString::fromStdString(before));
    size_t place = 0; // newest first
    bool newestWhole = true;
    for (const core::CheckpointEntry& entry : core::listCheckpoints(checkpointsOf(runFolder))) {
        const QString folder = QString::fromStdString(entry.path);
        if (!QFileInfo::exists(folder + QStringLiteral("/manifest.json"))) {
            newestWhole = newestWhole && place > 0;
            continue;
        }
        const qint64 bytes = sizeOf(folder);
        ++disk.moments;
        disk.momentBytes += bytes;
        if (place >= kKept)
            disk.prunableBytes += bytes;
        else if (place > 0)
            disk.prunableBytes += sizeOf(folder, QStringLiteral("optimizer*"));
        ++place;
    }
    if (!newestWhole) disk.prunableBytes = 0; // nothing goes before the newest is known to be good
    return disk;
}

core::Result<void> pruneRun(const QString& runFolder) {
    const std::string folder = checkpointsOf(runFolder);
    const std::vector<core::CheckpointEntry> all = core::listCheckpoints(folder);
    if (all.empty()) return {};
    HOMEBOOTH_CHECK(core::pruneCheckpoints(folder, all.front().step, kKept, /*pruneOptimizer=*/true));
    return {};
}

} // namespace homebooth::app
