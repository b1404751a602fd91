// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two starts of the window: the second hands its files over, or waits for a first one that is closing.
#include "app/engine/places.h"
#include "app/shell/single_instance.h"
#include "app/widgets/bring_up.h"
#include "app_files.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QScopeGuard>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth::app;
namespace core = homebooth::core;

class SingleInstanceTest : public QObject {
    Q_OBJECT
public:
    explicit SingleInstanceTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void theFirstTakesTheFilesOfTheSecond();
    void theFirstMayComeUpInPlaceOfTheSecond();
    void theSecondWaitsForAFirstThatIsClosing();
    void aFirstThatSaysNothingIsNeitherFollowedNorReplaced();
    void thatAnotherSaysNothingIsSeen();
    void thatAnotherUserHasItIsSaid();
    void aFolderThatCannotBeWrittenIsNoOtherWindow();
    void aLockThatAnotherSystemLeftIsNoOtherWindow();
    void aStrangersLockIsSaid();
    void anotherUsersSocketHearsNothing();
    void theSocketIsFoundFromASessionWithoutARuntimeFolder();
    void theFoldersThatAreMadeAreTheUsersAlone();

private:
    /// What is said where the first one does not answer.
    static QString toldUnheard();
};

namespace {

/// A second start, blocking as it does, on a thread that stands for its process.
class SecondStart {
public:
    SecondStart(const QStringList& files, int patienceMs)
        : m_thread(QThread::create([this, files, patienceMs] {
            SingleInstance second(patienceMs);
            m_role = second.begin(files);
        })) {
        m_thread->start();
    }
    ~SecondStart() { m_thread->wait(); }
    [[nodiscard]] bool over() const { return m_thread->isFinished(); }
    [[nodiscard]] SingleInstance::Role role() const {
        m_thread->wait();
        return m_role;
    }

private:
    SingleInstance::Role m_role = SingleInstance::Role::Unheard;
    std::unique_ptr<QThread> m_thread;
};

} // namespace

void SingleInstanceTest::theFirstTakesTheFilesOfTheSecond() {
    SingleInstance first;
    QCOMPARE(first.begin({}), SingleInstance::Role::First);
    QSignalSpy asked(&first, &SingleInstance::asked);
    const SecondStart second({u"/photos/a.png"_s}, 10'000);
    QTRY_VERIFY(second.over());
    QCOMPARE(second.role(), SingleInstance::Role::Second);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toStringList(), QStringList{u"/photos/a.png"_s});
}

