// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells when files or folders change on the disk, or when the user comes back to the window, which is
// when they may have: no file system tells everything. What comes at once is told once; each path is
// looked at once then, though whoever is told sets them anew. Watching begins later than it is asked for,
// and what changed before nobody tells: who has looked already looks once more then. GUI thread; a thread
// of its own looks at the disk.
#pragma once

#include "app/library/background.h"

#include <QObject>
#include <QSet>
#include <QStringList>
#include <QThread>
#include <QTimer>

#include <memory>

namespace homebooth::app {

class WatchPlaces;

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);
    ~FileWatch() override;

    /// Watches these instead of those before. In place of one that is not there its nearest folder is
    /// watched; of very many files some are left out, folders never.
    void set(const QStringList& paths);

Q_SIGNALS:
    /// @param paths  what of that which is watched; empty: perhaps any of it
    void changed(const QStringList& paths);
    /// From now on these are watched, which were not before: new ones, and files that were written anew.
    void begun(const QStringList& places);

private:
    void watch(bool anew);
    void tellBegun(const QStringList& places);

    QThread* m_thread = nullptr;           ///< left behind where a disk never answers
    QObject* m_desk = nullptr;             ///< lives on it
    std::shared_ptr<WatchPlaces> m_places; ///< of that thread
    WayBack m_back{this};                  ///< from that thread
    QStringList m_paths;
    QSet<QString> m_changed; ///< since it was told last
    bool m_any = false;      ///< perhaps more than these
    QTimer m_soon;
};

} // namespace homebooth::app
