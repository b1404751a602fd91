// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_hash_cache.h"

#include <QDateTime>
#include <QDirIterator>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QStringList>

namespace homebooth::app {
namespace {

struct Known {
    QString stamp;
    ModelHash hash;
};

QString stampOf(const QFileInfo& file) {
    return QStringLiteral("%1 %2 %3")
        .arg(file.filePath(), QString::number(file.size()),
             QString::number(file.lastModified().toMSecsSinceEpoch()));
}

/// Sizes and times of all files of a model.
QString stampOf(const QString& path) {
    if (!QFileInfo(path).isDir()) return stampOf(QFileInfo(path));
    QStringList stamps;
    QDirIterator files(path, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        stamps.append(stampOf(files.fileInfo()));
    }
    stamps.sort();
    return stamps.join('\n');
}

} // namespace

core::Result<std::optional<ModelHash>>
knownModelHash(const QString& path, const core::ProgressCallback& progress, const core::CancelToken& cancel) {
    static QMutex mutex;
    static QHash<QString, Known> known;
    const QString stamp = stampOf(path);
    {
        const QMutexLocker lock(&mutex);
        if (const auto found = known.constFind(path); found != known.cend() && found->stamp == stamp)
            return std::optional(found->hash);
    }
    HOMEBOOTH_ASSIGN(const std::optional<std::string> sha256,
                     core::modelHash(path.toStdString(), progress, cancel));
    if (!sha256) return std::optional<ModelHash>();
    const ModelHash hash{*sha256, QDateTime::currentMSecsSinceEpoch()};
    const QMutexLocker lock(&mutex);
    known.insert(path, {stamp, hash});
    return std::optional(hash);
}

} // namespace homebooth::app
