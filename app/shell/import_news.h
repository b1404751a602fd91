// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells what became of models that are imported together: of a few of each by itself, of many in one
// message.
// Owned by the window; GUI thread.
#pragma once

#include "app/widgets/message_bar.h"

#include <QCoreApplication>
#include <QStringList>

#include <functional>

namespace homebooth::app {

class ImportNews {
    Q_DECLARE_TR_FUNCTIONS(homebooth::app::MainWindow)
public:
    /// @param messages  those of the page in view
    /// @param unsay     takes what has a key back, on whichever page it was told
    ImportNews(std::function<MessageBar&()> messages, std::function<void(const QString& key)> unsay);
    /// So many more are looked at from now on.
    void begin(int count);
    void taken(bool addOn);
    /// @param headline, detail  plain
    void refused(const QString& headline, const QString& detail);

private:
    /// Counts one that nobody announced by itself.
    void countLone();
    [[nodiscard]] int done() const { return m_taken + static_cast<int>(m_refused.size()); }
    /// On the page in view, and no longer on the one that was left.
    void tell(const Message& message);
    void tellAll();
    void showRefused(const QString& why) const;

    std::function<MessageBar&()> m_messages;
    std::function<void(const QString&)> m_unsay;
    int m_asked = 0;
    int m_taken = 0;
    QStringList m_refused; ///< why, in lines
    QStringList m_apart;   ///< keys of what is told of each by itself
};

} // namespace homebooth::app
