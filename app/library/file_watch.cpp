// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/file_watch.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QSet>

namespace homebooth::app {
namespace {

constexpr int kGatherMs = 250;
constexpr unsigned long kPatienceMs = 2000;
constexpr qsizetype kMostFiles =
    1500; // a user's watches are counted by the system, for all programs together

/// What can be watched: folders first, no path twice.
QStringList watchable(const QStringList& paths) {
    QStringList folders;
    QStringList files;
    QSet<QString> seen;
    for (const QString& path : paths) {
        QFileInfo place(path);
        while (!place.exists() && place.path() != place.filePath()) place = QFileInfo(place.path());
        if (!place.exists() || seen.contains(place.filePath())) continue;
        seen.insert(place.filePath());
        (place.isDir() ? folders : files).append(place.filePath());
    }
    return folders + files.first(qMin(kMostFiles, files.size()));
}

} // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
    , m_thread(new QThread)
    , m_desk(new QFileSystemWatcher) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kGatherMs);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        set(m_paths); // a file that was written anew is another one to the system
        Q_EMIT changed();
    });
    auto* watcher = static_cast<QFileSystemWatcher*>(m_desk);
    for (const auto signal : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(watcher, signal, this, [this] {
            if (!m_soon.isActive()) m_soon.start();
        });
    connect(m_thread, &QThread::finished, watcher, &QObject::deleteLater);
    if (const auto* application = qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        connect(application, &QGuiApplication::applicationStateChanged, this,
                [this](Qt::ApplicationState state) {
                    if (state == Qt::ApplicationActive && !m_paths.isEmpty()) m_soon.start();
                });
    watcher->moveToThread(m_thread);
    m_thread->setObjectName(QStringLiteral("file watch"));
    m_thread->start(QThread::LowPriority);
}

FileWatch::~FileWatch() {
    m_thread->quit();
    if (m_thread->wait(kPatienceMs)) delete m_thread;
}

void FileWatch::set(const QStringList& paths) {
    m_paths = paths;
    auto* watcher = static_cast<QFileSystemWatcher*>(m_desk);
    QMetaObject::invokeMethod(watcher, [watcher, paths] {
        const QStringList wanted = watchable(paths);
        const QStringList before = watcher->files() + watcher->directories();
        const QSet<QString> known(before.begin(), before.end());
        const QSet<QString> next(wanted.begin(), wanted.end());
        const QStringList gone = QSet<QString>(known).subtract(next).values();
        const QStringList come = QSet<QString>(next).subtract(known).values();
        if (!gone.isEmpty()) watcher->removePaths(gone);
        if (!come.isEmpty()) watcher->addPaths(come);
    });
}

} // namespace homebooth::app
