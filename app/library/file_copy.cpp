// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/file_copy.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/descriptor.h"
#include "core/base/files/made_folders.h"

#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
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

/// What others may do with a copy: no more than with its source.
mode_t modeOfCopy(int source) {
    struct stat status {};
    if (::fstat(source, &status) != 0) return 0600;
    return 0600 | (status.st_mode & 0066);
}

void narrow(int copy, mode_t mode) {
    struct stat status {};
    if (::fstat(copy, &status) == 0 && (status.st_mode & 0077 & ~mode) != 0)
        (void)::fchmod(copy, status.st_mode & mode); // some file systems have no modes
}

/// Opens the copy; one that is written over is shown to nobody who may not see its source.
int openCopy(const std::string& name, mode_t mode) {
    const int target = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (target >= 0) narrow(target, mode);
    return target;
}

core::Result<void> copy(const QString& from, const QString& to, const GoesOn& goesOn) {
    QFile source(from);
    if (!source.open(QIODevice::ReadOnly))
        return core::badInput("copying a file: it could not be read (" + source.errorString().toStdString() +
                                  ")",
                              from.toStdString());
    const std::string name = to.toStdString();
    (void)core::MadeFolders::make(
        QFileInfo(to).path().toStdString()); // where that fails, so does what follows, with its cause
    const int target = openCopy(name, modeOfCopy(source.handle()));
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

void hideAs(const QString& source, const QString& copy) {
    const core::Descriptor from(::open(QFile::encodeName(source).constData(), O_RDONLY | O_CLOEXEC));
    const core::Descriptor to(::open(QFile::encodeName(copy).constData(), O_RDONLY | O_CLOEXEC));
    if (to.get() >= 0) narrow(to.get(), modeOfCopy(from.get()));
}

} // namespace homebooth::app
