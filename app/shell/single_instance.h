// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One window a library: a second start hands the first one its files and the token by which a window may come
// up, and ends. A first one that is closing takes nothing any more; then the second waits until it has gone
// and becomes the first itself. Files are taken in two steps: who was not answered in time does not say the
// second word, and the first drops them.
// Invariant: neither speaks to a process of another user.
// Owned by main, made before everything that is to be over when the next one begins; GUI thread.
#pragma once

#include "core/base/run/run_folder.h"

#include <QLocalServer>
#include <QObject>
#include <QStringList>

#include <optional>

namespace homebooth::app {

class SingleInstance : public QObject {
    Q_OBJECT
public:
    /// @param patienceMs  how long a second start waits for an answer or for the first one's end
    explicit SingleInstance(int patienceMs = 15'000, QObject* parent = nullptr);

    enum class Role {
        First,  ///< this one listens from now on
        Second, ///< another window took the files
        Unheard ///< another one is there and answers nothing
    };
    /// Blocks until it is clear who is first.
    [[nodiscard]] Role begin(const QStringList& files);

    /// Says in a window of its own that another one is there and answers nothing, and whose it is where it is
    /// another user's; returns once it was read.
    static void tellUnheard();

    /// From now on who asks is told to wait: the window is closed.
    void close();

Q_SIGNALS:
    /// @param token  by which the compositor lets the window come up, as `bringUp` takes it; may be empty
    void asked(const QStringList& files, const QByteArray& token);

private:
    /// @returns whether another window took the files
    [[nodiscard]] bool handOver(const QStringList& files) const;
    void listen();
    void answer();

    /// Who holds it is the first. The kernel lets it go with its process; that the file names a living one
    /// says nothing, since it may have been written on another system or before a crash.
    std::optional<core::RunLock> m_lock;
    QLocalServer m_server;
    int m_patienceMs;
    bool m_closing = false;
};

} // namespace homebooth::app
