// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the system says to this program: its environment, and signals to end. GUI thread.
#pragma once

#include <QObject>

namespace homebooth::app {

/// Before the application, and before any other thread: the user's folders, and a scale that Qt can paint
/// at (below 1 it paints next to nothing).
void settleSurroundings();

/// Turns the first SIGTERM or SIGHUP (logout, a closed terminal) into `asked`, so that the window closes
/// as by its user; another one ends the program at once. One a program.
class EndSignals : public QObject {
    Q_OBJECT
public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

Q_SIGNALS:
    void asked();

private:
    int m_reading = -1;
};

} // namespace homebooth::app
