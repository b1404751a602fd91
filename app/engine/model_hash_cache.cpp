// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_hash_cache.h"

#include <QDateTime>
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

/// A link may lead elsewhere by now, to a file as large and as old.
QString stampOf(const QFileInfo& file) {
    return QStringLiteral("%1 %2 %3 %4")
        .arg(file.filePath(), file.canonicalFilePath(), QString::number(file.size()),
             QString::number(file.lastModified().toMSecsSinceEpoch()));
}

/// Places, sizes and times of the files that a model's hash is made of.
core::Result<QString> stampOf(const QString& path) {
    HOMEBOOTH_ASSIGN(const auto files, core::hashedFiles(path.toStdString()));
    QStringList stamps;
    for (const std::filesystem::path& file : files)
        stamps.append(stampOf(QFileInfo(QString::fromStdString(file.string()))));
    return stamps.join('\n');
}

} // namespace

core::Result<std::optional<ModelHash>>
knownModelHash(const QString& path, const core::ProgressCallback& progress, const core::CancelToken& cancel) {
    static QMutex mutex;
    static QHash<QString, Known> known;
    HOMEBOOTH_ASSIGN(const QString stamp, stampOf(path));
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
