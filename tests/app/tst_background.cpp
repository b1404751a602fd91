// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Work off the GUI thread: the answer finds the way back, and nobody is spoken to who is gone. Run with the
// address sanitizer these tests also show that nothing freed is touched.
#include "app/engine/runs/run_follower.h"
#include "app/library/background.h"
#include "app_files.h"
#include "loop_watch.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QSemaphore>
#include <QThread>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// An object whose place is filled with rubbish once it ends: whoever still speaks to it crashes.
template <class T>
class Mortal {
public:
    template <class... Arguments>
    explicit Mortal(Arguments&&... arguments)
        : m_object(new (m_room) T(std::forward<Arguments>(arguments)...)) {}
    T* operator->() const { return m_object; }
    T* get() const { return m_object; }
    void end() {
        m_object->~T();
        for (volatile std::byte& one : m_room) one = std::byte{0xDD};
    }

private:
    alignas(T) std::byte m_room[sizeof(T)];
    T* m_object;
};

/// A pipe: whoever gets the signal waits until somebody writes into it, as for a disk that does not answer.
int g_answers[2];

void waitForAnAnswer(int) {
    char one = 0;
    while (::read(g_answers[0], &one, 1) < 0 && errno == EINTR) {
    }
}

/// A thread of this process by its name; 0: there is none.
pid_t threadNamed(const QByteArray& name) {
    const QStringList threads = QDir(u"/proc/self/task"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& thread : threads)
        if (bytesOf(u"/proc/self/task/%1/comm"_s.arg(thread)).trimmed() == name) return thread.toInt();
    return 0;
}

} // namespace

class BackgroundTest : public QObject {
    Q_OBJECT
public:
    explicit BackgroundTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void answersOnTheOwnersThread();
    void workWithoutAnAnswerSaysThatItIsDone();
    void noAnswerIsOvertakenByTheEndOfItsWay();
    void aGoneOwnerIsNotCalled();
    void aCallThatWaitsGoesWithItsOwner();
    void theWindowClosesAmidTheLibrarysWork_data();
    void theWindowClosesAmidTheLibrarysWork();
    void questionsBeforeTheLibraryIsOpenAreAnswered();
    void aDriveThatDoesNotAnswerHoldsNoChange();
    void whatMayWaitForDrivesComesLast();
    void paintingDoesNotWaitForWork();
    void aRunOnADiskThatDoesNotAnswerHoldsNoWindow();
    void theProgramEndsThoughADiskDoesNotAnswer();

private:
    const TestPlace& m_place;
};

void BackgroundTest::answersOnTheOwnersThread() {
    QObject owner;
    QThread* worked = nullptr;
    QThread* called = nullptr;
    QString answer;
    inBackground(
        &owner,
        [&worked] {
            worked = QThread::currentThread();
            return u"done"_s;
        },
        [&](const QString& text) {
            called = QThread::currentThread();
            answer = text;
        });
    QTRY_COMPARE(answer, u"done"_s);
    QVERIFY(called == thread());
    QVERIFY(worked != thread());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QTRY_VERIFY(owner.children().isEmpty()); // nothing gathers on an owner that lives long
}

void BackgroundTest::workWithoutAnAnswerSaysThatItIsDone() {
    QObject owner;
    bool done = false;
    inBackground(
        &owner, [] {}, [&done] { done = true; });
    QTRY_VERIFY(done);
}

void BackgroundTest::noAnswerIsOvertakenByTheEndOfItsWay() {
    QObject owner;
    int answers = 0;
    constexpr int kMany = 50;
    for (int i = 0; i < kMany; ++i)
        inBackground(
            &owner, [] {}, [&answers] { ++answers; });
    workPool().waitForDone();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // as loops do that are left
    QTRY_COMPARE(answers, kMany);
}

void BackgroundTest::aGoneOwnerIsNotCalled() {
    QSemaphore go;
    std::atomic<bool> worked = false;
    bool called = false;
    auto owner = std::make_unique<QObject>();
    inBackground(
        owner.get(),
        [&] {
            go.acquire();
            worked = true;
        },
        [&called] { called = true; });
    owner.reset();
    go.release();
    workPool().waitForDone();
    QCoreApplication::processEvents();
    QVERIFY(worked);
    QVERIFY(!called);
}

