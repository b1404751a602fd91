// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/runs/prepared_data.h"

#include "app/engine/places.h"
#include "app/engine/runs/disk_use.h"
#include "app/library/disk_cache.h"
#include "core/base/files/descriptor.h"

#include <QDir>
#include <QFile>
#include <QStringList>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace homebooth::app {
namespace {

QStringList preparedFolders() {
    QStringList folders;
    for (const char* name : {"latents", "texts", "class-pictures", "pictures"})
        folders.append(cacheFolder() + '/' + QLatin1String(name));
    return folders;
}

// As the engine has it (core/engine/data/cache_bound.h): each training holds the lock of a file of its own
// in this folder while it works with the cache, and makes it while it holds that of the guard.
constexpr const char* kGuard = "guard";

QString usesFolder() {
    return cacheFolder() + QStringLiteral("/uses");
}

/// Opens a file for its lock; a link is none.
int openForLock(const QString& path, int more) {
    return ::open(QFile::encodeName(path).constData(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | more, 0600);
}

bool inUse() {
    for (const QString& name : QDir(usesFolder()).entryList(QDir::Files | QDir::Hidden)) {
        if (name == QLatin1String(kGuard)) continue;
        const core::Descriptor file(openForLock(usesFolder() + '/' + name, O_NONBLOCK));
        if (file.get() >= 0 && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return true;
    }
    return false;
}

} // namespace

qint64 preparedBytes() {
    qint64 bytes = 0;
    for (const QString& folder : preparedFolders()) bytes += diskBytesOf(folder);
    return bytes;
}

Emptied emptyPrepared() {
    makeFolder(usesFolder());
    const core::Descriptor guard(openForLock(usesFolder() + '/' + QLatin1String(kGuard), O_CREAT));
    while (guard.get() >= 0 && ::flock(guard.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    if (inUse()) return Emptied::InUse;
    qint64 left = 0;
    for (const QString& folder : preparedFolders()) left += keepUsedLast(folder, 0);
    return left == 0 ? Emptied::All : Emptied::Partly;
}

} // namespace homebooth::app
