// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the machine awake while pictures are made, through logind where that is there; trainings have their
// supervisor for it. Owned by the main window; GUI thread, which never waits for the bus' answer.
#pragma once

#include <QDBusUnixFileDescriptor>
#include <QObject>
#include <QString>

namespace homebooth::app {

class Generator;

/// Whether this machine has a lid, which puts it to sleep in spite of every lock.
/// @param lids  has a folder for each, as the kernel says
[[nodiscard]] bool hasLid(const QString& lids = QStringLiteral("/proc/acpi/button/lid"));

class SleepLock : public QObject {
    Q_OBJECT
public:
    explicit SleepLock(Generator& generator, QObject* parent = nullptr);
    [[nodiscard]] bool held() const { return m_lock.isValid(); }

private:
    void set(bool wanted);

    bool m_wanted = false;
    QDBusUnixFileDescriptor m_lock; ///< logind lets go when it is closed
};

} // namespace homebooth::app
