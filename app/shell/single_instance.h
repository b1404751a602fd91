// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One window a user: a second start hands its files to the first and ends. Owned by main; GUI thread.
#pragma once

#include <QLocalServer>
#include <QObject>
#include <QStringList>

namespace homebooth::app {

class SingleInstance : public QObject {
    Q_OBJECT
public:
    explicit SingleInstance(QObject* parent = nullptr);
    /// @returns whether another window took the files; else this one listens from now on
    [[nodiscard]] bool handOver(const QStringList& files);

Q_SIGNALS:
    void asked(const QStringList& files);

private:
    void listen(const QString& name);
    QLocalServer m_server;
};

} // namespace homebooth::app
