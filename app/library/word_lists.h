// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's lists of words for prompts, as the window holds them: every change is an undo command, is shown
// at once and goes to the library at once. GUI thread. Invariant: nothing is changed before the library has
// answered, for it keeps no two lists of one name; files and names that are to be opened wait for it.
#pragma once

#include "core/library/word_list_store.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

class QUndoStack;

namespace homebooth::app {

class LibraryService;

class WordLists : public QObject {
    Q_OBJECT
public:
    WordLists(LibraryService& library, QUndoStack& undo, QObject* parent = nullptr);

    /// Asks the library, once it is open; `changed` follows.
    void load();
    [[nodiscard]] bool loaded() const { return m_loaded; }
    /// Calls `act` when the lists are known: now, or after the next `changed` alone.
    void whenLoaded(QObject* receiver, const std::function<void()>& act);
    /// By name.
    [[nodiscard]] const std::vector<core::WordList>& all() const { return m_lists; }
    [[nodiscard]] const core::WordList* find(int64_t id) const;
    [[nodiscard]] const core::WordList* named(const QString& name) const; ///< capitals do not count
    /// What {name} may stand for; nothing if there is no such list.
    [[nodiscard]] std::optional<QStringList> entries(const QString& name) const;

    /// What is left of a name when all is taken away that cannot stand between braces; may be empty.
    [[nodiscard]] static QString tidyName(const QString& name);
    /// Why a list cannot be called so; empty: it can. @param except  the list that has the name now
    [[nodiscard]] QString nameProblem(const QString& name, int64_t except) const;

    /// Makes a list, of which the library must have answered; another name is found where the name is taken.
    /// @returns its key
    int64_t add(const QString& name, const QString& text);
    /// @param field  successive changes of the same field within a typing pause become one step
    void change(const core::WordList& after, const QString& field);
    void remove(int64_t id);
    /// Reads a text file off this thread and makes a list of its lines, or puts them into the one that has
    /// the file's name. `added` or `failed` follows.
    void addFile(const QString& path);

Q_SIGNALS:
    void changed();
    void added(qlonglong id);
    void failed(const QString& message);

private:
    friend class WordListCommand;
    void ask();
    /// Puts a list to its place by name.
    void place(const core::WordList& list);
    void put(int64_t id, const core::WordList* state);
    void takeFile(const QString& path, const QString& text);

    LibraryService& m_library;
    QUndoStack& m_undo;
    std::vector<core::WordList> m_lists;
    bool m_loaded = false;
};

} // namespace homebooth::app
