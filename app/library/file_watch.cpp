// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/file_watch.h"

#include "app/library/watch_places.h"

#include <QFileSystemWatcher>
#include <QGuiApplication>
#include <QSet>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kGatherMs = 250;
constexpr unsigned long kPatienceMs = 2000;

} // namespace

FileWatch::FileWatch(QObject* parent)
    : QObject(parent)
    , m_thread(new QThread)
    , m_desk(new QFileSystemWatcher)
    , m_places(std::make_shared<WatchPlaces>()) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kGatherMs);
    connect(&m_soon, &QTimer::timeout, this, [this] {
        watch(/*anew=*/true); // a file that was written anew is another one to the system
        const QSet<QString> paths = std::exchange(m_changed, {});
        Q_EMIT changed(std::exchange(m_any, false) ? QStringList() : paths.values());
    });
    auto* watcher = static_cast<QFileSystemWatcher*>(m_desk);
    for (const auto signal : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(watcher, signal, this, [this](const QString& path) {
            m_changed.insert(path);
            if (!m_soon.isActive()) m_soon.start();
        });
    connect(m_thread, &QThread::finished, watcher, &QObject::deleteLater);
    if (const auto* application = qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        connect(application, &QGuiApplication::applicationStateChanged, this,
                [this](Qt::ApplicationState state) {
                    if (state != Qt::ApplicationActive || m_paths.isEmpty()) return;
                    m_any = true;
                    m_soon.start();
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
    watch(/*anew=*/false);
}

/// @param anew  something has changed; what was found on the disk holds else
void FileWatch::watch(bool anew) {
    auto* watcher = static_cast<QFileSystemWatcher*>(m_desk);
    const auto look = [this, watcher, places = m_places, paths = m_paths, anew, back = m_back] {
        if (anew) places->forget();
        const QStringList wanted = places->of(paths);
        const QStringList before = watcher->files() + watcher->directories();
        const QSet<QString> known(before.begin(), before.end());
        const QSet<QString> next(wanted.begin(), wanted.end());
        const QStringList gone = QSet<QString>(known).subtract(next).values();
        const QStringList come = QSet<QString>(next).subtract(known).values();
        if (!gone.isEmpty()) watcher->removePaths(gone);
        if (come.isEmpty()) return;
        const QStringList refused = watcher->addPaths(come);
        const QStringList begun = QSet<QString>(come.begin(), come.end())
                                      .subtract(QSet<QString>(refused.begin(), refused.end()))
                                      .values();
        if (!begun.isEmpty()) back.call([this, begun] { tellBegun(begun); });
    };
    QMetaObject::invokeMethod(watcher, look);
}

void FileWatch::tellBegun(const QStringList& places) {
    if (!m_paths.isEmpty()) Q_EMIT begun(places); // else nobody wants to know of any by now
}

} // namespace homebooth::app
