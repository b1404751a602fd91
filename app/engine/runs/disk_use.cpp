// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/disk_use.h"

#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/system/disk_facts.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QStorageInfo>

#include <algorithm>

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

QString momentsOfRun(const QString& folder) {
    return folder + QStringLiteral("/checkpoints");
}

std::string checkpointsOf(const QString& runFolder) {
    return momentsOfRun(runFolder).toStdString();
}

/// @param before  as it was known, which saves looking for its name
DiskName diskAt(const QString& path, const DiskName& before = {}) {
    const auto facts = core::diskFacts(path.toStdString());
    if (!facts) return {};
    if (facts->device == before.device) return before;
    return {facts->device, QStorageInfo(QString::fromStdString(facts->path)).displayName()};
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
    disk.disk = diskAt(momentsOfRun(runFolder));
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
        const bool older = !rolling && kept >= kKept && !core::isFavourite(entry.path);
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
    if (!same) return diskOf(runFolder);
    RunDisk disk = before;
    disk.disk = diskAt(momentsOfRun(runFolder), before.disk); // its number may be another one
    return disk;
}

std::vector<Prunable> prunableOf(const QHash<QString, RunDisk>& runs) {
    std::vector<Prunable> all;
    for (auto run = runs.cbegin(); run != runs.cend(); ++run) {
        if (run->prunableBytes <= 0) continue;
        auto found = std::find_if(all.begin(), all.end(), [&run](const Prunable& one) {
            return one.disk.device == run->disk.device;
        });
        if (found == all.end()) found = all.insert(all.end(), Prunable{run->disk, {}});
        found->folders.append(run.key());
        found->bytes += run->prunableBytes;
        found->moments += run->prunableMoments;
    }
    for (Prunable& one : all)
        std::sort(one.folders.begin(), one.folders.end(), [&runs](const QString& a, const QString& b) {
            const qint64 frees = runs.value(a).prunableBytes;
            const qint64 others = runs.value(b).prunableBytes;
            return frees != others ? frees > others : a < b;
        });
    std::sort(all.begin(), all.end(), [](const Prunable& a, const Prunable& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.disk.device < b.disk.device;
    });
    return all;
}

DiskName fullDiskOf(const QString& folder) {
    const auto own = core::diskFacts(folder.toStdString());
    const auto moments = core::diskFacts(checkpointsOf(folder));
    const bool elsewhere = own && moments && moments->freeBytes < own->freeBytes;
    return diskAt(elsewhere ? momentsOfRun(folder) : folder);
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
