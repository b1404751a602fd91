// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/sleep_lock.h"

#include "app/engine/pictures/generator.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDir>

#include <utility>

namespace homebooth::app {

bool hasLid(const QString& lids) {
    return !QDir(lids).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot);
}

SleepLock::SleepLock(Generator& generator, QObject* parent)
    : QObject(parent) {
    connect(&generator, &Generator::changed, this, [this, &generator] { set(generator.busy()); });
    set(generator.busy());
}

void SleepLock::set(bool wanted) {
    if (std::exchange(m_wanted, wanted) == wanted) return;
    m_lock = {};
    if (!wanted || !QDBusConnection::systemBus().isConnected()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    call << QStringLiteral("sleep:idle") << QStringLiteral("Homebooth") << tr("Making pictures")
         << QStringLiteral("block");
    auto* answer = new QDBusPendingCallWatcher(QDBusConnection::systemBus().asyncCall(call), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QDBusUnixFileDescriptor> reply = *answer;
        answer->deleteLater();
        if (reply.isValid() && m_wanted) m_lock = reply.value();
    });
}

} // namespace homebooth::app
