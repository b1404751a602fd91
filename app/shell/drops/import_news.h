// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells what became of models that are imported together: of a few of each by itself, of many in one
// message.
// Owned by the window; GUI thread.
#pragma once

#include "app/widgets/message_bar.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QStringList>

#include <chrono>
#include <functional>

namespace homebooth::app {

class ImportNews {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::MainWindow)
public:
    /// @param messages  those of the page in view
    /// @param unsay     takes what has a key back, on whichever page it was told
    /// @param patience  without an answer what is asked for then counts anew: a drive may never answer
    ImportNews(std::function<MessageBar&()> messages, std::function<void(const QString& key)> unsay,
               std::chrono::milliseconds patience = std::chrono::minutes(1));
    /// So many more are looked at from now on.
    void begin(int count);
    /// @param word  of what is small it is a learned word
    void taken(bool addOn, bool word = false);
    /// @param headline, detail  plain
    void refused(const QString& headline, const QString& detail);

private:
    /// Counts one that nobody announced by itself.
    void countLone();
    /// Whether answers are still to come.
    [[nodiscard]] bool waits() const;
    /// On the page in view, and no longer on the one that was left.
    void tell(const Message& message);
    void tellAll();
    void showRefused(const QString& why) const;

    std::function<MessageBar&()> m_messages;
    std::function<void(const QString&)> m_unsay;
    std::chrono::milliseconds m_patience;
    QElapsedTimer m_last; ///< since somebody asked or was answered
    int m_asked = 0;
    int m_taken = 0;
    QStringList m_refused; ///< why, in lines
    QStringList m_apart;   ///< keys of what is told of each by itself
};

} // namespace homebooth::app
