// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/single_instance.h"

#include "app/engine/places.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalSocket>
#include <QMessageBox>
#include <QThread>

#include <utility>

namespace homebooth::app {
namespace {

constexpr int kAnswerMs = 1000;
constexpr int kPauseMs = 50;
constexpr const char* kTaken = "taken\n";
constexpr const char* kClosing = "closing\n";

} // namespace

SingleInstance::SingleInstance(int patienceMs, QObject* parent)
    : QObject(parent)
    , m_patienceMs(patienceMs) {
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
}

void SingleInstance::answer() {
    QLocalSocket* socket = m_server.nextPendingConnection();
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] {
        if (!socket->canReadLine()) return;
        QStringList files;
        for (const QJsonValue& file : QJsonDocument::fromJson(socket->readLine()).array())
            files.append(file.toString());
        socket->write(m_closing ? kClosing : kTaken);
        socket->disconnectFromServer();
        if (!m_closing) Q_EMIT asked(files);
    });
}

SingleInstance::Role SingleInstance::begin(const QStringList& files) {
    // One a library: another user's, or a test's with folders of its own, is none of ours.
    const QByteArray who =
        QCryptographicHash::hash(dataFolder().toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString name = QStringLiteral("homebooth-window-") + QString::fromLatin1(who);
    QDir().mkpath(dataFolder());
    const std::string file = dataFolder().toStdString() + "/window.lock";
    QElapsedTimer waited;
    waited.start();
    do {
        auto lock = core::RunLock::tryAcquire(file, "the window");
        if (lock && *lock) {
            m_lock = std::move(*lock);
            listen(name);
            return Role::First;
        }
        if (handOver(name, files)) return Role::Second;
        // A folder that cannot be written to: the library says what is wrong with it, in a window.
        if (!lock) {
            listen(name);
            return Role::First;
        }
        QThread::msleep(kPauseMs);
    } while (waited.elapsed() < m_patienceMs);
    return Role::Unheard;
}

bool SingleInstance::handOver(const QString& name, const QStringList& files) const {
    QLocalSocket socket;
    socket.connectToServer(name);
    if (!socket.waitForConnected(kAnswerMs)) return false;
    QJsonArray list;
    for (const QString& file : files) list.append(QFileInfo(file).absoluteFilePath());
    socket.write(QJsonDocument(list).toJson(QJsonDocument::Compact) + '\n');
    socket.waitForBytesWritten(kAnswerMs);
    QElapsedTimer waited;
    waited.start();
    // The window may be busy: its files must not be handed over twice, so the answer is waited for.
    while (!socket.canReadLine() && waited.elapsed() < m_patienceMs)
        if (!socket.waitForReadyRead(kAnswerMs) && socket.state() != QLocalSocket::ConnectedState) break;
    return socket.readLine() == kTaken;
}

void SingleInstance::listen(const QString& name) {
    QLocalServer::removeServer(name); // a dead one's
    m_server.listen(name);
}

void SingleInstance::tellUnheard() {
    QMessageBox box(QMessageBox::Information, QStringLiteral("Homebooth"),
                    tr("Homebooth is open already and does not answer."), QMessageBox::Close);
    box.setInformativeText(
        tr("It may still be writing after its window was closed, e.g. copying the photos of "
           "a training. Start Homebooth again in a moment."));
    box.exec();
}

void SingleInstance::close() {
    m_closing = true;
}

} // namespace homebooth::app
