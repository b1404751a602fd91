// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/file_copy.h"

#include "core/base/files/atomic_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace homebooth::app {
namespace {

constexpr const char* kCopy = "copy a file";
constexpr qint64 kBlockBytes = qint64{1} << 20;

using GoesOn = std::function<bool()>;

/// What was written so far is on the disk then.
core::Result<void> syncStretch(int target, const std::string& name, const GoesOn& goesOn) {
    if (::fsync(target) != 0) return core::systemError(kCopy, name, errno);
    if (!goesOn()) return core::badInput("copying a file: it was stopped", name);
    return {};
}

/// @param goesOn  null: nothing is synced
core::Result<void> copyBytes(QFile& source, int target, const std::string& name, const GoesOn& goesOn) {
    constexpr qint64 kStretchBlocks = 64; // a slow drive takes seconds for that
    for (qint64 number = 1;; ++number) {
        const QByteArray block = source.read(kBlockBytes);
        if (block.isEmpty() && source.error() != QFileDevice::NoError)
            return core::badInput("copying a file: it could not be read to its end (" +
                                      source.errorString().toStdString() + ")",
                                  source.fileName().toStdString());
        if (block.isEmpty()) return goesOn ? syncStretch(target, name, goesOn) : core::Result<void>();
        for (qsizetype at = 0; at < block.size();) {
            const ssize_t written =
                ::write(target, block.constData() + at, static_cast<size_t>(block.size() - at));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return core::systemError(kCopy, name, written < 0 ? errno : ENOSPC);
            at += written;
        }
        if (goesOn && number % kStretchBlocks == 0) HOMEBOOTH_CHECK(syncStretch(target, name, goesOn));
    }
}

core::Result<void> copy(const QString& from, const QString& to, const GoesOn& goesOn) {
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly))
        return core::badInput("copying a file: it could not be read (" + source.errorString().toStdString() +
                                  ")",
                              from.toStdString());
    const std::string name = to.toStdString();
    (void)QDir().mkpath(QFileInfo(to).path()); // where that fails, so does what follows, with its cause
    const int target = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (target < 0) return core::systemError(kCopy, name, errno);
    core::Result<void> copied = copyBytes(source, target, name, goesOn);
    if (::close(target) != 0 && copied) copied = core::systemError(kCopy, name, errno);
    if (!copied) QFile::remove(to);
    return copied;
}

} // namespace

core::Result<void> copyFile(const QString& from, const QString& to) {
    return copy(from, to, {});
}

core::Result<void> copyLargeFile(const QString& from, const QString& to,
                                 const std::function<bool()>& goesOn) {
    return copy(from, to, goesOn);
}

} // namespace homebooth::app
