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

core::Result<void> copyBytes(QFile& source, int target, const std::string& name) {
    while (true) {
        const QByteArray block = source.read(kBlockBytes);
        if (block.isEmpty() && source.error() != QFileDevice::NoError)
            return core::badInput("copying a file: it could not be read to its end (" +
                                      source.errorString().toStdString() + ")",
                                  source.fileName().toStdString());
        if (block.isEmpty()) return {};
        for (qsizetype at = 0; at < block.size();) {
            const ssize_t written =
                ::write(target, block.constData() + at, static_cast<size_t>(block.size() - at));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return core::systemError(kCopy, name, written < 0 ? errno : ENOSPC);
            at += written;
        }
    }
}

} // namespace

core::Result<void> copyFile(const QString& from, const QString& to) {
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly))
        return core::badInput("copying a file: it could not be read (" + source.errorString().toStdString() +
                                  ")",
                              from.toStdString());
    const std::string name = to.toStdString();
    (void)QDir().mkpath(QFileInfo(to).path()); // where that fails, so does what follows, with its cause
    const int target = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (target < 0) return core::systemError(kCopy, name, errno);
    core::Result<void> copied = copyBytes(source, target, name);
    if (::close(target) != 0 && copied) copied = core::systemError(kCopy, name, errno);
    if (!copied) QFile::remove(to);
    return copied;
}

} // namespace homebooth::app
