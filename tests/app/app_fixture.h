// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window's services in folders of their own, for tests: nothing of the user's is touched. A warning that
// nobody expected fails the test. One a test program; GUI thread.
#pragma once

#include "app/engine/gpu_answer.h"
#include "app/engine/models/model_shelf.h"
#include "app/engine/pictures/generator.h"
#include "app/engine/runs/run_centre.h"
#include "app/library/library_service.h"
#include "app/library/picture_album.h"
#include "app/library/subject_book.h"
#include "app/library/thumbnails.h"
#include "app/settings/settings.h"
#include "app/shell/page.h"
#include "app/shell/services.h"
#include "app/theme/theme.h"
#include "tests/patience.h"

#include <QDir>
#include <QLocale>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace homebooth::testing {

inline constexpr int kLookAgainMs = 50; ///< between two looks at what is waited for

} // namespace homebooth::testing

// Qt Test waits three times as long as it is told to for what does not come, only to say that the time was
// too short: with the times of these tests one failure would end the whole program. These wait once.
#define HOMEBOOTH_WAIT_FOR(expr, timeoutMs)                                                                  \
    if (!(expr)) QTest::qWait(0);                                                                            \
    for (int homeboothWaitedMs = 0;                                                                          \
         homeboothWaitedMs < (timeoutMs) && !QTest::currentTestFailed() && !(expr);                          \
         homeboothWaitedMs += homebooth::testing::kLookAgainMs)                                              \
    QTest::qWait(homebooth::testing::kLookAgainMs)
#undef QTRY_VERIFY_WITH_TIMEOUT
#define QTRY_VERIFY_WITH_TIMEOUT(expr, timeoutMs)                                                            \
    do {                                                                                                     \
        HOMEBOOTH_WAIT_FOR(expr, timeoutMs);                                                                 \
        QVERIFY(expr);                                                                                       \
    } while (false)
#undef QTRY_VERIFY2_WITH_TIMEOUT
#define QTRY_VERIFY2_WITH_TIMEOUT(expr, message, timeoutMs)                                                  \
    do {                                                                                                     \
        HOMEBOOTH_WAIT_FOR(expr, timeoutMs);                                                                 \
        QVERIFY2(expr, message);                                                                             \
    } while (false)
#undef QTRY_COMPARE_WITH_TIMEOUT
#define QTRY_COMPARE_WITH_TIMEOUT(expr, expected, timeoutMs)                                                 \
    do {                                                                                                     \
        HOMEBOOTH_WAIT_FOR((expr) == (expected), timeoutMs);                                                 \
        QCOMPARE(expr, expected);                                                                            \
    } while (false)

// Qt Test waits for five seconds, which is less than a busy machine may need to start a program. These wait
// longer, so nothing that they wait for may come by itself after a while without what is tested.
#undef QTRY_VERIFY
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, homebooth::testing::kLongestMs)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT(expr, message, homebooth::testing::kLongestMs)
#undef QTRY_COMPARE
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, homebooth::testing::kLongestMs)

