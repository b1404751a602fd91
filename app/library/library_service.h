// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The library behind one thread of its own: the window asks and goes on; answers come as calls on the GUI
// thread. Writes are done in the order in which they were asked for, and each waits for those before it: what
// may wait for another drive than the library's is looked for beside it (lookPool).
// Owned by main; GUI thread. Destroying it waits for what was asked. Invariants:
// 1. What is asked before the library is open waits for it; what waits when it cannot be opened is dropped.
// 2. No change vanishes in silence: where there is no library, or it takes none, `failed` says so.
// 3. What a full disk refused is kept, and what is asked for later comes behind it; it is tried again every
//    few seconds, with each change and at the end.
#pragma once

#include "app/library/background.h"
#include "core/library/library.h"

#include <QObject>
#include <QThread>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace homebooth::app {

class LibraryService : public QObject {
    Q_OBJECT
public:
    explicit LibraryService(QObject* parent = nullptr);
    ~LibraryService() override;

    enum class State { Closed, Open, Refused };

    /// Opens the file. `opened` or `openFailed` follows; after the latter it may be tried again.
    void open(const QString& path);
    /// Refused: the last attempt to open it went wrong, and nothing can be kept.
    [[nodiscard]] State state() const { return m_state; }
    /// Whether changes wait for room: no answer of the library has them.
    [[nodiscard]] bool waits() const { return m_tries.isActive(); }
    /// The file that was asked for last.
    [[nodiscard]] const QString& path() const { return m_path; }

    /// A change of the library: all of it or nothing, and it may be tried again.
    using Change = std::function<core::Result<void>(core::Library&)>;

    /// Changes the library. What goes wrong is reported by `failed`, a full disk by `waitsForRoom`.
    void write(Change change);

    /// Likewise, but what goes wrong `take` alone hears, once it was tried; a full disk counts as done, since
    /// it is kept. Called on this thread, unless `receiver` is gone by then.
    void write(QObject* receiver, const Change& change,
               const std::function<void(const core::Result<void>&)>& take);

    /// Changes the library at its end, behind all else: what may wait for drives. What goes wrong is logged.
    /// Not done where a change before it cannot be kept: what it goes by may be one that was taken back.
    void writeLast(Change change);

    /// Asks the library; `take` is called with the answer on this thread, unless `receiver` is gone by then.
    template <class T>
    void ask(QObject* receiver, std::function<core::Result<T>(core::Library&)> question,
             std::function<void(const T&)> take);

    /// Works on the library's thread, then calls `take` with what `work` returned on this thread, unless
    /// `receiver` is gone by then. `work` must hold all that it needs by value.
    template <class Work, class Take>
    void work(QObject* receiver, Work work, Take take);

Q_SIGNALS:
    void opened(const homebooth::core::LibraryRecovery& recovery);
    void openFailed(const QString& message);
    void failed(const QString& message);
    /// A change is kept here alone, for its disk is full.
    void waitsForRoom(const QString& message);
    /// All that was kept is in the library now.
    void roomCame();

private:
    struct Desk; // what the library's thread works with
    void run(std::function<void(core::Library&)> work);
    /// On the library's thread: writes what is kept, in order. Errors: OutOfResources: no room for the rest
    core::Result<void> writeKept(core::Library& library);
    void report(const core::Error& error);
    void backUpNowAndThen();

    QTimer m_backUps;
    QTimer m_tries; ///< while changes wait for room
    QThread m_thread;
    QObject* m_worker = nullptr; // lives on m_thread
    std::shared_ptr<Desk> m_desk;
    std::vector<Change> m_last;
    WayBack m_back;
    QString m_path;
    State m_state = State::Closed;
};

template <class T>
void LibraryService::ask(QObject* receiver, std::function<core::Result<T>(core::Library&)> question,
                         std::function<void(const T&)> take) {
    run([this, back = WayBack(receiver), question = std::move(question),
         take = std::move(take)](core::Library& library) {
        auto answer = std::make_shared<core::Result<T>>(question(library));
        if (!*answer) return report(answer->error());
        back.call([answer, take] { take(**answer); });
    });
}

template <class Work, class Take>
void LibraryService::work(QObject* receiver, Work work, Take take) {
    run([back = WayBack(receiver), work = std::move(work), take = std::move(take)](core::Library& library) {
        auto bound = [&work, &library] { return work(library); };
        workAndReturn(back, bound, take);
    });
}

} // namespace homebooth::app
