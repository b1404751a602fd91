// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A supervisor keeps the machine awake from its first job to its last, and no longer than it lives; so do the
// verbs that work without one. A training saves before a sleep that comes all the same, and goes on behind
// one that ended it. While the battery is low it pauses, and the machine may sleep. Programs of the test's
// own stand in for systemd-inhibit and gdbus, and once a logind of the test's own is asked by the real ones.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/control/control.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/system/power_facts.h"
#include "tests/cli/supervised.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusUnixFileDescriptor>
#include <QDBusVirtualObject>

#include <csignal>
#include <fcntl.h>
#include <map>
#include <unistd.h>

using namespace homebooth::core;
using namespace homebooth::test;

namespace {

/// Answers calls of Inhibit and keeps what it was asked: what the lock is against, and its mode.
class Logind : public QDBusVirtualObject {
public:
    ~Logind() override {
        for (const auto& [what, lock] : m_locks) ::close(lock);
    }
    [[nodiscard]] QString introspect(const QString&) const override { return {}; }
    bool handleMessage(const QDBusMessage& message, const QDBusConnection& bus) override {
        int ends[2];
        if (message.member() != QLatin1String("Inhibit") || ::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
            return false;
        const QVariantList words = message.arguments();
        asked.append(words.value(0).toString() + ' ' + words.value(3).toString());
        bus.send(message.createReply(QVariant::fromValue(QDBusUnixFileDescriptor(ends[1]))));
        ::close(ends[1]);
        const auto [before, isFirst] = m_locks.try_emplace(asked.last(), ends[0]);
        if (!isFirst) ::close(std::exchange(before->second, ends[0]));
        return true;
    }
    /// Whether nobody holds the other end of the last such lock.
    [[nodiscard]] bool released(const QString& lock) const {
        char byte = 0;
        const auto found = m_locks.find(lock);
        return found != m_locks.end() && ::read(found->second, &byte, 1) == 0;
    }
    QStringList asked;

private:
    std::map<QString, int> m_locks; // by what was asked
};

constexpr const char* kAwakeLock = "sleep:idle block";
constexpr const char* kDelayLock = "sleep delay";

// As gdbus has it.
constexpr const char* kGoes =
    "/org/freedesktop/login1: org.freedesktop.login1.Manager.PrepareForSleep (true,)\n";
constexpr const char* kWoke =
    "/org/freedesktop/login1: org.freedesktop.login1.Manager.PrepareForSleep (false,)\n";

} // namespace

class tst_sleep : public Supervised {
    Q_OBJECT

    QString awake() const { return m_folder.filePath("awake"); }
    /// The lock that lets a sleep wait.
    QString delayed() const { return awake() + ".delay"; }
    QString signalsFile() const { return m_folder.filePath("signals"); }

    /// What became of a lock, one word a line: "taken", "given".
    static QStringList wordsOf(const QString& file) {
        return QString::fromStdString(readAll(file.toStdString())).split('\n', Qt::SkipEmptyParts);
    }
    QStringList told() const { return wordsOf(awake()); }
    QStringList delay() const { return wordsOf(delayed()); }

    /// What gdbus says from now on.
    void say(const QByteArray& words) const {
        std::ofstream(signalsFile().toStdString(), std::ios::app) << words.toStdString() << std::flush;
    }

    /// What the machine's battery does from now on.
    void supply(const char* status, const char* percent) const {
        const fs::path battery = m_folder.filePath("power/BAT0").toStdString();
        fs::create_directories(battery);
        const auto put = [&battery](const char* name, const char* text) { // nobody reads the half of it
            std::ofstream(battery / "new") << text << '\n';
            fs::rename(battery / "new", battery / name);
        };
        put("type", "Battery");
        put("capacity", percent);
        put("status", status);
    }

    /// The surroundings of an engine that finds the test's own programs.
    QProcessEnvironment surroundings(const QString& how) const {
        QProcessEnvironment values = environmentWithTools(how);
        values.insert("AWAKE", awake());
        values.insert("SIGNALS", signalsFile());
        values.insert(kPowerFolderVariable, m_folder.filePath("power"));
        return values;
    }

