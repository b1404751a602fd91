// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/disk_cache.h"

#include <QDateTime>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <vector>

namespace homebooth::app {
namespace {

constexpr qint64 kMarkAfterMs = 3'600'000;

struct CachedFile {
    QString path;
    qint64 bytes = 0;
    qint64 usedMs = 0;
};

} // namespace

void markUsed(const QString& path) {
    const QDateTime now = QDateTime::currentDateTime();
    const qint64 before = QFileInfo(path).lastModified().toMSecsSinceEpoch();
    if (qAbs(now.toMSecsSinceEpoch() - before) < kMarkAfterMs) return; // a clock may have been set back
    QFile file(path);
    if (file.open(QIODevice::ReadWrite | QIODevice::ExistingOnly))
        file.setFileTime(now, QFileDevice::FileModificationTime);
}

qint64 keepUsedLast(const QString& folder, qint64 bytes) {
    std::vector<CachedFile> files;
    qint64 sum = 0;
    QDirIterator found(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks, QDirIterator::Subdirectories);
    while (found.hasNext()) {
        found.next();
        const QFileInfo file = found.fileInfo();
        files.push_back({file.filePath(), file.size(), file.lastModified().toMSecsSinceEpoch()});
        sum += file.size();
    }
    if (sum <= bytes) return sum;
    std::sort(files.begin(), files.end(),
              [](const CachedFile& a, const CachedFile& b) { return a.usedMs < b.usedMs; });
    for (const CachedFile& file : files) {
        if (sum <= bytes) break;
        if (QFile::remove(file.path)) sum -= file.bytes;
    }
    return sum;
}

} // namespace homebooth::app