namespace homebooth::app {

using testing::kLongestMs;

/// A GPU whose question failed is asked about again when somebody wants to know, never by itself: tests wait
/// for longer than the first pause.
inline constexpr GpuPatience kNeverAgain{300'000, 600'000, 600'000};

/// All pages but Trouble, which stands in place of them where the library cannot be opened.
inline constexpr PageId kPages[] = {PageId::Subjects, PageId::Train,    PageId::Generate,
                                    PageId::Gallery,  PageId::Datasets, PageId::Models,
                                    PageId::Queue,    PageId::Settings, PageId::Welcome};

/// Sets folders, and English numbers whatever the desktop's are; to be made before QApplication.
class TestPlace {
public:
    TestPlace() {
        QLocale::setDefault(QLocale(u"en"_s));
        qputenv("HOME", m_folder.path().toUtf8());
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
            qputenv(name, m_folder.filePath(QString::fromLatin1(name)).toUtf8());
        qputenv("HOMEBOOTH_HOME", m_folder.filePath(u"Homebooth"_s).toUtf8());
        qputenv("HOMEBOOTH_ENGINE", HOMEBOOTH_BIN_DIR "/homebooth-engine");
        qputenv("HOMEBOOTH_RESOURCES", HOMEBOOTH_SOURCE_DIR "/resources");
        QDir().mkpath(m_folder.filePath(u"runtime"_s));
        QFile::setPermissions(m_folder.filePath(u"runtime"_s),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("XDG_RUNTIME_DIR", m_folder.filePath(u"runtime"_s).toUtf8());
        for (const char* bus : {"DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"})
            qputenv(bus, "unix:path=/nonexistent");
    }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    /// Takes the library away, with the backups from which it would come back.
    void removeLibrary() const {
        QFile::remove(path(u"library.db"_s));
        QDir(path(u"backups"_s)).removeRecursively();
    }

private:
    QTemporaryDir m_folder;
};

/// To be called in a test's init(): from there on a warning fails the function that runs. The offscreen
/// platform's own remarks about what it cannot do with windows are none of ours.
inline void failOnAnyWarning() {
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support ).*"_s));
}

/// All services over a library that was not opened yet, as main makes them.
class ClosedServices {
public:
    ClosedServices(const TestPlace& place, const QString& name)
        : file(place.path(name + u".db"_s))
        , settings(place.path(name + u".ini"_s))
        , thumbnails(place.path(u"thumbnails"_s))
        , subjects(library, undo)
        , runs(library, gpus)
        , models(library, runs)
        , album(library, undo) {}
    [[nodiscard]] Services all() {
        return {settings, library, thumbnails, undo, subjects, gpus, runs, models, generator, album};
    }

    Theme theme;
    QString file; ///< of the library
    Settings settings;
    QUndoStack undo;
    LibraryService library;
    Thumbnails thumbnails;
    SubjectBook subjects;
    GpuAnswer gpus{nullptr, kNeverAgain};
    RunCentre runs;
    ModelShelf models;
    Generator generator;
    PictureAlbum album;
};

/// All services with an opened library.
class TestServices : public ClosedServices {
public:
    explicit TestServices(const TestPlace& place)
        : ClosedServices(place, u"library"_s) {
        forgetOtherFunctions();
        if (!opens()) qFatal("the library %s was not opened", qPrintable(file));
        QSignalSpy loaded(&subjects, &SubjectBook::loadedAll);
        subjects.load();
        if (!loaded.wait(kLongestMs)) qFatal("the subjects of %s were not read", qPrintable(file));
    }

private:
    /// A program that was begun for the services before holds a copy of their library's lock until it is
    /// executed, which takes a while on a busy machine.
    [[nodiscard]] bool opens() {
        constexpr int kPauseMs = 50;
        QSignalSpy opened(&library, &LibraryService::opened);
        QSignalSpy refused(&library, &LibraryService::openFailed);
        for (int waitedMs = 0; opened.isEmpty() && waitedMs < kLongestMs; waitedMs += kPauseMs) {
            library.open(file);
            (void)QTest::qWaitFor([&] { return !opened.isEmpty() || !refused.isEmpty(); }, kLongestMs);
            if (opened.isEmpty()) QTest::qWait(kPauseMs);
            refused.clear();
        }
        return !opened.isEmpty();
    }

    /// What pages keep from one session to the next is for the restarts of the same test function alone.
    void forgetOtherFunctions() {
        static QByteArray last;
        const QByteArray now =
            QByteArray(QTest::currentTestFunction()) + ' ' + QByteArray(QTest::currentDataTag());
        if (std::exchange(last, now) == now) return;
        for (const char* key : {keys::kTrain, keys::kGenerate, keys::kPicture, keys::kModel, keys::kDataset})
            settings.reset(key);
    }
};

/// A test each of whose functions has services of its own: its slots init and cleanup call these.
class ServicesTest : public QObject {
public:
    explicit ServicesTest(const TestPlace& place)
        : m_place(place) {}

protected:
    void beginAgain() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void end() { m_services.reset(); }

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

/// A picture file with a pattern that depends on `number`. @returns its path
inline QString writeTestPicture(const QString& path, int number, QSize size = {600, 500}) {
    QImage image(size, QImage::Format_RGB32);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x)
            image.setPixel(
                x, y,
                qRgb((x * (3 + number)) % 256, (y * (7 + 2 * number)) % 256, ((x / 16 + y / 16) % 2) * 200));
    image.save(path);
    return path;
}

} // namespace homebooth::app

/// A test program's main: folders first, then the application.
#define HOMEBOOTH_APP_TEST_MAIN(Test)                                                                        \
    int main(int argc, char** argv) {                                                                        \
        homebooth::app::TestPlace place;                                                                     \
        QApplication application(argc, argv);                                                                \
        Test test(place);                                                                                    \
        return QTest::qExec(&test, argc, argv);                                                              \
    }
