// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/models/model_hash_cache.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QMutex>
#include <QStringList>

#include <optional>
#include <utility>

namespace homebooth::app {
namespace {

/// What was worked out, by path.
template <class Hash>
class KnownHashes {
public:
    std::optional<Hash> of(const QString& path, const QString& stamp) {
        const QMutexLocker lock(&m_mutex);
        const auto found = m_known.constFind(path);
        return found != m_known.cend() && found->first == stamp ? std::optional(found->second) : std::nullopt;
    }
    void note(const QString& path, const QString& stamp, const Hash& hash) {
        const QMutexLocker lock(&m_mutex);
        m_known.insert(path, {stamp, hash});
    }

private:
    QMutex m_mutex;
    QHash<QString, std::pair<QString, Hash>> m_known; // with what the files were like
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
    static KnownHashes<ModelHash> known;
    HOMEBOOTH_ASSIGN(const QString stamp, stampOf(path));
    if (const auto found = known.of(path, stamp)) return found;
    core::NumberTrouble trouble;
    HOMEBOOTH_ASSIGN(const std::optional<std::string> sha256,
                     core::modelHash(path.toStdString(), progress, cancel, &trouble));
    if (!sha256) return std::optional<ModelHash>();
    const ModelHash hash{*sha256, QDateTime::currentMSecsSinceEpoch(), trouble};
    known.note(path, stamp, hash);
    return std::optional(hash);
}

core::Result<std::optional<std::string>> knownLoraHash(const QString& path, const core::CancelToken& cancel) {
    static KnownHashes<std::string> known;
    HOMEBOOTH_ASSIGN(const QString stamp, stampOf(path));
    if (const auto found = known.of(path, stamp)) return found;
    HOMEBOOTH_ASSIGN(const std::string hash, core::loraHash(path.toStdString(), cancel));
    if (cancel.requested()) return std::optional<std::string>();
    known.note(path, stamp, hash);
    return std::optional(hash);
}

} // namespace homebooth::app
