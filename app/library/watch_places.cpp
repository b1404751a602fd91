// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/library/watch_places.h"

#include <QFileInfo>
#include <QSet>

#include <utility>

namespace homebooth::app {
namespace {

constexpr qsizetype kMostFiles =
    1500; // a user's watches are counted by the system, for all programs together

} // namespace

WatchPlaces::Place WatchPlaces::look(const QString& path) {
    QFileInfo place(path);
    while (!place.exists() && place.path() != place.filePath()) place = QFileInfo(place.path());
    return place.exists() ? Place{place.filePath(), place.isDir()} : Place();
}

QStringList WatchPlaces::of(const QStringList& paths) {
    QStringList folders;
    QStringList files;
    QSet<QString> seen;
    QHash<QString, Place> known;
    for (const QString& path : paths) {
        const auto before = m_known.constFind(path);
        const Place place = before != m_known.cend() ? *before : look(path);
        known.insert(path, place);
        if (place.path.isEmpty() || seen.contains(place.path)) continue;
        seen.insert(place.path);
        (place.folder ? folders : files).append(place.path);
    }
    m_known = std::move(known);
    return folders + files.first(qMin(kMostFiles, files.size()));
}

} // namespace homebooth::app
