// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/run/control/control.h"

#include <QtTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

/// Speaks to a socket without the protocol's help.
class RawClient {
public:
    RawClient()
        : m_descriptor(::socket(AF_UNIX, SOCK_STREAM, 0)) {}
    explicit RawClient(const std::string& path)
        : RawClient() {
        m_connected = connectTo(path);
    }
    bool connectTo(const std::string& path) const {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        const timeval patience{5, 0};
        ::setsockopt(m_descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        return ::connect(m_descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawClient() { ::close(m_descriptor); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    bool connected() const { return m_connected; }
    void send(const std::string& text) const {
        for (size_t sent = 0; sent < text.size();) {
            const ssize_t count = ::send(m_descriptor, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
            if (count <= 0) return;
            sent += static_cast<size_t>(count);
        }
    }
    /// What came up to a line break or the end.
    std::string receive() const {
        std::string text;
        char letter = 0;
        while (::recv(m_descriptor, &letter, 1, 0) == 1 && letter != '\n') text += letter;
        return text;
    }

private:
    int m_descriptor;
    bool m_connected = false;
};

} // namespace

class tst_control : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_path;
    std::string m_controlFile;

    std::unique_ptr<ControlServer> serve(ControlHandler handler) const {
        auto server = ControlServer::start(m_path, m_controlFile, std::move(handler));
        return server ? std::move(server).value() : nullptr;
    }

private slots:
    void initTestCase() { qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8()); }

    void init() {
        m_path = *controlSocketPath("/some/run");
        m_controlFile = m_folder.filePath("control").toStdString();
    }

    void everyCommandArrives() {
        std::atomic<int> last{-1};
        const auto server = serve([&last](const ControlCommand& command) {
            last = static_cast<int>(command.verb);
            return ControlReply{true, "heard", "{\"step\":3}"};
        });
        QVERIFY(server != nullptr);
        for (const ControlVerb verb :
             {ControlVerb::Pause, ControlVerb::Resume, ControlVerb::Stop, ControlVerb::Finish,
              ControlVerb::SaveNow, ControlVerb::SampleNow, ControlVerb::Status}) {
            const auto reply = sendControl(m_controlFile, {verb, {}});
            QVERIFY2(reply.ok(), reply ? "" : reply.error().message.c_str());
            QCOMPARE(last.load(), static_cast<int>(verb));
            QCOMPARE(reply->detail, std::string("{\"step\":3}"));
        }
    }

    void requestsTravelWithGenerate() {
        std::string seen;
        const auto server = serve([&seen](const ControlCommand& command) {
            seen = command.request;
            return ControlReply{};
        });
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Generate, "{\"prompt\":\"ä \\n\"}"}).ok());
        QCOMPARE(seen, std::string("{\"prompt\":\"ä \\n\"}"));
    }

    void foldersTravelWithElsewhere() {
        std::string seen;
        const auto server = serve([&seen](const ControlCommand& command) {
            if (command.verb == ControlVerb::Elsewhere) seen = command.folder;
            return ControlReply{};
        });
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Elsewhere, {}, "/media/\"ä\" disk"})->ok);
        QCOMPARE(seen, std::string("/media/\"ä\" disk"));
        QVERIFY(!sendControl(m_controlFile, {ControlVerb::Elsewhere, {}, "disk"})->ok); // of whom?
        QVERIFY(parseControlLine("{\"command\":\"pause\",\"battery\":true}")->battery);
        QVERIFY(!parseControlLine("{\"command\":\"pause\"}")->battery);
        QVERIFY(!sendControl(m_controlFile, {ControlVerb::Elsewhere, {}})->ok);
        QCOMPARE(seen, std::string("/media/\"ä\" disk"));
    }

    void onlyTheOwnerGetsIn() {
        const auto server = serve([](const ControlCommand&) { return ControlReply{}; });
        struct stat status {};
        QCOMPARE(::stat(m_path.c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777, mode_t{0600});
        QCOMPARE(::stat(fs::path(m_path).parent_path().c_str(), &status), 0);
        QCOMPARE(status.st_mode & 0777, mode_t{0700});
        fs::permissions(fs::path(m_path).parent_path(), fs::perms(0755));
        const auto elsewhere = controlSocketPath("/another/run");
        QVERIFY(elsewhere.ok());
        QVERIFY(fs::path(*elsewhere).parent_path() != fs::path(m_path).parent_path());
        std::error_code inUse;
        fs::remove(fs::path(*elsewhere).parent_path(), inUse);
        fs::permissions(fs::path(m_path).parent_path(), fs::perms(0700));
    }

    void garbageGetsAnAnswerAndTheServerLives_data() {
        QTest::addColumn<QByteArray>("garbage");
        QTest::newRow("empty line") << QByteArray("\n");
        QTest::newRow("no JSON") << QByteArray("GET / HTTP/1.1\n");
        QTest::newRow("no object") << QByteArray("[1]\n");
        QTest::newRow("no command") << QByteArray("{\"x\":1}\n");
        QTest::newRow("number") << QByteArray("{\"command\":3}\n");
        QTest::newRow("unknown") << QByteArray("{\"command\":\"format disk\"}\n");
        QTest::newRow("no request") << QByteArray("{\"command\":\"generate\"}\n");
        QTest::newRow("bytes") << QByteArray("\xff\x00\xfe\n", 4);
        QTest::newRow("deep") << QByteArray(60000, '[') + "\n";
        QTest::newRow("deep request")
            << "{\"command\":\"generate\",\"request\":{\"a\":" + QByteArray(30000, '[') +
                   QByteArray(30000, ']') + "}}\n";
    }
    void garbageGetsAnAnswerAndTheServerLives() {
        QFETCH(QByteArray, garbage);
        const auto server = serve([](const ControlCommand&) { return ControlReply{true, "fine", {}}; });
        const RawClient client(m_path);
        QVERIFY(client.connected());
        client.send(garbage.toStdString());
        const QJsonObject answer =
            QJsonDocument::fromJson(QByteArray::fromStdString(client.receive())).object();
        QVERIFY(answer.contains("ok"));
        QVERIFY(!answer["message"].toString().isEmpty());
        QVERIFY(!answer["message"].toString().contains("status, generate")); // which no run does
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
    }

    void aLineWithoutEndIsCutOff() {
        const auto server = serve([](const ControlCommand&) { return ControlReply{}; });
        const RawClient client(m_path);
        client.send(std::string(kControlLineBytes * 4, 'x'));
        QVERIFY(client.receive().find("too long") != std::string::npos);
        QCOMPARE(client.receive(), std::string());
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
    }

    void severalCommandsMayComeAtOnceAndInPieces() {
        int count = 0;
        const auto server = serve([&count](const ControlCommand&) {
            ++count;
            return ControlReply{true, std::to_string(count), {}};
        });
        const RawClient client(m_path);
        client.send("{\"command\":\"pause\"}\n{\"command\":\"resume\"}\n{\"comm");
        QVERIFY(client.receive().find("\"1\"") != std::string::npos);
        QVERIFY(client.receive().find("\"2\"") != std::string::npos);
        client.send("and\":\"status\"}\n");
        QVERIFY(client.receive().find("\"3\"") != std::string::npos);
    }

    void whereMemoryRunsOutTheServerLives() {
        std::atomic<bool> lacksMemory{true};
        const auto server = serve([&lacksMemory](const ControlCommand&) {
            if (lacksMemory.exchange(false)) throw std::bad_alloc();
            return ControlReply{true, "fine", {}};
        });
        const RawClient client(m_path);
        client.send("{\"command\":\"status\"}\n");
        QCOMPARE(client.receive(), std::string());
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
    }

    void manyIdleClientsDoNotBlockTheOwner() {
        const auto server = serve([](const ControlCommand&) { return ControlReply{}; });
        std::vector<std::unique_ptr<RawClient>> idle;
        for (int index = 0; index < 300; ++index) {
            idle.push_back(std::make_unique<RawClient>(m_path));
            QVERIFY(idle.back()->connected());
        }
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
    }

    void whoTalksIsKeptAheadOfThoseWhoAreIdle() {
        const auto server = serve([](const ControlCommand&) { return ControlReply{true, "fine", {}}; });
        const auto answered = [](const RawClient& client) {
            client.send("{\"command\":\"status\"}\n");
            return client.receive().find("fine") != std::string::npos;
        };
        const RawClient talking(m_path);
        std::vector<std::unique_ptr<RawClient>> idle;
        for (int index = 0; index < 60; ++index) {
            idle.push_back(std::make_unique<RawClient>(m_path));
            QVERIFY(answered(*idle.back())); // it was let in, and is idle from here on
            if (index % 10 == 0) QVERIFY(answered(talking));
        }
        QCOMPARE(idle.front()->receive(), std::string()); // hung up on
    }

    void whoCannotBeLetInCostsNoProcessorTime() {
        const auto server = serve([](const ControlCommand&) { return ControlReply{true, "fine", {}}; });
        QVERIFY(server != nullptr);
        const RawClient client; // its descriptor is there before there are no more
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        const int next = ::dup(STDERR_FILENO);
        ::close(next);
        rlimit none = before;
        none.rlim_cur = static_cast<rlim_t>(next);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &none), 0);
        const bool connected = client.connectTo(m_path);
        const std::clock_t began = std::clock();
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        const std::clock_t used = std::clock() - began; // of all threads
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &before), 0);
        QVERIFY(connected);
        QVERIFY2(used < CLOCKS_PER_SEC / 10, std::to_string(used).c_str());
        client.send("{\"command\":\"status\"}\n");
        QVERIFY(client.receive().find("fine") != std::string::npos); // it kept waiting and is heard now
    }

    void aWorkerThatIsStoppedHoldsNobodyUp() {
        const int stopped = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        m_path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        QCOMPARE(::bind(stopped, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        QCOMPARE(::listen(stopped, 1), 0); // two fit into its queue, and it takes none out
        std::ofstream(m_controlFile) << m_path << "\n";
        for (int attempt = 0; attempt < 4; ++attempt) {
            const auto reply = sendControl(m_controlFile, {ControlVerb::Status, {}}, 50);
            QVERIFY(!reply.ok());
            QVERIFY2(reply.error().message.find("did not answer") != std::string::npos,
                     reply.error().message.c_str());
        }
        ::close(stopped);
        fs::remove(m_path);
        fs::remove(m_controlFile);
    }

    void aDeadSocketIsReplacedAndALivingOneIsNot() {
        const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        m_path.copy(address.sun_path, sizeof(address.sun_path) - 1);
        QCOMPARE(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ::close(dead);
        const auto server = serve([](const ControlCommand&) { return ControlReply{}; });
        QVERIFY(server != nullptr);
        QVERIFY(serve([](const ControlCommand&) { return ControlReply{}; }) == nullptr);
        QVERIFY(sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
    }

    void nothingIsLeftBehind() {
        serve([](const ControlCommand&) { return ControlReply{}; }).reset();
        QVERIFY(!fs::exists(m_path));
        QVERIFY(!fs::exists(m_controlFile));
        const auto reply = sendControl(m_controlFile, {ControlVerb::Stop, {}});
        QVERIFY(!reply.ok());
        std::ofstream(m_controlFile) << m_path << "\n";
        QVERIFY(!sendControl(m_controlFile, {ControlVerb::Stop, {}}).ok());
        fs::remove(m_controlFile);
    }

    void anotherPlaceIsTakenWhereSomebodyElseHasTheFirst() {
        const std::string usual = "/tmp/homebooth-" + std::to_string(::getuid());
        if (fs::exists(usual)) QSKIP("the usual folder is in use");
        const auto putBack = qScopeGuard([before = qgetenv("XDG_RUNTIME_DIR")] {
            qunsetenv("XDG_CACHE_HOME");
            qputenv("XDG_RUNTIME_DIR", before);
        });
        qputenv("XDG_RUNTIME_DIR", "/nonexistent");
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        const auto path = controlSocketPath("/some/run");
        QVERIFY(path.ok() && path->starts_with(usual + "/"));
        fs::permissions(usual, fs::perms(0755)); // as of another user's
        const auto other = controlSocketPath("/some/run");
        std::error_code inUse; // by another test, which wants it as it was
        fs::permissions(usual, fs::perms(0700), inUse);
        fs::remove(usual, inUse);
        QVERIFY(other.ok());
        QVERIFY(other->starts_with(m_folder.filePath("cache/homebooth/sockets/").toStdString()));
        const auto server =
            ControlServer::start(*other, m_controlFile, [](const ControlCommand&) { return ControlReply{}; });
        QVERIFY(server.ok() && sendControl(m_controlFile, {ControlVerb::Status, {}}).ok());
        QVERIFY(path->size() <= 107 && other->size() <= 107);
    }

    void aFileInTheWayIsKept() {
        std::ofstream(m_path) << "precious";
        QVERIFY(serve([](const ControlCommand&) { return ControlReply{}; }) == nullptr);
        QVERIFY(fs::exists(m_path));
        fs::remove(m_path);
    }

    void pathsStayWithinTheLimitOfSockets() {
        const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
        const QString deep = m_folder.filePath(QString(90, QChar('d')));
        QVERIFY(QDir().mkpath(deep));
        qputenv("XDG_RUNTIME_DIR", deep.toUtf8());
        const auto path = controlSocketPath("/some/run");
        qputenv("XDG_RUNTIME_DIR", before);
        QVERIFY(path.ok());
        QVERIFY(path->size() <= 107);
    }
};

QTEST_APPLESS_MAIN(tst_control)
#include "tst_control.moc"
