// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A message that counts while files are worked on off the GUI thread, with a way to stop that.
// Belongs to its message bar; GUI thread.
#pragma once

#include "app/library/work_count.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>

namespace homebooth::app {

class MessageBar;

class ProgressMessage : public QObject {
    Q_OBJECT
public:
    /// What it says; `total` is 0 while nobody knows it. As a message has it, so escaped.
    using Text = std::function<QString(int done, int total)>;
    /// @param afterMs  what is over sooner is not told
    ProgressMessage(MessageBar& bar, QString key, std::shared_ptr<WorkCount> count, Text text,
                    int afterMs = 0);

    /// The work is over: the message goes, and this with it.
    void end();

private:
    void tell();

    MessageBar& m_bar;
    QString m_key;
    std::shared_ptr<WorkCount> m_count;
    Text m_text;
    QTimer m_timer;
    bool m_shown = false;
};

} // namespace homebooth::app
