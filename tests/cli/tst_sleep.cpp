// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A supervisor keeps the machine awake from its first job to its last, and no longer than it lives. A program
// of the test's own stands in for systemd-inhibit, and once a logind of the test's own is asked by the real
// one.
#include "core/base/run/job_queue.h"
#include "tests/cli/supervised.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVirtualObject>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

/// Answers calls of Inhibit and keeps what it was asked.
class Logind : public QDBusVirtualObject {
public:
    ~Logind() override {
        if (m_lock >= 0) ::close(m_lock);
    }
    [[nodiscard]] QString introspect(const QString&) const override { return {}; }
    bool handleMessage(const QDBusMessage& message, const QDBusConnection& bus) override {
        int ends[2];
        if (message.member() != QLatin1String("Inhibit") || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
            return false;
        asked.append(message.arguments().value(0).toString());
        bus.send(message.createReply(QVariant::fromValue(QDBusUnixFileDescriptor(ends[1]))));
        ::close(ends[1]);
        if (m_lock >= 0) ::close(m_lock);
        m_lock = ends[0];
        return true;
    }
    /// Whether nobody holds the other end of the last lock.
    [[nodiscard]] bool released() const {
        char byte = 0;
        return m_lock >= 0 && ::read(m_lock, &byte, 1) == 0;
    }
    QStringList asked;

private:
    int m_lock = -1;
};

} // namespace

class tst_sleep : public Supervised {
    Q_OBJECT

    QString awake() const { return m_folder.filePath("awake"); }

    /// What became of the lock, one word a line: "taken", "given".
    QStringList told() const {
        return QString::fromStdString(readAll(awake().toStdString())).split('\n', Qt::SkipEmptyParts);
    }

    void startSupervisor(QProcess& process) const {
        QProcessEnvironment values = environment("until told");
        values.insert("PATH", m_folder.filePath("tools") + ":" + values.value("PATH"));
        values.insert("AWAKE", awake());
        process.setProcessEnvironment(values);
        process.start(m_engine, {"supervise"});
    }

    /// What the worker of a run is to do now.
    static void tell(const QString& folder, const char* how) {
        std::ofstream(folder.toStdString() + "/end") << how << '\n';
    }

    /// Whether the worker of a run that was done once works on it again.
    static bool works(const QString& folder) {
        return QTest::qWaitFor(
            [&folder] {
                const auto found = readHistory(folder.toStdString() + "/events.jsonl");
                return found.ok() && found->steps.size() == 2;
            },
            20000);
    }

private slots:
    void initTestCase() {
        makePrograms();
        QVERIFY(QDir().mkpath(m_folder.filePath("tools")));
        QFile program(m_folder.filePath("tools/systemd-inhibit"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/bash\n"
                      "trap 'echo given >>\"$AWAKE\"; kill $!; exit 0' TERM\n"
                      "[[ \"$*\" == *--what=sleep:idle* ]] && echo taken >>\"$AWAKE\"\n"
                      "\"${@:5}\" &\n"
                      "wait\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }
    void init() {
        beginAgain();
        QFile::remove(awake());
        QCOMPARE(run(trainArguments(), "done").code, 0);
    }

    void isTakenForAllOfTheQueueAndGivenBackAtItsEnd() {
        const QString second = m_folder.filePath("second");
        fs::remove_all(second.toStdString());
        QStringList arguments = trainArguments();
        arguments.last() = second;
        QCOMPARE(run(arguments, "done").code, 0);
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(queue.add(second.toStdString()).ok());
        QProcess process;
        startSupervisor(process);
        QVERIFY(works(m_run));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList("taken"), 10000);
        tell(m_run, "done");
        QVERIFY(works(second));
        QCOMPARE(told(), QStringList("taken")); // not given back between two jobs
        tell(second, "done");
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(told(), QStringList({"taken", "given"}));
    }

    void isGivenBackWhenTheWorkerCrashes_data() {
        QTest::addColumn<QByteArray>("how");
        for (const char* how : {"segv", "kill", "abort"}) QTest::newRow(how) << QByteArray(how);
    }

    void isGivenBackWhenTheWorkerCrashes() {
        QFETCH(QByteArray, how);
        QVERIFY(JobQueue(queueFolder()).add(m_run.toStdString()).ok());
        QProcess process;
        startSupervisor(process);
        QVERIFY(works(m_run));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList("taken"), 10000);
        tell(m_run, how.constData());
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(told(), QStringList({"taken", "given"}));
    }

    void isNotKeptForASupervisorThatWasKilled() {
        QVERIFY(JobQueue(queueFolder()).add(m_run.toStdString()).ok());
        QProcess process;
        startSupervisor(process);
        QVERIFY(works(m_run));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList("taken"), 10000);
        process.kill();
        QVERIFY(process.waitForFinished(30000));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList({"taken", "given"}), 10000);
        tell(m_run, "done"); // whoever still works on it
        QTRY_VERIFY_WITH_TIMEOUT(lockIsFree(), 20000);
    }

    void isLogindsLock() {
        const QString daemon = QStandardPaths::findExecutable("dbus-daemon");
        if (daemon.isEmpty()) QSKIP("there is no dbus-daemon");
        const QString inhibit = QStandardPaths::findExecutable("systemd-inhibit");
        if (inhibit.isEmpty()) QSKIP("there is no systemd-inhibit");
        QProcess bus;
        bus.start(daemon, {"--session", "--nofork", "--print-address"});
        QTRY_VERIFY_WITH_TIMEOUT(bus.canReadLine(), 10000);
        const QString address = QString::fromUtf8(bus.readLine().trimmed());
        Logind logind;
        QDBusConnection connection = QDBusConnection::connectToBus(address, "logind");
        QVERIFY(connection.registerService("org.freedesktop.login1"));
        QVERIFY(connection.registerVirtualObject("/org/freedesktop/login1", &logind));
        QProcessEnvironment values = environment("until told");
        values.insert("DBUS_SYSTEM_BUS_ADDRESS", address);
        QProcess probe;
        probe.setProcessEnvironment(values);
        probe.start(inhibit, {"--what=sleep", "--who=test", "--why=test", "--mode=block", "true"});
        QTRY_VERIFY_WITH_TIMEOUT(probe.state() == QProcess::NotRunning, 30000);
        const bool reaches = logind.asked == QStringList("sleep");
        if (reaches) {
            QVERIFY(JobQueue(queueFolder()).add(m_run.toStdString()).ok());
            QProcess process;
            process.setProcessEnvironment(values);
            process.start(m_engine, {"supervise"});
            QTRY_COMPARE_WITH_TIMEOUT(logind.asked, QStringList({"sleep", "sleep:idle"}), 20000);
            QVERIFY(works(m_run));
            QVERIFY(!logind.released());
            tell(m_run, "segv");
            QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, 30000);
            QTRY_VERIFY_WITH_TIMEOUT(logind.released(), 10000);
        }
        QDBusConnection::disconnectFromBus("logind");
        bus.kill();
        bus.waitForFinished();
        if (!reaches) QSKIP("systemd-inhibit asks no other logind than that of the machine");
    }
};

QTEST_GUILESS_MAIN(tst_sleep)
#include "tst_sleep.moc"
