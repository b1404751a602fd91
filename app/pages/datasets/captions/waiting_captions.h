// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Captions on their way to the disk: those of a folder wait together for its next write, so that typing
// rewrites no file for each letter.
// Shared by who edits and the threads that write, and kept by all. `add` from any thread; `write` from one
// at a time for each folder.
#pragma once

#include "app/pages/datasets/captions/caption_originals.h"
#include "core/base/util/result.h"

#include <QHash>
#include <QMap>
#include <QString>

#include <map>
#include <mutex>

namespace homebooth::app {

class WaitingCaptions {
public:
    /// Of a picture that waits already the newest caption is written.
    /// @param captions  path to caption
    /// @returns whether a write of the folder is to be begun; else one that waits takes them in
    [[nodiscard]] bool add(const QString& folder, const QMap<QString, QString>& captions);

    /// Writes what waits for the folder, at once; where that fails, edit by edit, so that none fails for
    /// another's sake. Errors: as `writeCaptions`, the first
    [[nodiscard]] core::Result<void> write(const QString& folder);

private:
    std::mutex m_mutex;                                      // never held while files are written
    QHash<QString, QList<QMap<QString, QString>>> m_waiting; // edits, in their order
    std::map<QString, CaptionOriginals> m_originals;         // each of the thread that writes its folder
};

} // namespace homebooth::app
