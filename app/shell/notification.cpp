// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/notification.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QStringList>
#include <QVariantMap>

namespace homebooth::app {

void notify(const QString& title, const QString& text) {
    if (!QDBusConnection::sessionBus().isConnected()) return;
    QDBusMessage call = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    call << QStringLiteral("Homebooth") << 0U << QStringLiteral("homebooth") << title << text << QStringList()
         << QVariantMap() << -1;
    QDBusConnection::sessionBus().asyncCall(call);
}

} // namespace homebooth::app
