// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells when files or folders change on the disk, or when the user comes back to the window, which is when
// they may have: no file system tells everything. What comes at once is told once. GUI thread; the disk is
// looked at by a thread of its own.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThread>
#include <QTimer>

namespace homebooth::app {

class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);
    ~FileWatch() override;

    /// Watches these instead of those before. In place of one that is not there its nearest folder is
    /// watched; of very many files some are left out, folders never.
    void set(const QStringList& paths);

Q_SIGNALS:
    void changed();

private:
    QThread* m_thread = nullptr; ///< left behind where a disk never answers
    QObject* m_desk = nullptr;   ///< lives on it
    QStringList m_paths;
    QTimer m_soon;
};

} // namespace homebooth::app
