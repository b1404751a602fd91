// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said to those who listen, wherever the focus is. Screen readers read a name that changes of
// the focused widget alone, but a notification whenever it shows up: so each time this one hides and
// comes again. Nothing of it is seen. Belongs to the widget that speaks; GUI thread.
#pragma once

#include <QWidget>

namespace homebooth::app {

class SpokenStatus : public QWidget {
    Q_OBJECT
public:
    explicit SpokenStatus(QWidget* parent);

    /// Has it read out, at once or as soon as its parent comes into view. @param words  empty: nothing
    /// any more
    void say(const QString& words);
};

} // namespace homebooth::app