void SingleInstanceTest::theFirstMayComeUpInPlaceOfTheSecond() {
    SingleInstance first;
    QCOMPARE(first.begin({}), SingleInstance::Role::First);
    QSignalSpy asked(&first, &SingleInstance::asked);
    qputenv(kActivationToken, "a token");
    const auto without = qScopeGuard([] { qunsetenv(kActivationToken); });
    const SecondStart second({}, 10'000);
    QTRY_VERIFY(second.over());
    QCOMPARE(asked.size(), 1);
    QVERIFY(asked[0][0].toStringList().isEmpty());
    QCOMPARE(asked[0][1].toByteArray(), QByteArray("a token"));
}

void SingleInstanceTest::theSecondWaitsForAFirstThatIsClosing() {
    auto first = std::make_unique<SingleInstance>();
    QCOMPARE(first->begin({}), SingleInstance::Role::First);
    first->close();
    QSignalSpy asked(first.get(), &SingleInstance::asked);
    const SecondStart second({u"/photos/a.png"_s}, 10'000);
    QTest::qWait(400); // the library is still being closed
    QVERIFY(!second.over());
    QVERIFY(asked.isEmpty());
    first.reset();
    QTRY_VERIFY(second.over());
    QCOMPARE(second.role(), SingleInstance::Role::First);
}

void SingleInstanceTest::aFirstThatSaysNothingIsNeitherFollowedNorReplaced() {
    SingleInstance first;
    QCOMPARE(first.begin({}), SingleInstance::Role::First);
    QSignalSpy asked(&first, &SingleInstance::asked);
    const SecondStart second({u"/photos/a.png"_s}, 1500);
    QCOMPARE(second.role(), SingleInstance::Role::Unheard); // no event loop turned meanwhile
    QTest::qWait(300);
    QVERIFY(asked.isEmpty()); // whoever was told so starts again: it would have the photos twice
}

QString SingleInstanceTest::toldUnheard() {
    QString seen;
    QTimer looks;
    connect(&looks, &QTimer::timeout, &looks, [&seen] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return;
        seen = box->text() + ' ' + box->informativeText();
        box->button(QMessageBox::Close)->click();
    });
    looks.start(10);
    SingleInstance::tellUnheard();
    return seen;
}

void SingleInstanceTest::thatAnotherSaysNothingIsSeen() {
    const QString seen = toldUnheard();
    QVERIFY2(seen.contains(u"Start Homebooth again in a moment"_s), qPrintable(seen));
}

void SingleInstanceTest::thatAnotherUserHasItIsSaid() {
    QProcess other;
    qint64 id = 1; // root's, as a rule
    if (::geteuid() == 0) {
        other.setChildProcessModifier([] {
            if (::setuid(65534) != 0) ::_exit(1); // nobody
        });
        other.start(u"sleep"_s, {u"600"_s});
        QVERIFY(other.waitForStarted());
        id = other.processId();
    } else if (QFileInfo(u"/proc/1"_s).ownerId() == ::geteuid()) {
        QSKIP("there is no process of another user");
    }
    const QString file = dataFolder() + u"/window.lock"_s;
    writeBytes(file, "{\"pid\":" + QByteArray::number(id) + ",\"startTicks\":1}\n");
    const QString seen = toldUnheard();
    QVERIFY(QFile::remove(file));
    other.kill();
    other.waitForFinished();
    QVERIFY2(seen.contains(u"has this library open"_s), qPrintable(seen));
    QVERIFY(seen.contains(dataFolder()) && !seen.contains(u"in a moment"_s));
}

void SingleInstanceTest::aFolderThatCannotBeWrittenIsNoOtherWindow() {
    const QByteArray before = qgetenv("XDG_DATA_HOME");
    qputenv("XDG_DATA_HOME", "/sys/kernel"); // where root cannot write, either
    {
        SingleInstance first(1500);
        QCOMPARE(first.begin({}), SingleInstance::Role::First); // the library says what is wrong
    }
    qputenv("XDG_DATA_HOME", before);
}

void SingleInstanceTest::aLockThatAnotherSystemLeftIsNoOtherWindow() {
    const QString file = dataFolder() + u"/window.lock"_s;
    QFile::remove(file);
    // As Qt writes it: process, program, host, machine, boot.
    writeBytes(file, QByteArray::number(QCoreApplication::applicationPid()) +
                         "\nhomebooth\nanother-host\n0123456789abcdef0123456789abcdef\n"
                         "01234567-89ab-cdef-0123-456789abcdef\n");
    SingleInstance first(1500);
    QCOMPARE(first.begin({}), SingleInstance::Role::First);
}

namespace {

/// A process that does `work`, which writes a letter into a pipe when it is ready; calls that are safe after
/// a fork only.
class Child {
public:
    explicit Child(const std::function<void(int)>& work) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) qFatal("no pipe");
        m_process = ::fork();
        if (m_process == 0) {
            work(ends[1]);
            ::_exit(0);
        }
        ::close(ends[1]);
        m_end = ends[0];
        m_ready = letter() == 'r';
    }
    ~Child() {
        end();
        ::close(m_end);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    [[nodiscard]] bool ready() const { return m_ready; }
    [[nodiscard]] qint64 id() const { return m_process; }
    void end() {
        if (m_process <= 0) return;
        ::kill(m_process, SIGKILL);
        ::waitpid(m_process, nullptr, 0);
        m_process = 0;
    }
    /// What it has written next; 0: nothing more.
    char letter() const {
        char one = 0;
        return ::read(m_end, &one, 1) == 1 ? one : char{0};
    }

private:
    pid_t m_process = 0;
    int m_end = -1;
    bool m_ready = false;
};

} // namespace

