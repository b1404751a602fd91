// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that read pictures, a few for each drive: one that sleeps, or never answers, holds what lies on
// it and nothing else. Which drive a path is on the list of what is mounted says: no drive is asked, and
// links are not followed. Owned by who has them work; the owner's thread, which waits for them in the end.
#pragma once

#include <QFile>
#include <QHash>
#include <QString>
#include <QStringList>
#include <QThread>
#include <QThreadPool>

#include <map>
#include <memory>

namespace homebooth::app {

/// Where drives are mounted. @param mounts  as in /proc/self/mountinfo
[[nodiscard]] QStringList mountPoints(const QByteArray& mounts);

/// The innermost of them that an absolute path lies on; empty: none.
[[nodiscard]] QString mountOf(const QString& path, const QStringList& points);

class DrivePools {
public:
    /// @param threads  at most so many for a drive
    explicit DrivePools(int threads, QThread::Priority priority = QThread::InheritPriority);
    ~DrivePools();
    DrivePools(const DrivePools&) = delete;
    DrivePools& operator=(const DrivePools&) = delete;

    /// The threads for the drive that a file is on.
    [[nodiscard]] QThreadPool& of(const QString& file);

private:
    /// Reads anew what is mounted where that has changed.
    void lookAtMounts();

    int m_threads;
    QThread::Priority m_priority;
    QFile m_mounts; ///< stays open: by it the system says that something was mounted
    QStringList m_points;
    QHash<QString, QString> m_driveOf; ///< by folder
    std::map<QString, std::unique_ptr<QThreadPool>> m_pools;
};

} // namespace homebooth::app
