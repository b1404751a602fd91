// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/single_instance.h"

#include "app/engine/places.h"
#include "app/widgets/bring_up.h"
#include "core/base/files/atomic_file.h"
#include "core/base/run/control/control.h"
#include "core/base/util/log.h"
#include "core/base/util/regular_file.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocalSocket>
#include <QMessageBox>
#include <QThread>

#include <memory>
#include <optional>
#include <pwd.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace homebooth::app {
namespace {

constexpr int kAnswerMs = 1000;
constexpr int kPauseMs = 50;
constexpr const char* kTaken = "taken\n";
constexpr const char* kClosing = "closing\n";
constexpr const char* kGo = "go\n"; // whoever asked still waits for it

constexpr QLatin1String kFiles("files");
constexpr QLatin1String kToken("token");

/// What a second start hands over.
struct Asked {
    QStringList files;
    QByteArray token;
};

QByteArray lineOf(const Asked& asked) {
    QJsonArray list;
    for (const QString& file : asked.files) list.append(QFileInfo(file).absoluteFilePath());
    const QJsonObject all{{kFiles, list}, {kToken, QString::fromLatin1(asked.token)}};
    return QJsonDocument(all).toJson(QJsonDocument::Compact) + '\n';
}

Asked askedBy(const QByteArray& line) {
    const QJsonObject all = QJsonDocument::fromJson(line).object();
    Asked asked{{}, all[kToken].toString().toLatin1()};
    for (const QJsonValue& file : all[kFiles].toArray()) asked.files.append(file.toString());
    return asked;
}

/// What the other one says; empty where it says nothing in this time.
QByteArray answerOf(QLocalSocket& socket, int patienceMs) {
    QElapsedTimer waited;
    waited.start();
    while (!socket.canReadLine() && waited.elapsed() < patienceMs)
        if (!socket.waitForReadyRead(kAnswerMs) && socket.state() != QLocalSocket::ConnectedState) break;
    return socket.readLine();
}

std::string lockFile() {
    return dataFolder().toStdString() + "/window.lock";
}

/// Names the socket of the first one, whose runtime folder may be another one than that of the second.
std::string socketFile() {
    return dataFolder().toStdString() + "/window.socket";
}

/// Where the first one of this library is to listen.
core::Result<std::string> ownSocket() {
    return core::controlSocketPath("the window of " + dataFolder().toStdString());
}

/// Whether the first one of this user is reached, where it says that it listens or where it would.
bool reach(QLocalSocket& socket) {
    constexpr int64_t kLongestPath = 4096;
    for (const auto& path : {core::readRegularFile(socketFile(), kLongestPath), ownSocket()}) {
        if (!path || !path->starts_with('/')) continue;
        socket.connectToServer(QString::fromStdString(*path).trimmed());
        if (socket.waitForConnected(kAnswerMs) &&
            core::isSameUser(static_cast<int>(socket.socketDescriptor())))
            return true;
        socket.abort();
    }
    return false;
}

/// The process that holds the lock where that is none of Homebooth's; 0: there is none.
qint64 stranger() {
    const auto owner = core::RunLock::owner(lockFile());
    return owner ? owner->stranger : 0;
}

/// The user whose process is named as the first one, where that is somebody else; else empty.
QString otherUser() {
    const auto owner = core::RunLock::owner(lockFile());
    struct stat process {};
    if (!owner || owner->pid <= 0) return {};
    if (::stat(("/proc/" + std::to_string(owner->pid)).c_str(), &process) != 0) return {};
    if (process.st_uid == ::geteuid()) return {};
    const struct passwd* user = ::getpwuid(process.st_uid);
    return user != nullptr ? QString::fromLocal8Bit(user->pw_name) : QString::number(process.st_uid);
}

/// Shows words until they were read.
void tellAll(const QString& headline, const QString& detail) {
    QMessageBox box(QMessageBox::Information, QStringLiteral("Homebooth"), headline, QMessageBox::Close);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(detail);
    box.exec();
}

void tellLocked(qint64 process) {
    tellAll(SingleInstance::tr("Another program has locked your library."),
            SingleInstance::tr(
                "It is process %1 and none of Homebooth's. End it, or delete the file %2, which is "
                "made anew, and start Homebooth again.")
                .arg(QString::number(process), QString::fromStdString(lockFile())));
}

} // namespace

