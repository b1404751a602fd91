// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/drive_pools.h"

#include <QDir>

#include <filesystem>
#include <poll.h>
#include <system_error>

namespace homebooth::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40; // as the system follows

/// A path as the list has it, in which blanks and backslashes are octal numbers.
QByteArray withoutOctals(const QByteArray& text) {
    QByteArray path;
    for (qsizetype at = 0; at < text.size(); ++at) {
        bool octal = false;
        const int code = text[at] == '\\' ? text.mid(at + 1, 3).toInt(&octal, 8) : 0;
        path += octal ? static_cast<char>(code) : text[at];
        if (octal) at += 3;
    }
    return path;
}

/// A path with the first link on its way replaced by what it leads to. Of what comes behind it nothing is
/// asked. Without a link it stays.
QString pastALink(const QString& path) {
    const fs::path whole(path.toStdString());
    fs::path way;
    for (auto part = whole.begin(); part != whole.end(); ++part) {
        std::error_code none;
        const fs::path target = fs::read_symlink(way / *part, none);
        if (none) {
            way /= *part;
            continue;
        }
        way /= target;
        while (++part != whole.end()) way /= *part;
        return QDir::cleanPath(QString::fromStdString(way.string()));
    }
    return path;
}

bool hasChanged(const QFile& list) {
    pollfd one{list.handle(), POLLPRI, 0};
    return ::poll(&one, 1, 0) > 0 && (one.revents & (POLLPRI | POLLERR)) != 0;
}

} // namespace

QStringList mountPoints(const QByteArray& mounts) {
    constexpr qsizetype kPlace = 4; // of a line's words
    QStringList points;
    for (const QByteArray& line : mounts.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() > kPlace) points.append(QFile::decodeName(withoutOctals(words[kPlace])));
    }
    return points;
}

QString mountOf(const QString& path, const QStringList& points) {
    QString found;
    for (const QString& point : points) {
        const bool below = path == point || path.startsWith(point.endsWith('/') ? point : point + '/');
        if (below && point.size() > found.size()) found = point;
    }
    return found;
}

QString onOtherDrive(const QString& path, const QStringList& points) {
    const QString drive = mountOf(path, points);
    QString way = path;
    for (int links = 0; links < kMostLinks; ++links) {
        const QString next = pastALink(way);
        if (next == way) return {};
        if (mountOf(next, points) != drive) return next;
        way = next;
    }
    return {};
}

DrivePools::DrivePools(int threads, QThread::Priority priority)
    : m_threads(threads)
    , m_priority(priority)
    , m_mounts(QStringLiteral("/proc/self/mountinfo")) {}

DrivePools::~DrivePools() {
    leave(QDeadlineTimer(QDeadlineTimer::Forever));
}

bool DrivePools::leave(const QDeadlineTimer& longest) {
    for (QThreadPool* pool : all()) pool->clear();
    return finish(longest);
}

bool DrivePools::finish(const QDeadlineTimer& longest) {
    bool done = true;
    int begun = 0;
    do { // what follows a link may go on at a drive that was waited for already
        begun = m_begun;
        done = true;
        for (QThreadPool* pool : all())
            done = pool->waitForDone(static_cast<int>(longest.remainingTime())) && done;
    } while (begun != m_begun);
    return done;
}

std::vector<QThreadPool*> DrivePools::all() {
    const std::lock_guard held(m_guard);
    std::vector<QThreadPool*> pools;
    for (const auto& [drive, pool] : m_pools) pools.push_back(pool.get());
    return pools;
}

QThreadPool& DrivePools::of(const QString& file) {
    const std::lock_guard held(m_guard);
    return poolOf(file);
}

void DrivePools::begin(const QString& path, const std::function<void()>& work, int hops) {
    const std::lock_guard held(m_guard);
    QThreadPool& pool = poolOf(path + '/');
    ++m_begun;
    pool.start([this, path, points = m_points, work, hops] {
        const QString next = hops < kMostLinks ? onOtherDrive(path, points) : QString();
        if (next.isEmpty()) return work();
        begin(next, work, hops + 1);
    });
}

QThreadPool& DrivePools::poolOf(const QString& file) {
    lookAtMounts();
    const QString folder = file.left(file.lastIndexOf('/'));
    auto drive = m_driveOf.constFind(folder);
    if (drive == m_driveOf.cend()) drive = m_driveOf.insert(folder, mountOf(file, m_points));
    std::unique_ptr<QThreadPool>& pool = m_pools[*drive];
    if (pool == nullptr) {
        pool = std::make_unique<QThreadPool>();
        pool->setMaxThreadCount(m_threads);
        pool->setThreadPriority(m_priority);
    }
    return *pool;
}

void DrivePools::lookAtMounts() {
    if (m_mounts.isOpen() && !hasChanged(m_mounts)) return;
    m_mounts.close();
    m_driveOf.clear();
    m_points.clear();
    if (m_mounts.open(QIODevice::ReadOnly)) m_points = mountPoints(m_mounts.readAll());
}

} // namespace homebooth::app
