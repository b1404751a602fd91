// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/single_instance.h"

#include "app/engine/places.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>

namespace homebooth::app {
namespace {
constexpr int kAnswerMs = 1000;
} // namespace

SingleInstance::SingleInstance(QObject* parent)
    : QObject(parent) {
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, [this] {
        QLocalSocket* socket = m_server.nextPendingConnection();
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
            if (!socket->canReadLine()) return;
            QStringList files;
            for (const QJsonValue& file : QJsonDocument::fromJson(socket->readLine()).array())
                files.append(file.toString());
            Q_EMIT asked(files);
            socket->disconnectFromServer();
        });
    });
}

bool SingleInstance::handOver(const QStringList& files) {
    // One a library: another user's, or a test's with folders of its own, is none of ours.
    const QByteArray who =
        QCryptographicHash::hash(dataFolder().toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString name = QStringLiteral("homebooth-window-") + QString::fromLatin1(who);
    QLocalSocket socket;
    socket.connectToServer(name);
    if (!socket.waitForConnected(kAnswerMs)) {
        listen(name);
        return false;
    }
    QJsonArray list;
    for (const QString& file : files) list.append(QFileInfo(file).absoluteFilePath());
    socket.write(QJsonDocument(list).toJson(QJsonDocument::Compact) + '\n');
    socket.waitForBytesWritten(kAnswerMs);
    socket.waitForDisconnected(kAnswerMs);
    return true;
}

void SingleInstance::listen(const QString& name) {
    if (m_server.listen(name)) return;
    QLocalServer::removeServer(name); // a dead one's
    m_server.listen(name);
}

} // namespace homebooth::app