    void startSupervisor(QProcess& process, const QString& how = "until told") const {
        process.setProcessEnvironment(surroundings(how));
        process.start(m_engine, {"supervise"});
    }

    /// What can be asked of the engine without a supervisor.
    QStringList argumentsOf(const QString& verb) const {
        const QString out = m_folder.filePath("made");
        const QString fixtures = HOMEBOOTH_FIXTURES_DIR;
        if (verb == "resume") return {verb, m_run};
        if (verb == "serve") return {"sample", "--serve"};
        if (verb == "sample")
            return {verb,       "--model", fixtures + "/tiny-sd1", "--prompt", "x", "--device", "cpu",
                    "--output", out};
        if (verb == "generate")
            return {verb,       "--model", fixtures + "/language/opt", "--prompt", "x", "--device", "cpu",
                    "--output", out};
        QStringList arguments = trainArguments();
        arguments.last() = out;
        return arguments;
    }

    /// What the worker of a run is to do now.
    static void tell(const QString& folder, const char* how) {
        std::ofstream(folder.toStdString() + "/end") << how << '\n';
    }

    /// Whether the worker of a run that was done once works on it again.
    static bool works(const QString& folder, size_t attempts = 2) {
        return QTest::qWaitFor(
            [&folder, attempts] {
                const auto found = readHistory(folder.toStdString() + "/events.jsonl");
                return found.ok() && found->steps.size() == attempts;
            },
            kLongestMs);
    }

    /// Lets a supervisor go on with the run, which is learned from when this ends. @param lock  taken by then
    void goOn(QProcess& process, const QString& lock, const QString& how = "until told") const {
        QVERIFY(JobQueue(queueFolder()).add(m_run.toStdString()).ok());
        startSupervisor(process, how);
        QVERIFY(works(m_run));
        QTRY_COMPARE_WITH_TIMEOUT(wordsOf(lock), QStringList("taken"), kLongestMs);
    }

    /// Of what the training says when it goes on behind a sleep.
    QStringList saidOfSleep() const {
        QStringList said;
        for (const WarningEvent& warning : history().warnings)
            if (warning.code == "after-sleep") said.append(QString::fromStdString(warning.message));
        return said;
    }

    void saveCheckpoint() const {
        auto checkpoint = AtomicFolder::create(RunFolder::open(m_run.toStdString())->checkpointDir(1));
        QVERIFY(checkpoint.ok());
        std::ofstream(checkpoint->partialPath() + "/optimizer-unet.safetensors") << "states";
        QVERIFY(writeManifest(checkpoint->partialPath(), {}).ok() && checkpoint->commit().ok());
    }

    /// Where the checkpoints of the run lie once its drive is there.
    std::string drive() const { return m_folder.filePath("drive").toStdString(); }
    /// Lets them lie on a drive, which is not connected.
    void disconnectCheckpoints() const {
        const std::string checkpoints = m_run.toStdString() + "/checkpoints";
        for (const char* state : {"", " away"}) fs::remove_all(drive() + state); // an earlier test's
        fs::rename(checkpoints, drive() + " away");
        fs::create_directory_symlink(drive(), checkpoints);
    }
    void connectCheckpoints() const { fs::rename(drive() + " away", drive()); }

