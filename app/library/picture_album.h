// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pictures that were made: takes them up as they come, finds those that the index lacks, hides and brings
// back with undo. Owned by main; GUI thread.
#pragma once

#include "core/library/picture_store.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <set>
#include <vector>

class QUndoStack;

namespace homebooth::app {

class LibraryService;

class PictureAlbum : public QObject {
    Q_OBJECT
public:
    PictureAlbum(LibraryService& library, QUndoStack& undo, QObject* parent = nullptr);

    /// Finds pictures below this folder that the index lacks, or knows in a place where they are no more.
    void open(const QString& folder) { lookThrough(folder, false); }
    /// The same once more; `changed` follows where there is news alone.
    void lookAgain(const QString& folder) { lookThrough(folder, true); }
    /// Takes up a new picture. @param modelPath  what it was made with
    void add(const QString& path, const QString& modelName, const QString& modelPath);
    /// Marks pictures, or takes their marks away, in one step that can be undone.
    /// @param ids  of pictures that are not so yet
    void setFavourite(const std::vector<int64_t>& ids, bool favourite);
    /// Hides pictures; undo brings them back. Their files go to the trash when the window closes.
    void trash(const std::vector<int64_t>& ids);
    /// Hides pictures; undo brings them back. They are forgotten when the window closes, their files left
    /// alone.
    void forget(const std::vector<int64_t>& ids);
    /// Looks below a folder for pictures whose files are gone, by name and by what they say of themselves.
    /// @param found  called with how many were
    void find(const std::vector<core::PictureRecord>& gone, const QString& folder, QObject* receiver,
              const std::function<void(int)>& found);
    /// What to tell of it.
    [[nodiscard]] static QString trashedText(int count);
    /// Moves the files of hidden pictures to the desktop's trash, but for those of `forget`, and forgets all
    /// but those that are out of reach: they stay hidden, and go another time. Another file that lies there
    /// by then stays. Done when the library closes, behind every change.
    void emptyTrash();

Q_SIGNALS:
    /// Pictures came, went or changed. @param ids  which ones; empty: any
    void changed(const std::vector<int64_t>& ids);
    void failed(const QString& message);
    /// Pictures that were to be deleted are back: their files cannot be moved by this user.
    void stayed(int count);

private:
    friend class TrashCommand;
    friend class FavouriteCommand;
    void lookThrough(const QString& folder, bool again);
    void tell(const core::Result<void>& added, const std::vector<int64_t>& ids = {});
    void mark(const std::vector<int64_t>& ids, bool favourite);
    /// Of pictures that were just hidden.
    void bringBackWhatStays(const std::vector<int64_t>& ids);
    void setTrashed(const std::vector<int64_t>& ids, bool trashed);

    LibraryService& m_library;
    QUndoStack& m_undo;
    std::set<int64_t> m_filesStay; ///< of pictures that were to be forgotten alone
};

/// Whether a picture's file is gone for good. One whose folder is missing, too, may come back, as on a drive
/// that is not mounted. Any thread.
[[nodiscard]] bool isGone(const QString& path);

/// What a picture file says of itself. Any thread.
[[nodiscard]] core::PictureRecord pictureRecordOf(const QString& path);

} // namespace homebooth::app
