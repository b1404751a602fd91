// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be watched for paths, by what was found on the disk. Of one path the disk is asked once for
// each change there, by however many lists it comes: those of a dataset are hundreds of thousands. One
// thread.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

namespace homebooth::app {

class WatchPlaces {
public:
    /// What to watch for these: folders first, nothing twice. In place of a path that is not there it is
    /// the nearest folder; of very many files some are left out. Of paths of the last list, what was
    /// found then holds until `forget`.
    [[nodiscard]] QStringList of(const QStringList& paths);

    /// Something has changed: each path is looked at again.
    void forget() { m_known.clear(); }

private:
    struct Place {
        QString path; ///< empty: there is nothing to watch
        bool folder = false;
    };
    static Place look(const QString& path);

    QHash<QString, Place> m_known; // by the path of the last list
};

} // namespace homebooth::app