void BackgroundTest::aCallThatWaitsGoesWithItsOwner() {
    bool called = false;
    auto owner = std::make_unique<QObject>();
    inBackground(
        owner.get(), [] { return 1; }, [&called](int) { called = true; });
    workPool().waitForDone(); // it is posted, but nobody has turned the loop
    owner.reset();
    QCoreApplication::processEvents();
    QVERIFY(!called);
}

void BackgroundTest::theWindowClosesAmidTheLibrarysWork_data() {
    QTest::addColumn<int>("service");
    QTest::newRow("the pictures that are looked for") << 0;
    QTest::newRow("a new picture") << 1;
    QTest::newRow("the runs") << 2;
}

void BackgroundTest::theWindowClosesAmidTheLibrarysWork() {
    QFETCH(int, service);
    QUndoStack undo;
    LibraryService library;
    QSignalSpy opened(&library, &LibraryService::opened);
    library.open(m_place.path(u"closing%1.db"_s.arg(service)));
    QVERIFY(opened.wait(kLongestMs));
    QSemaphore go;
    library.write([&go](core::Library&) {
        go.acquire();
        return core::Result<void>();
    });
    int told = 0;
    const auto count = [&told] { ++told; };
    Mortal<PictureAlbum> album(library, undo);
    GpuAnswer gpus;
    Mortal<RunCentre> runs(library, gpus);
    connect(album.get(), &PictureAlbum::changed, this, count);
    connect(runs.get(), &RunCentre::runsChanged, this, count);
    if (service == 0) album->open(m_place.path("pictures"));
    if (service == 1) album->add(m_place.path("none.png"), {}, {});
    if (service == 2) runs->open(m_place.path("runs"));
    runs.end();
    album.end();
    go.release();
    bool worked = false;
    library.ask<int>(
        this, [](core::Library&) { return core::Result<int>(1); }, [&worked](int) { worked = true; });
    QTRY_VERIFY(worked); // and so is all that was asked before
    QCOMPARE(told, 0);
}

void BackgroundTest::questionsBeforeTheLibraryIsOpenAreAnswered() {
    LibraryService library;
    QSignalSpy failed(&library, &LibraryService::failed);
    int answer = 0;
    library.ask<int>(
        this, [](core::Library&) { return core::Result<int>(7); }, [&answer](int now) { answer = now; });
    library.open(m_place.path("late.db"));
    QTRY_COMPARE(answer, 7);
    QVERIFY(library.state() == LibraryService::State::Open);
    QCOMPARE(failed.count(), 0);
}

void BackgroundTest::aDriveThatDoesNotAnswerHoldsNoChange() {
    QUndoStack undo;
    LibraryService library;
    library.open(m_place.path("drives.db"));
    PictureAlbum album(library, undo);
    GpuAnswer gpus;
    RunCentre runs(library, gpus);
    QSignalSpy pictures(&album, &PictureAlbum::changed);
    QSignalSpy found(&runs, &RunCentre::runsChanged);
    {
        const Blocked drive(lookPool());
        album.open(m_place.path("pictures"));
        album.add(m_place.path("none.png"), {}, {});
        runs.open(m_place.path("runs"));
        QTest::qWait(200); // each is as far as it gets
        bool changed = false;
        library.write([](core::Library& one) { return core::noteStart(one, "/a.png"); });
        library.ask<std::vector<std::string>>(
            this, [](core::Library& one) { return core::findStarts(one, "a.png"); },
            [&changed](const std::vector<std::string>& paths) { changed = paths.size() == 1; });
        QTRY_VERIFY(changed);
        QCOMPARE(pictures.size(), 0);
        QCOMPARE(found.size(), 0);
    }
    QTRY_COMPARE(pictures.size(), 2);
    QTRY_VERIFY(!found.isEmpty());
}

void BackgroundTest::whatMayWaitForDrivesComesLast() {
    QStringList order;
    const auto note = [&order](const QString& what) {
        return [&order, what](core::Library&) {
            order.append(what);
            return core::Result<void>();
        };
    };
    {
        LibraryService library;
        library.open(m_place.path("last.db"));
        library.writeLast(note(u"the trash"_s));
        library.write(note(u"an edit"_s));
    }
    QCOMPARE(order, (QStringList{u"an edit"_s, u"the trash"_s}));
    order.clear();
    {
        LibraryService library;
        library.open(m_place.path("last.db"));
        library.writeLast(note(u"the trash"_s));
        library.write([](core::Library&) -> core::Result<void> {
            return core::Error{core::ErrorCode::OutOfResources, "the disk is full", "/a"};
        });
    }
    QVERIFY(order.isEmpty()); // what was not kept may be what takes something out of it
}

