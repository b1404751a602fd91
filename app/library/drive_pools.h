// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Threads that read pictures, models and trainings, or write captions, a few for each drive: one that
// sleeps, or never answers, holds what lies on it and nothing else. Which drive a path is on the list of what
// is mounted says: no drive is asked. Owned by who has them work, and waits for them in the end; any thread.
#pragma once

#include "app/library/background.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QHash>
#include <QString>
#include <QStringList>
#include <QThread>
#include <QThreadPool>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace homebooth::app {

/// Where drives are mounted. @param mounts  as in /proc/self/mountinfo
[[nodiscard]] QStringList mountPoints(const QByteArray& mounts);

/// The innermost of them that an absolute path lies on; empty: none.
[[nodiscard]] QString mountOf(const QString& path, const QStringList& points);

/// Where an absolute path goes on when a link on its way leads to another of these drives; empty: nowhere
/// else. Nothing is asked of that drive.
[[nodiscard]] QString onOtherDrive(const QString& path, const QStringList& points);

class DrivePools {
public:
    /// @param threads  at most so many for a drive
    explicit DrivePools(int threads, QThread::Priority priority = QThread::InheritPriority);
    ~DrivePools();
    DrivePools(const DrivePools&) = delete;
    DrivePools& operator=(const DrivePools&) = delete;

    /// The threads for the drive that a file is on by its path alone: links are not followed.
    [[nodiscard]] QThreadPool& of(const QString& file);

    /// Does `work` on a thread of the drive that a file or folder is on, links followed: each by a thread of
    /// the drive that it lies on. With one thread for a drive all for one path is done in this order.
    void start(const QString& path, const std::function<void()>& work) { begin(path, work, 0); }

    /// Drops what waits for a thread, and waits for what has one. @returns whether all that is done
    bool leave(const QDeadlineTimer& longest);

    /// Waits for all. @returns whether it is done
    bool finish(const QDeadlineTimer& longest = QDeadlineTimer(QDeadlineTimer::Forever));

private:
    /// @param hops  from drive to drive, before this one
    void begin(const QString& path, const std::function<void()>& work, int hops);
    /// While m_guard is held, as the next one.
    [[nodiscard]] QThreadPool& poolOf(const QString& file);
    /// Reads anew what is mounted where that has changed.
    void lookAtMounts();
    [[nodiscard]] std::vector<QThreadPool*> all();

    int m_threads;
    QThread::Priority m_priority;
    std::atomic<int> m_begun = 0; ///< by `begin`
    std::mutex m_guard;           ///< of all below; never held while a drive is asked
    QFile m_mounts;               ///< stays open: by it the system says that something was mounted
    QStringList m_points;
    QHash<QString, QString> m_driveOf; ///< by folder
    std::map<QString, std::unique_ptr<QThreadPool>> m_pools;
};

/// Those that look at models, and make them of saved moments. Two for a drive: one may read a model from
/// its beginning to its end. They live as long as the program, whose end waits for them as for other work
/// (background.h).
[[nodiscard]] DrivePools& modelDrives();

/// Those that look at what trainings have made, beside models: neither stands behind the other. Otherwise as
/// modelDrives.
[[nodiscard]] DrivePools& resultDrives();

/// Those that read journals of trainings that have ended, one after another on each drive: a year's are
/// gigabytes. Otherwise as modelDrives.
[[nodiscard]] DrivePools& journalDrives();

/// Those that write what people take as done before it is on the disk, e.g. captions: one for each drive, so
/// it is done in order, and before the program ends, unless its disk does not answer.
[[nodiscard]] DrivePools& writeDrives();

/// Does `work` as DrivePools::start does, and hands what it returns to `done` as inBackground does. Both are
/// copied.
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done, DrivePools& drives, const QString& path) {
    drives.start(path, [back = WayBack(owner), work = std::move(work), done = std::move(done)]() mutable {
        workAndReturn(back, work, done);
    });
}

} // namespace homebooth::app