void SingleInstanceTest::aStrangersLockIsSaid() {
    const QString file = dataFolder() + u"/window.lock"_s;
    writeBytes(file, "{\"pid\":1,\"startTicks\":1}\n");
    const QByteArray path = QFile::encodeName(file);
    Child locks([&path](int tell) {
        const int descriptor = ::open(path.constData(), O_RDONLY);
        struct flock whole {};
        whole.l_type = F_RDLCK;
        if (::fcntl(descriptor, F_SETLK, &whole) == 0) (void)!::write(tell, "r", 1);
        ::pause();
    });
    QVERIFY(locks.ready());
    {
        SingleInstance first(200);
        QCOMPARE(first.begin({}), SingleInstance::Role::Unheard);
    }
    const QString seen = toldUnheard();
    const qint64 id = locks.id();
    locks.end();
    QVERIFY(QFile::remove(file));
    QVERIFY2(seen.contains(u"process %1 "_s.arg(id)) && seen.contains(file), qPrintable(seen));
}

void SingleInstanceTest::anotherUsersSocketHearsNothing() {
    if (::geteuid() != 0) QSKIP("there is no other user to be");
    const QTemporaryDir shared(u"/tmp/hb-XXXXXX"_s);
    QVERIFY(::chmod(QFile::encodeName(shared.path()).constData(), 0777) == 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = QFile::encodeName(shared.filePath(u"s"_s));
    std::copy(path.begin(), path.end(), std::begin(address.sun_path));
    Child listens([&address](int tell) {
        const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
        const bool there = ::setuid(65534) == 0 &&
                           ::bind(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                           ::chmod(static_cast<const char*>(address.sun_path), 0777) == 0 &&
                           ::listen(server, 8) == 0;
        if (there) (void)!::write(tell, "r", 1);
        while (there) {
            const int client = ::accept(server, nullptr, nullptr);
            char heard = 0;
            if (::recv(client, &heard, 1, 0) == 1) (void)!::write(tell, "h", 1);
            ::close(client);
        }
    });
    QVERIFY(listens.ready());
    QVERIFY(QDir().mkpath(dataFolder()));
    const auto lock = core::RunLock::acquire((dataFolder() + u"/window.lock"_s).toStdString());
    QVERIFY(lock.ok());
    writeBytes(dataFolder() + u"/window.socket"_s, path + '\n');
    SingleInstance second(300);
    QCOMPARE(second.begin({u"/photos/a.png"_s}), SingleInstance::Role::Unheard);
    listens.end();
    QCOMPARE(listens.letter(), char{0});
}

void SingleInstanceTest::theSocketIsFoundFromASessionWithoutARuntimeFolder() {
    SingleInstance first;
    QCOMPARE(first.begin({}), SingleInstance::Role::First);
    const QString socket = QString::fromUtf8(bytesOf(dataFolder() + u"/window.socket"_s)).trimmed();
    QVERIFY(!(QFile::permissions(QFileInfo(socket).path()) & (QFile::ExeGroup | QFile::ExeOther)));
    const QByteArray before = qgetenv("XDG_RUNTIME_DIR");
    qputenv("XDG_RUNTIME_DIR", "/nonexistent"); // as after su
    const SecondStart second({u"/photos/a.png"_s}, 10'000);
    QTRY_VERIFY(second.over());
    qputenv("XDG_RUNTIME_DIR", before);
    QCOMPARE(second.role(), SingleInstance::Role::Second);
}

void SingleInstanceTest::theFoldersThatAreMadeAreTheUsersAlone() {
    const QTemporaryDir place;
    const std::array names{"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"};
    QList<QByteArray> before;
    for (const char* name : names) {
        before.append(qgetenv(name));
        qputenv(name, place.filePath(QString::fromLatin1(name)).toUtf8());
    }
    const mode_t mask = ::umask(0022);
    makeOwnFolders();
    ::umask(mask);
    for (size_t at = 0; at < names.size(); ++at) qputenv(names.at(at), before.at(qsizetype(at)));
    for (const char* name : names)
        for (const QString& folder :
             {QString::fromLatin1(name), QString::fromLatin1(name) + u"/homebooth"_s}) {
            struct stat status {};
            QVERIFY(::stat(QFile::encodeName(place.filePath(folder)).constData(), &status) == 0);
            QCOMPARE(status.st_mode & 0777, mode_t{0700});
        }
}

HOMEBOOTH_APP_TEST_MAIN(SingleInstanceTest)
#include "tst_single_instance.moc"
