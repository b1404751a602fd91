// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/drive_pools.h"

#include <poll.h>

namespace homebooth::app {
namespace {

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

DrivePools::DrivePools(int threads, QThread::Priority priority)
    : m_threads(threads)
    , m_priority(priority)
    , m_mounts(QStringLiteral("/proc/self/mountinfo")) {}

DrivePools::~DrivePools() {
    for (const auto& [drive, pool] : m_pools) pool->clear();
    for (const auto& [drive, pool] : m_pools) pool->waitForDone();
}

QThreadPool& DrivePools::of(const QString& file) {
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
