// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/disk_use.h"

#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoints_elsewhere.h"

#include <QDateTime>
#include <QDir>
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

/// All the times together at which something came into a run or its saved moments, or went. Files within
/// are written while it works: then its journal is, too.
qint64 stampOf(const QString& runFolder) {
    qint64 sum = 0;
    const auto look = [&sum](const QFileInfo& entry) { sum += entry.lastModified().toMSecsSinceEpoch(); };
    look(QFileInfo(runFolder));
    for (const QFileInfo& entry : QDir(runFolder).entryInfoList(QDir::AllEntries | QDir::NoDotAndDotDot))
        look(entry);
    for (const core::CheckpointEntry& entry : core::listCheckpoints(checkpointsOf(runFolder)))
        look(QFileInfo(QString::fromStdString(entry.path)));
    return sum;
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
    disk.stamp = stampOf(runFolder); // first: what comes meanwhile is measured the next time
    disk.bytes = sizeOf(runFolder);
    const bool anothers = core::checkpointsAreAnothers(runFolder.toStdString());
    if (const auto elsewhere = core::checkpointsElsewhere(runFolder.toStdString()); elsewhere && !anothers)
        disk.bytes += sizeOf(QString::fromStdString(*elsewhere));
    for (const std::string& before : core::ownCheckpointsBefore(runFolder.toStdString()))
        disk.bytes += sizeOf(QString::fromStdString(before));
    size_t seen = 0; // newest first
    size_t kept = 0; // of them; what the clock saved does not count
    bool newestWhole = true;
    for (const core::CheckpointEntry& entry : core::listCheckpoints(checkpointsOf(runFolder))) {
        const QString folder = QString::fromStdString(entry.path);
        if (!QFileInfo::exists(folder + QStringLiteral("/manifest.json"))) {
            newestWhole = newestWhole && seen > 0;
            continue;
        }
        const qint64 bytes = sizeOf(folder);
        const bool rolling = core::isRolling(entry.path);
        disk.moments += rolling ? 0 : 1;
        disk.momentBytes += bytes;
        const bool older = !rolling && kept >= kKept;
        if (older) ++disk.prunableMoments;
        if (older || (rolling && seen > 0))
            disk.prunableBytes += bytes;
        else if (seen > 0)
            disk.prunableBytes += sizeOf(folder, QStringLiteral("optimizer*"));
        kept += rolling ? 0 : 1;
        ++seen;
    }
    // Nothing goes before the newest is known to be good, and nothing of another run.
    if (!newestWhole || anothers) disk.prunableBytes = disk.prunableMoments = 0;
    return disk;
}

RunDisk diskOf(const QString& runFolder, const RunDisk& before) {
    const bool same = before.stamp != 0 && before.stamp == stampOf(runFolder);
    return same ? before : diskOf(runFolder);
}

core::Result<void> pruneRun(const QString& runFolder) {
    const std::string folder = checkpointsOf(runFolder);
    const std::vector<core::CheckpointEntry> all = core::listCheckpoints(folder);
    if (all.empty()) return {};
    if (core::checkpointsAreAnothers(runFolder.toStdString()))
        return core::badInput("making room: expected saved moments of this training, found those of the one "
                              "that it was copied from; make room there, or let this one go on first",
                              folder);
    HOMEBOOTH_CHECK(core::pruneCheckpoints(folder, all.front().step, kKept, /*pruneOptimizer=*/true));
    return {};
}

} // namespace homebooth::app