    /// A supervisor's job takes both locks, and gives them back.
    void beAskedByASupervisor(const Logind& logind, const QDBusConnection& connection,
                              const QProcessEnvironment& values) {
        const bool hears = !QStandardPaths::findExecutable("gdbus").isEmpty() ||
                           !QStandardPaths::findExecutable("dbus-monitor").isEmpty();
        QVERIFY(JobQueue(queueFolder()).add(m_run.toStdString()).ok());
        QProcess process;
        process.setProcessEnvironment(values);
        process.start(m_engine, {"supervise"});
        QTRY_VERIFY_WITH_TIMEOUT(logind.asked.contains(kAwakeLock), kLongestMs);
        QVERIFY(works(m_run));
        if (hears) {
            QTRY_VERIFY_WITH_TIMEOUT(logind.asked.contains(kDelayLock), kLongestMs);
            QVERIFY(!logind.released(kDelayLock));
            connection.send(sleepSignal(true));
            QTRY_VERIFY_WITH_TIMEOUT(logind.released(kDelayLock), kLongestMs);
            QCOMPARE(history().checkpoints.size(), size_t{1});
            connection.send(sleepSignal(false));
            QTRY_COMPARE_WITH_TIMEOUT(logind.asked.count(kDelayLock), 2, kLongestMs);
        }
        QVERIFY(!logind.released(kAwakeLock));
        tell(m_run, "kill");
        QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning, kLongestMs);
        QTRY_VERIFY_WITH_TIMEOUT(logind.released(kAwakeLock), kLongestMs);
        if (hears) QTRY_VERIFY_WITH_TIMEOUT(logind.released(kDelayLock), kLongestMs);
    }

    /// A machine that sleeps and has woken up, and a training that has heard of both.
    void sleepAndWake() const {
        say(kGoes);
        QTRY_COMPARE_WITH_TIMEOUT(delay(), QStringList({"taken", "given"}), kLongestMs);
        say(kWoke);
        QTRY_COMPARE_WITH_TIMEOUT(delay(), QStringList({"taken", "given", "taken"}), kLongestMs);
    }

    static QDBusMessage sleepSignal(bool goes) {
        QDBusMessage signal = QDBusMessage::createSignal("/org/freedesktop/login1",
                                                         "org.freedesktop.login1.Manager", "PrepareForSleep");
        signal << goes;
        return signal;
    }

private slots:
    void initTestCase() {
        makePrograms();
        writeTool("systemd-inhibit", "#!/bin/bash\n"
                                     "[[ \"$*\" == *--mode=delay* ]] && AWAKE=$AWAKE.delay\n"
                                     "trap 'echo given >>\"$AWAKE\"; kill $!; exit 0' TERM\n"
                                     "[[ \"$*\" == *--what=sleep* ]] && echo taken >>\"$AWAKE\"\n"
                                     "\"${@:5}\" &\n"
                                     "wait\n");
        writeTool("gdbus", "#!/bin/bash\n"
                           "[[ \"$*\" == *org.freedesktop.login1* ]] || exit 1\n"
                           "echo Monitoring signals\n"
                           "exec tail -n +1 -f \"$SIGNALS\"\n");
    }
    void init() {
        beginAgain();
        QFile::remove(awake());
        QFile::remove(delayed());
        QFile::remove(signalsFile());
        fs::remove_all(m_folder.filePath("power").toStdString());
        say({}); // there is the file
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
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList("taken"), kLongestMs);
        tell(m_run, "done");
        QVERIFY(works(second));
        QCOMPARE(told(), QStringList("taken")); // not given back between two jobs
        tell(second, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(told(), QStringList({"taken", "given"}));
    }

