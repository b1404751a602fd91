// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells that jobs have ended or need somebody: by a notification of the desktop while the window lives,
// however small it is, and by a message when it is opened again. A supervisor that outlives the window tells
// the desktop in the words that this leaves in the queue's folder, and keeps quiet while this holds the
// window's lock there. Owned by the main window; GUI thread.
#pragma once

#include "app/shell/services.h"
#include "core/base/run/run_folder.h"

#include <QObject>
#include <QSet>

#include <optional>

namespace homebooth::app {

class Notices : public QObject {
    Q_OBJECT
public:
    /// @param window  who looks at it sees what pictures become
    Notices(Services services, QWidget& window);
    /// What ends from now on is news at the next start.
    void close();

Q_SIGNALS:
    /// What ended while the window was closed, or was cut off with it. @param well  it was finished
    void missed(const QString& text, const QString& runFolder, bool well);

private:
    void runEnded(const QString& folder);
    /// Once of a training that waits for room on its disk, until it learns again.
    void tellFullDisks();
    void picturesEnded(bool complete);
    void tellMissed();
    /// Of a run that failed while nobody looked. @param cutOffAlone  else it is no news
    void tellFailed(const QString& folder, const QString& title, bool cutOffAlone);
    [[nodiscard]] QString failedText(const QString& folder, const QString& title, bool cutOff) const;
    /// What a supervisor says without a window, or that it says nothing.
    void leaveWords();
    void tell(const QString& title, const QString& text);

    Services m_services;
    QWidget& m_window;
    std::optional<core::RunLock> m_lock;
    bool m_toldMissed = false;
    QSet<QString> m_full; // folders of runs that wait, as was told
};

} // namespace homebooth::app
