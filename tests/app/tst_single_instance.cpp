// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two starts of the window: the second hands its files over, or waits for a first one that is closing.
#include "app/shell/single_instance.h"
#include "app_files.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QThread>
#include <QTimer>

#include <unistd.h>

using namespace homebooth::app;

class SingleInstanceTest : public QObject {
    Q_OBJECT
public:
    explicit SingleInstanceTest(const TestPlace&) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void theFirstTakesTheFilesOfTheSecond();
    void theSecondWaitsForAFirstThatIsClosing();
    void aFirstThatSaysNothingIsNeitherFollowedNorReplaced();
    void thatAnotherSaysNothingIsSeen();
    void thatAnotherUserHasItIsSaid();
    void aFolderThatCannotBeWrittenIsNoOtherWindow();
    void aLockThatAnotherSystemLeftIsNoOtherWindow();

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

HOMEBOOTH_APP_TEST_MAIN(SingleInstanceTest)
#include "tst_single_instance.moc"
