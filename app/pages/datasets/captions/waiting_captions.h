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
    /// @param expected  what has to stand there, by path: others' captions stay; empty: whatever does
    /// @returns whether a write of the folder is to be begun; else one that waits takes them in
    [[nodiscard]] bool add(const QString& folder, const QMap<QString, QString>& captions,
                           const QMap<QString, QString>& expected = {});

    /// Writes what waits for the folder, at once; where that fails, edit by edit, so that none fails for
    /// another's sake. @returns how many stay, since something else stood there than was expected
    /// Errors: as `writeCaptions`, the first
    [[nodiscard]] core::Result<int> write(const QString& folder);

private:
    struct Edit {
        QMap<QString, QString> captions;
        QMap<QString, QString> expected;
    };
    /// Adds to `all` what of an edit may be written. @returns how many stay. Errors: as `captionsNow`
    [[nodiscard]] static core::Result<int> gather(const QString& folder, const Edit& edit,
                                                  QMap<QString, QString>& all);
    /// Errors: as write
    [[nodiscard]] static core::Result<int> writeTogether(const QString& folder, const QList<Edit>& edits,
                                                         CaptionOriginals& originals);

    std::mutex m_mutex;                              // never held while files are written
    QHash<QString, QList<Edit>> m_waiting;           // in their order
    std::map<QString, CaptionOriginals> m_originals; // each of the thread that writes its folder
};

/// Whether two captions are the same as files are read again.
[[nodiscard]] bool sameCaption(const QString& one, const QString& other);

} // namespace homebooth::app