    void isTakenWithoutASupervisor_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("localRank"); // of the second one that a launcher has started; empty: alone
        QTest::addColumn<bool>("taken");
        for (const char* verb : {"train", "resume", "sample", "generate"})
            QTest::newRow(verb) << verb << QString() << true;
        QTest::newRow("serve") << "serve" << QString() << false;
        QTest::newRow("train, on a second machine") << "train"
                                                    << "0" << true;
        QTest::newRow("train, on the first one's machine") << "train"
                                                           << "1" << false;
    }

    void isTakenWithoutASupervisor() {
        QFETCH(QString, verb);
        QFETCH(QString, localRank);
        QFETCH(bool, taken);
        fs::remove_all(m_folder.filePath("made").toStdString());
        QFile::remove(m_folder.filePath("pid"));
        QProcessEnvironment values = surroundings("until told");
        if (!localRank.isEmpty()) {
            values.insert("RANK", "1");
            values.insert("WORLD_SIZE", "2");
            values.insert("LOCAL_RANK", localRank);
            values.insert("MASTER_ADDR", "127.0.0.1");
            values.insert("MASTER_PORT", "29555");
        }
        QProcess process;
        process.setProcessEnvironment(values);
        process.setChildProcessModifier([] { ::setpgid(0, 0); }); // as a shell starts it
        process.start(m_engine, argumentsOf(verb));
        QTRY_VERIFY_WITH_TIMEOUT(workerStarted(), kLongestMs);
        const bool held = QTest::qWaitFor([this] { return !told().isEmpty(); }, taken ? kLongestMs : 500);
        QCOMPARE(held, taken);
        QCOMPARE(::kill(-static_cast<pid_t>(process.processId()), SIGINT), 0); // Ctrl-C
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY2(process.exitCode() == 5, process.readAllStandardError().constData());
        QCOMPARE(told(), taken ? QStringList({"taken", "given"}) : QStringList());
    }

    void isGivenBackWhenTheWorkerCrashes_data() {
        QTest::addColumn<QByteArray>("how");
        for (const char* how : {"segv", "kill", "abort"}) QTest::newRow(how) << QByteArray(how);
    }

    void isGivenBackWhenTheWorkerCrashes() {
        QFETCH(QByteArray, how);
        QProcess process;
        goOn(process, awake());
        tell(m_run, how.constData());
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(told(), QStringList({"taken", "given"}));
    }

    void isNotKeptForASupervisorThatWasKilled() {
        QProcess process;
        goOn(process, awake());
        process.kill();
        QVERIFY(process.waitForFinished(kLongestMs));
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList({"taken", "given"}), kLongestMs);
        tell(m_run, "done"); // whoever still works on it
        QTRY_VERIFY_WITH_TIMEOUT(lockIsFree(), kLongestMs);
    }

    void learnedIsSavedBeforeTheMachineSleeps_data() {
        QTest::addColumn<QByteArray>("goes");
        QTest::addColumn<QByteArray>("woke");
        QTest::newRow("in gdbus' words") << QByteArray(kGoes) << QByteArray(kWoke);
        const QByteArray signal = "signal time=1 sender=:1.2 -> destination=(null destination) serial=3 "
                                  "path=/org/freedesktop/login1; interface=org.freedesktop.login1.Manager; "
                                  "member=PrepareForSleep\n   boolean ";
        QTest::newRow("in dbus-monitor's words") << signal + "true\n" << signal + "false\n";
    }

    void learnedIsSavedBeforeTheMachineSleeps() {
        QFETCH(QByteArray, goes);
        QFETCH(QByteArray, woke);
        QProcess process;
        goOn(process, delayed(), "until told, saves");
        say(goes);
        QTRY_COMPARE_WITH_TIMEOUT(history().checkpoints.size(), size_t{1}, kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(delay(), QStringList({"taken", "given"}), kLongestMs);
        say(woke);
        QTRY_COMPARE_WITH_TIMEOUT(delay(), QStringList({"taken", "given", "taken"}), kLongestMs);
        say(goes); // nothing was learned since
        QTRY_COMPARE_WITH_TIMEOUT(delay(), QStringList({"taken", "given", "taken", "given"}), kLongestMs);
        QCOMPARE(history().checkpoints.size(), size_t{1});
        tell(m_run, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QVERIFY(saidOfSleep().isEmpty());
        QCOMPARE(delay().size(), 4);
    }

    void savesAndPausesWhileTheBatteryIsLow() {
        supply("Discharging", "60");
        QProcess process;
        goOn(process, awake(), "until told, saves");
        supply("Discharging", "14");
        QTRY_COMPARE_WITH_TIMEOUT(history().checkpoints.size(), size_t{1}, kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList({"taken", "given"}), kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(history().state->state, std::string("paused"), kLongestMs);
        QCOMPARE(history().state->detail, std::string(kBatteryIsLow));
        supply("Charging", "20");
        QTRY_COMPARE_WITH_TIMEOUT(told(), QStringList({"taken", "given", "taken"}), kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(history().state->state, std::string("training"), kLongestMs);
        tell(m_run, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        const QString said = process.readAllStandardOutput();
        QVERIFY2(said.contains("until a charger has brought it to 20 %"), qPrintable(said));
        QCOMPARE(told(), QStringList({"taken", "given", "taken", "given"}));
        QCOMPARE(history().checkpoints.size(), size_t{1}); // none that counts was asked for beside it
    }

    /// As soon as the GPU is idle it charges, and no longer.
    void pausesOnceWhereTheChargerIsTooWeak() {
        supply("Discharging", "60");
        QProcess process;
        goOn(process, awake(), "until told, saves");
        supply("Discharging", "14");
        QStringList locks{"taken", "given"};
        QTRY_COMPARE_WITH_TIMEOUT(told(), locks, kLongestMs);
        QTRY_COMPARE_WITH_TIMEOUT(history().state->state, std::string("paused"), kLongestMs);
        for (int round = 0; round < 2; ++round) {
            supply("Charging", round == 0 ? "14" : "19");
            locks.append("taken"); // it goes on by itself only while the machine is awake
            QTRY_COMPARE_WITH_TIMEOUT(told(), locks, kLongestMs);
            supply("Discharging", "14");
            locks.append("given");
            QTRY_COMPARE_WITH_TIMEOUT(told(), locks, kLongestMs);
        }
        QCOMPARE(history().state->state, std::string("paused"));
        QCOMPARE(history().checkpoints.size(), size_t{1});
        tell(m_run, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.readAllStandardOutput().count("the battery is low"), qsizetype{1});
    }

    void goesOnOnceBehindASleepThatTookTheGpu_data() {
        QTest::addColumn<bool>("saved");
        QTest::newRow("from its checkpoint") << true;
        QTest::newRow("from its beginning") << false;
    }

    void goesOnOnceBehindASleepThatTookTheGpu() {
        QFETCH(bool, saved);
        QProcess process;
        goOn(process, delayed());
        if (saved) saveCheckpoint();
        sleepAndWake();
        tell(m_run, "exit6, once");
        QVERIFY(works(m_run, 3));
        QCOMPARE(saidOfSleep().size(), 1);
        QCOMPARE(saidOfSleep().first().contains("last checkpoint"), saved);
        QVERIFY(!history().outcome.has_value());
        tell(m_run, "exit6"); // the machine has not slept again
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(process.readAllStandardOutput().count("step 1 of 10"), qsizetype{2}); // each of its attempts
        QCOMPARE(history().steps.size(), size_t{3});
        QCOMPARE(saidOfSleep().size(), 1);
        QCOMPARE(history().outcome->code, 6);
        QCOMPARE(JobQueue(queueFolder()).jobs(JobState::Failed)->size(), size_t{1});
    }

    void staysStoppedBehindASleepThatTookTheGpu_data() {
        QTest::addColumn<int>("verb");
        QTest::newRow("stop") << static_cast<int>(ControlVerb::Stop);
        QTest::newRow("stop and keep") << static_cast<int>(ControlVerb::Finish);
    }

    void staysStoppedBehindASleepThatTookTheGpu() {
        QFETCH(int, verb);
        QProcess process;
        goOn(process, delayed(), "until told, saves");
        const std::string worker = m_run.toStdString() + "/control";
        QVERIFY(sendControl(worker, {static_cast<ControlVerb>(verb), {}}).ok());
        sleepAndWake();
        tell(m_run, "exit6");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(history().steps.size(), size_t{2});
        QVERIFY(saidOfSleep().isEmpty());
        QCOMPARE(history().outcome->code, 6);
    }

    void waitsBehindASleepForTheDriveOfItsCheckpoints() {
        QProcess process;
        goOn(process, delayed());
        saveCheckpoint();
        disconnectCheckpoints();
        sleepAndWake();
        tell(m_run, "exit6, once");
        QTRY_VERIFY_WITH_TIMEOUT(history().outcome.has_value(), kLongestMs);
        connectCheckpoints();
        QVERIFY(works(m_run, 3));
        QCOMPARE(saidOfSleep().size(), 1);
        QVERIFY(saidOfSleep().first().contains("last checkpoint"));
        tell(m_run, "done");
        QVERIFY(process.waitForFinished(kLongestMs));
    }

    void beginsNotAgainBehindASleepWhereSomethingWasSaved_data() {
        QTest::addColumn<bool>("away");
        QTest::addColumn<QString>("why");
        QTest::newRow("on a drive that stays away") << true << "connect the drive";
        QTest::newRow("and is damaged") << false << "damaged";
    }

    void beginsNotAgainBehindASleepWhereSomethingWasSaved() {
        QFETCH(bool, away);
        QFETCH(QString, why);
        QProcess process;
        goOn(process, delayed());
        saveCheckpoint();
        if (away)
            disconnectCheckpoints();
        else
            fs::resize_file(
                RunFolder::open(m_run.toStdString())->checkpointDir(1) + "/optimizer-unet.safetensors", 0);
        sleepAndWake();
        tell(m_run, "exit6");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(history().steps.size(), size_t{2});
        QVERIFY(saidOfSleep().isEmpty());
        const QString said = QString::fromStdString(history().outcome->message);
        QVERIFY2(said.contains(why), qPrintable(said));
        QCOMPARE(JobQueue(queueFolder()).jobs(JobState::Failed)->size(), size_t{1});
    }

    void beginsNotAgainBehindASleepWhereTheFolderOfItsDriveIsEmpty() {
        QProcess process;
        goOn(process, delayed(), "until told, saves");
        sleepAndWake(); // before which it saved
        QTRY_COMPARE_WITH_TIMEOUT(history().checkpoints.size(), size_t{1}, kLongestMs);
        disconnectCheckpoints();
        fs::create_directory(drive()); // where it will be
        tell(m_run, "exit6");
        QVERIFY(process.waitForFinished(kLongestMs));
        QCOMPARE(history().steps.size(), size_t{2});
        QVERIFY(saidOfSleep().isEmpty());
        const QString said = QString::fromStdString(history().outcome->message);
        QVERIFY2(said.contains("connect the drive"), qPrintable(said));
    }

    void isLogindsLock() {
        const QString daemon = QStandardPaths::findExecutable("dbus-daemon");
        if (daemon.isEmpty()) QSKIP("there is no dbus-daemon");
        const QString inhibit = QStandardPaths::findExecutable("systemd-inhibit");
        if (inhibit.isEmpty()) QSKIP("there is no systemd-inhibit");
        QProcess bus;
        bus.start(daemon, {"--session", "--nofork", "--print-address"});
        QTRY_VERIFY_WITH_TIMEOUT(bus.canReadLine(), kLongestMs);
        const QString address = QString::fromUtf8(bus.readLine().trimmed());
        Logind logind;
        QDBusConnection connection = QDBusConnection::connectToBus(address, "logind");
        QVERIFY(connection.registerService("org.freedesktop.login1"));
        QVERIFY(connection.registerVirtualObject("/org/freedesktop/login1", &logind));
        QProcessEnvironment values = environment("until told, saves");
        values.insert("DBUS_SYSTEM_BUS_ADDRESS", address);
        QProcess probe;
        probe.setProcessEnvironment(values);
        probe.start(inhibit, {"--what=sleep", "--who=test", "--why=test", "--mode=block", "true"});
        QTRY_VERIFY_WITH_TIMEOUT(probe.state() == QProcess::NotRunning, kLongestMs);
        const bool reaches = logind.asked == QStringList("sleep block");
        if (reaches) beAskedByASupervisor(logind, connection, values);
        QDBusConnection::disconnectFromBus("logind");
        bus.kill();
        bus.waitForFinished();
        if (!reaches) QSKIP("systemd-inhibit asks no other logind than that of the machine");
    }
};

QTEST_GUILESS_MAIN(tst_sleep)
#include "tst_sleep.moc"
