// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Work off the GUI thread whose answer comes back to an object of it, unless that is gone by then.
// Free functions of the owner's thread; what is called back runs there, too. Invariant: nothing of the owner
// is touched by another thread, so closing the window in the midst of any work is safe.
#pragma once

#include <QThreadPool>

#include <chrono>
#include <functional>
#include <memory>
#include <type_traits>

class QObject;

namespace homebooth::app {

/// The way back to an object from any thread. Copies lead to the same object.
class WayBack {
public:
    /// To be made on the owner's thread.
    explicit WayBack(QObject* owner);

    /// Calls `what` on the owner's thread once its event loop turns; never if the owner is gone by then.
    /// Any thread.
    void call(std::function<void()> what) const;

private:
    struct Handle;
    std::shared_ptr<Handle> m_handle;
};

/// Calls `work`, then `done` with what it returned (nothing for void) by way of `back`.
template <class Work, class Done>
void workAndReturn(const WayBack& back, Work& work, const Done& done) {
    using Answer = std::invoke_result_t<Work>;
    if constexpr (std::is_void_v<Answer>) {
        work();
        back.call(done);
    } else {
        auto answer = std::make_shared<Answer>(work()); // may be large, or not to be copied
        back.call([answer, done] { done(*answer); });
    }
}

/// Threads for what may take long: hashing, importing, pictures, a disk that does not answer. Qt's own pool
/// is left to Qt: large areas are painted by its threads, too, and the GUI thread waits for them (Qt 6.4).
/// Lives as long as the program. Any thread.
[[nodiscard]] QThreadPool& workPool();

/// Threads that look through folders for what the library lacks, and at the files that it names. A drive that
/// does not answer holds one of them, and nothing else. Lives as long as the program. Any thread.
[[nodiscard]] QThreadPool& lookPool();

/// Says that the disk answers: who writes for long (drive_pools.h, writeDrives) calls it for each file, or
/// the program's end waits no more. Any thread.
void tellWriting();

/// Ends the program when that much time has passed in which no disk answered that is written to, whatever
/// waits then: a drive that does not answer must not hold a closed window, beside which none opens. The one
/// limit for all that is written at the end. Call when the event loop has ended.
/// @param silence  enough for one large file on a slow drive
void endInTime(std::chrono::milliseconds silence = std::chrono::seconds(30));

/// Does `work` on a thread of the pool and hands what it returns to `done` on the owner's thread. `work` must
/// hold all that it needs by value; `done` may use the owner.
/// @param priority  of the pool: higher ones are begun first
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done, QThreadPool* pool = &workPool(), int priority = 0) {
    pool->start([back = WayBack(owner), work = std::move(work),
                 done = std::move(done)]() mutable { workAndReturn(back, work, done); },
                priority);
}

} // namespace homebooth::app
