// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Small pictures of large files: decoded off the GUI thread, newest request first, those of a drive that
// does not answer beside all others, kept on disk by the hash of the file's content and in memory by what
// is shown. Owned by main; GUI thread.
#pragma once

#include "app/library/drive_pools.h"
#include "core/base/util/picture.h"
#include "core/library/subject_store.h"

#include <QCache>
#include <QDeadlineTimer>
#include <QHash>
#include <QImage>
#include <QMutex>
#include <QObject>
#include <QSet>

#include <atomic>
#include <memory>

namespace homebooth::app {

/// What is to be shown.
struct ThumbnailKey {
    QString path;
    core::PhotoEdit edit;
    int pixels = 320; ///< of the longer side, device pixels
    [[nodiscard]] QString text() const;
};

class Thumbnails : public QObject {
    Q_OBJECT
public:
    /// @param folder  where small pictures are kept; made when needed
    explicit Thumbnails(QString folder, QObject* parent = nullptr);

    /// The picture, or a null one: then `ready` follows. A file that could not be read is tried again when it
    /// is asked for after a while: its drive may be back.
    [[nodiscard]] QImage find(const ThumbnailKey& key);
    [[nodiscard]] bool unreadable(const ThumbnailKey& key) const { return m_failed.contains(key.text()); }
    /// The same in any size and with any edit.
    [[nodiscard]] bool unreadableFile(const QString& path) const;

    /// How much the small pictures may take of the disk; those go first that were not seen for longest. Once,
    /// and whenever much has come in, the folder is looked at, off the GUI thread.
    void setDiskLimit(qint64 bytes);

    /// Where they are kept.
    [[nodiscard]] const QString& folder() const { return m_folder; }

    /// Who reads the pictures.
    [[nodiscard]] DrivePools& drives() { return m_drives; }

    /// Forgets what is known of a file, e.g. because it changed.
    void forget(const QString& path);
    /// The same of many files, of which all that is known is looked through once.
    void forgetAll(const QSet<QString>& paths);

Q_SIGNALS:
    void ready(const QString& path);

private:
    void trim();
    void finish(const QString& text, const QString& path, const QImage& image, int turn);

    QString m_folder;
    qint64 m_limit = 0;                             ///< 0: none yet
    std::shared_ptr<std::atomic<qint64>> m_written; ///< bytes since the folder was looked at
    DrivePools m_drives;
    QCache<QString, QImage> m_cache; // cost in KiB
    QHash<QString, int> m_pending;   // the turn whose picture counts: a file may change while it is read
    QHash<QString, QDeadlineTimer> m_failed; // until when nothing is tried
    int m_turn = 0;                          // of what is asked for
};

/// Reads a picture upright, at least as large as asked for where it is, with an edit applied. Any thread.
/// Null if it cannot be read.
[[nodiscard]] QImage loadEdited(const QString& path, const core::PhotoEdit& edit, int pixels);

/// How many pictures `loadEdited` has read on the thread that asks: none on the window's own, which a test
/// holds.
[[nodiscard]] int picturesReadHere();

/// core's pixels as a QImage that owns them.
[[nodiscard]] QImage imageOf(const core::Picture& picture);

} // namespace homebooth::app