void BackgroundTest::paintingDoesNotWaitForWork() {
    constexpr int kMany = 64; // more than any pool has threads
    constexpr int kPatienceMs = 20'000;
    QSemaphore answer;
    QSemaphore painted;
    QObject owner;
    for (int times = 0; times < kMany; ++times)
        inBackground(
            &owner, [&answer] { answer.acquire(); }, [] {});
    const std::unique_ptr<QThread> late(QThread::create([&answer, &painted] {
        (void)painted.tryAcquire(1, kPatienceMs); // there is an answer in the end, so that the test has one
        answer.release(kMany);
    }));
    late->start();
    QImage page(2000, 2000, QImage::Format_ARGB32_Premultiplied);
    QElapsedTimer timer;
    timer.start();
    {
        QPainter painter(&page);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(QColor(20, 60, 100, 128));
        painter.drawRoundedRect(page.rect(), 8, 8); // large enough for Qt to share it out
    }
    const qint64 taken = timer.elapsed();
    painted.release();
    late->wait();
    workPool().waitForDone();
    QVERIFY2(taken < kPatienceMs / 2, qPrintable(u"%1 ms"_s.arg(taken)));
}

void BackgroundTest::aRunOnADiskThatDoesNotAnswerHoldsNoWindow() {
    constexpr int kAnswerMs = 10'000;
    constexpr qint64 kLongMs = 1000; // none of it is waiting for a processor
    QCOMPARE(::pipe(g_answers), 0);
    const auto before = std::signal(SIGUSR1, waitForAnAnswer);
    auto follower = std::make_unique<RunFollower>(makeRunFolder(m_place.path("runs"), u"far"_s, 100));
    const QSignalSpy updated(follower.get(), &RunFollower::updated);
    follower->start();
    pid_t thread = 0;
    QTRY_VERIFY((thread = threadNamed("follower")) != 0);
    QTRY_VERIFY(!updated.isEmpty()); // it has read, and holds nothing that others need
    QCOMPARE(::syscall(SYS_tgkill, ::getpid(), thread, SIGUSR1), 0L);
    QTest::qWait(100); // it waits by now
    QSemaphore left;
    const std::unique_ptr<QThread> disk(QThread::create([&left] {
        (void)left.tryAcquire(1, kAnswerMs); // it answers in the end, so that the test comes to one, too
        if (::write(g_answers[1], "1", 1) != 1) qFatal("no pipe");
    }));
    disk->start();
    const LoopWatch watch;
    follower.reset();
    QTest::qWait(50); // some turns of the loop
    const bool stillWaits = threadNamed("follower") == thread;
    const qint64 heldMs = watch.worstHeldMs();
    left.release();
    disk->wait();
    QTRY_COMPARE(threadNamed("follower"), pid_t{0});
    std::signal(SIGUSR1, before);
    QVERIFY(stillWaits);
    QVERIFY2(heldMs < kLongMs, qPrintable(watch.report()));
}

void BackgroundTest::theProgramEndsThoughADiskDoesNotAnswer() {
#if defined(__SANITIZE_THREAD__)
    QSKIP("the thread sanitizer lets no forked program begin a thread");
#endif
    constexpr auto kSilence = std::chrono::milliseconds(4000);
    QElapsedTimer timer;
    timer.start();
    const pid_t program = ::fork();
    if (program == 0) { // which waits for ever, once a few files more were written
        endInTime(kSilence);
        for (int file = 0; file < 8; ++file) {
            tellWriting();
            ::usleep(100'000);
        }
        for (;;) ::pause();
    }
    int status = -1;
    bool ended = false;
    QTRY_VERIFY(ended = ended || ::waitpid(program, &status, WNOHANG) == program);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    const qint64 taken = timer.elapsed();
    QVERIFY2(taken > 4500, "it ended while its disk answered");
    QVERIFY2(taken < 4 * kSilence.count(), qPrintable(u"%1 ms: too many silences"_s.arg(taken)));
}

HOMEBOOTH_APP_TEST_MAIN(BackgroundTest)
#include "tst_background.moc"