SingleInstance::SingleInstance(int patienceMs, QObject* parent)
    : QObject(parent)
    , m_patienceMs(patienceMs) {
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::answer);
}

void SingleInstance::answer() {
    QLocalSocket* socket = m_server.nextPendingConnection();
    if (!core::isSameUser(static_cast<int>(socket->socketDescriptor()))) return delete socket;
    connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
    const auto given = std::make_shared<std::optional<Asked>>();
    connect(socket, &QLocalSocket::readyRead, this, [this, socket, given] {
        if (!socket->canReadLine() || socket->state() != QLocalSocket::ConnectedState) return;
        const QByteArray line = socket->readLine();
        socket->write(m_closing ? kClosing : kTaken);
        const bool goes = *given && line == kGo;
        if (m_closing || *given) socket->disconnectFromServer();
        if (goes && !m_closing) Q_EMIT asked((*given)->files, (*given)->token);
        if (!*given) *given = askedBy(line); // whose sender may have said by now that nobody answers
    });
}

SingleInstance::Role SingleInstance::begin(const QStringList& files) {
    makeFolder(dataFolder());
    const std::string file = lockFile();
    QElapsedTimer waited;
    waited.start();
    do {
        auto lock = core::RunLock::tryAcquire(file, "the window");
        if (lock && *lock) {
            m_lock = std::move(*lock);
            listen();
            return Role::First;
        }
        if (handOver(files)) return Role::Second;
        // A folder that cannot be written to: the library says what is wrong with it, in a window.
        if (!lock) {
            listen();
            return Role::First;
        }
        QThread::msleep(kPauseMs);
    } while (waited.elapsed() < m_patienceMs);
    return Role::Unheard;
}

bool SingleInstance::handOver(const QStringList& files) const {
    QLocalSocket socket;
    if (!reach(socket)) return false;
    socket.write(lineOf({files, qgetenv(kActivationToken)}));
    socket.waitForBytesWritten(kAnswerMs);
    // The window may be busy: its files must not be handed over twice, so the answer is waited for. Where
    // none comes in time, it must not take them later.
    if (answerOf(socket, m_patienceMs) != kTaken) return false;
    socket.write(kGo);
    socket.waitForBytesWritten(kAnswerMs);
    const QByteArray last = answerOf(socket, m_patienceMs);
    const bool hears = last.isEmpty() && socket.state() == QLocalSocket::ConnectedState; // as soon as it can
    return last == kTaken || hears;
}

void SingleInstance::listen() {
    const auto path = ownSocket();
    const QString name = path ? QString::fromStdString(*path) : QString();
    if (path) QLocalServer::removeServer(name); // a dead one's
    if (path && m_server.listen(name)) {
        if (m_lock)
            static_cast<void>(core::writeFileAtomically(socketFile(), *path + "\n")); // else by reckoning
        return;
    }
    const std::string why = path ? m_server.errorString().toStdString() : path.error().text();
    core::log(core::LogLevel::Warning,
              "files that are opened with Homebooth cannot reach this window: " + why);
}

void SingleInstance::tellUnheard() {
    if (const qint64 process = stranger(); process > 0) return tellLocked(process);
    const QString other = otherUser();
    const QString headline = other.isEmpty() ? tr("Homebooth is open already and does not answer.")
                                             : tr("The user %1 has this library open.").arg(other);
    tellAll(headline,
            other.isEmpty()
                ? tr("It may still be writing after its window was closed, e.g. copying the photos of "
                     "a training. Start Homebooth again in a moment.")
                : tr("One window at a time can work with the library in %1. Close Homebooth there first, or "
                     "use a library of your own: it lies in your home folder where XDG_DATA_HOME is not set.")
                      .arg(dataFolder()));
}

void SingleInstance::close() {
    m_closing = true;
}

} // namespace homebooth::app
