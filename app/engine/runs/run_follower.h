// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Follows a run's journal on a thread of its own and hands over what is new, in pieces that the GUI thread
// takes in no time. Also says whether somebody works on the run, how it is set and whether a model came out:
// nobody else looks into the folder. Owned by its RunSession; GUI thread. Invariant: nobody waits for its
// disk but the program's end, and that not for long.
#pragma once

#include "app/engine/runs/run_data.h"

#include <QObject>
#include <QThread>

namespace homebooth::app {

class RunFollower : public QObject {
    Q_OBJECT
public:
    explicit RunFollower(const QString& runFolder, QObject* parent = nullptr);
    ~RunFollower() override;

    void start();

Q_SIGNALS:
    void updated(const homebooth::app::RunUpdate& update);
    /// The journal cannot be read.
    void failed(const QString& message);

private:
    QString m_folder;
    QThread* m_thread = nullptr; ///< ends by itself, as soon as its disk lets it
};

} // namespace homebooth::app

Q_DECLARE_METATYPE(homebooth::app::RunUpdate)
