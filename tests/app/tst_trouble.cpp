// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library that cannot be opened: the window says so, takes no edit that it could not keep, and goes on once
// the library is there.
#include "app/library/background.h"
#include "app/shell/main_window.h"
#include "app/shell/navigation.h"
#include "app/shell/trouble_page.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "model_records.h"

#include <QLabel>
#include <QMessageBox>

#include <atomic>

using namespace homebooth;
using namespace homebooth::app;

namespace {

/// A window over a library that was not opened yet, as main makes it.
struct Window : ClosedServices {
    Window(const TestPlace& place, const QString& name)
        : ClosedServices(place, name)
        , window(all()) {
        QObject::connect(&library, &LibraryService::opened, &window, [this] { subjects.load(); });
        window.show();
    }
    MainWindow window;
};

QString textOn(const QWidget& page) {
    QStringList texts;
    for (const auto* label : page.findChildren<QLabel*>()) texts.append(label->text());
    return texts.join('\n');
}

/// Whether a window that asks once before it closes does so with this answer.
bool closesBy(MainWindow& window, QMessageBox::ButtonRole role) {
    if (window.close() || window.close()) return false;
    const auto boxes = window.findChildren<QMessageBox*>();
    if (boxes.size() != 1) return false;
    for (auto* button : boxes.front()->buttons())
        if (boxes.front()->buttonRole(button) == role) button->click();
    return !window.isVisible();
}

} // namespace

class TroubleTest : public QObject {
    Q_OBJECT
public:
    explicit TroubleTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() { failOnAnyWarning(); }
    void saysThatTheLibraryCannotBeOpened_data();
    void saysThatTheLibraryCannotBeOpened();
    void takesNoEditThatItCouldNotKeep();
    void goesOnOnceTheLibraryIsThere();
    void thePageInViewIsFilledOnceTheLibraryIsOpen();
    void whatWasRestoredIsOneClickAway_data();
    void whatWasRestoredIsOneClickAway();
    void whatAFullDiskRefusesWaitsForRoom();
    void modelsStayAsTheyAreWhileTheDiskIsFull();
    void runsStayAsTheyAreWhileTheDiskIsFull();
    void whatIsHeardOfWaitsForRoomToo();
    void aDiskThatTakesNothingIsNamed();
    void damagedSettingsAreTold();

private:
    static void makeNewer(const QString& path);
    const TestPlace& m_place;
};

/// A library of a later Homebooth.
void TroubleTest::makeNewer(const QString& path) {
    QVERIFY(core::Library::open(path.toStdString()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite));
    constexpr qint64 kUserVersion = 60; // where SQLite's header has it, 4 bytes, the highest first
    QVERIFY(file.seek(kUserVersion));
    QCOMPARE(file.write(QByteArray::fromHex("000003e7")), qint64{4});
}

void TroubleTest::saysThatTheLibraryCannotBeOpened_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("said");
    QTest::newRow("newer") << "newer"
                           << "newer Homebooth";
    QTest::newRow("a folder in its place") << "folder"
                                           << "is not a file. Move or rename what is there";
    QTest::newRow("in use") << "used"
                            << "use";
}

void TroubleTest::saysThatTheLibraryCannotBeOpened() {
    QFETCH(QString, kind);
    QFETCH(QString, said);
    Window w(m_place, kind);
    std::unique_ptr<core::Library> other;
    if (kind == QLatin1String("newer")) makeNewer(w.file);
    if (kind == QLatin1String("folder")) QVERIFY(QDir().mkpath(w.file + u"/inside"_s));
    if (kind == QLatin1String("used")) {
        auto opened = core::Library::open(w.file.toStdString());
        QVERIFY(opened);
        other = std::move(*opened);
    }
    QSignalSpy failed(&w.library, &LibraryService::openFailed);
    w.library.open(w.file);
    QVERIFY(failed.wait(kLongestMs));
    QCOMPARE(w.window.currentPage(), PageId::Trouble);
    const QString text = textOn(*w.window.page(PageId::Trouble));
    QVERIFY2(text.contains(said), qPrintable(text));
    QVERIFY2(!text.contains(u"choose another file"_s), qPrintable(text)); // nothing here could
    QVERIFY(!w.window.findChild<Navigation*>()->isEnabled());
    for (const PageId page : {PageId::Subjects, PageId::Gallery, PageId::Settings}) {
        w.window.showPage(page);
        QCOMPARE(w.window.currentPage(), PageId::Trouble);
    }
    QVERIFY(!w.settings.value(keys::kWelcomed).toBool()); // the first time is still to come
}

void TroubleTest::takesNoEditThatItCouldNotKeep() {
    Window w(m_place, u"no edits"_s);
    makeNewer(w.file);
    QSignalSpy refused(&w.library, &LibraryService::openFailed);
    w.library.open(w.file);
    QVERIFY(refused.wait(kLongestMs));
    w.window.openPaths({writeTestPicture(m_place.path("dropped.png"), 1)});
    workPool().waitForDone();
    QCoreApplication::processEvents();
    QVERIFY(w.subjects.subjects().empty());
    // Whoever writes all the same is told.
    QSignalSpy failed(&w.library, &LibraryService::failed);
    w.library.write([](core::Library&) { return core::Result<void>(); });
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().toString().contains(u"not kept"_s));
}

void TroubleTest::goesOnOnceTheLibraryIsThere() {
    Window w(m_place, u"mended"_s);
    makeNewer(w.file);
    QSignalSpy refused(&w.library, &LibraryService::openFailed);
    w.library.open(w.file);
    QVERIFY(refused.wait(kLongestMs));
    QVERIFY(QFile::rename(w.file, w.file + u".newer"_s));
    QSignalSpy loaded(&w.subjects, &SubjectBook::loadedAll);
    buttonNamed(*w.window.page(PageId::Trouble), u"Try again"_s)->click();
    QVERIFY(loaded.wait(kLongestMs));
    QCOMPARE(w.window.currentPage(), PageId::Welcome);
    QVERIFY(w.window.findChild<Navigation*>()->isEnabled());
    w.window.openPaths({writeTestPicture(m_place.path("dropped.png"), 1)});
    QTRY_COMPARE(w.subjects.subjects().size(), size_t{1});
}

void TroubleTest::thePageInViewIsFilledOnceTheLibraryIsOpen() {
    const QString name = u"restored"_s;
    const QString picture = writeTestPicture(m_place.path("kept.png"), 1);
    {
        auto library = core::Library::open(m_place.path(name + u".db"_s).toStdString());
        QVERIFY(library);
        core::PictureRecord record;
        record.id = core::newRecordId();
        record.path = picture.toStdString();
        QVERIFY(core::addPictures(**library, {record}));
    }
    {
        Settings settings(m_place.path(name + u".ini"_s));
        settings.set(keys::kWelcomed, true);
        settings.set(keys::kPage, static_cast<int>(PageId::Gallery));
    }
    Window w(m_place, name);
    QCOMPARE(w.window.currentPage(), PageId::Gallery);
    w.library.open(w.file);
    QTRY_VERIFY(textOn(*w.window.page(PageId::Gallery)).contains(u"kept.png"_s));
}

void TroubleTest::whatWasRestoredIsOneClickAway_data() {
    QTest::addColumn<bool>("missing");
    QTest::newRow("damaged") << false;
    QTest::newRow("missing") << true;
}

void TroubleTest::whatWasRestoredIsOneClickAway() {
    QFETCH(bool, missing);
    const QString name = QString::fromLatin1(QTest::currentDataTag());
    {
        Settings settings(m_place.path(name + u".ini"_s));
        settings.set(keys::kWelcomed, true);
        settings.set(keys::kPage, static_cast<int>(PageId::Gallery));
    }
    Window w(m_place, name);
    core::LibraryRecovery recovery;
    recovery.recovered = true;
    recovery.missing = missing;
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    Q_EMIT w.library.opened(recovery); // as for one that was restored
    MessageBar& messages = w.window.page(PageId::Gallery)->messages();
    QVERIFY(messages.currentText().contains(u"The library was "_s + name));
    buttonNamed(messages, u"Show"_s)->click();
    QCOMPARE(w.window.currentPage(), PageId::Subjects);
}

void TroubleTest::whatAFullDiskRefusesWaitsForRoom() {
    QStringList order; // touched by the library's thread while something waits
    std::atomic<bool> room = false;
    const auto note = [&order, &room](const QString& what) {
        return [&order, &room, what](core::Library&) -> core::Result<void> {
            if (!room) return core::Error{core::ErrorCode::OutOfResources, "the disk is full", "/a"};
            order.append(what);
            return {};
        };
    };
    {
        Window w(m_place, u"room"_s);
        w.library.open(w.file);
        QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
        MessageBar& messages = w.window.page(w.window.currentPage())->messages();
        w.library.write(note(u"first"_s));
        QTRY_VERIFY(messages.currentText().contains(u"disk of the library is full"_s));
        QSignalSpy waits(&w.library, &LibraryService::waitsForRoom);
        w.library.write([&order](core::Library&) {
            order.append(u"behind it"_s);
            return core::Result<void>();
        });
        QTRY_COMPARE(waits.size(), 1);
        w.window.showPage(PageId::Settings); // the message goes from the page that it was said on
        room = true;
        QTRY_COMPARE(messages.currentText(), QString());
        QCOMPARE(order, (QStringList{u"first"_s, u"behind it"_s}));
        room = false;
        w.library.write(note(u"at the end"_s));
        QTRY_COMPARE(waits.size(), 2);
        QVERIFY(!closesBy(w.window, QMessageBox::RejectRole));
        QTRY_VERIFY(w.window.findChild<QMessageBox*>() == nullptr);
        QVERIFY(closesBy(w.window, QMessageBox::DestructiveRole));
        room = true;
    }
    QCOMPARE(order.size(), 3);
}

void TroubleTest::modelsStayAsTheyAreWhileTheDiskIsFull() {
    std::atomic<bool> room = false;
    Window w(m_place, u"models and room"_s);
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    core::ModelRecord record = modelRecord(u"before"_s, m_place.path("named anew"));
    w.models.put(record);
    w.library.write([&room](core::Library&) -> core::Result<void> {
        if (!room) return core::Error{core::ErrorCode::OutOfResources, "the disk is full", "/a"};
        return {};
    });
    QTRY_VERIFY(w.library.waits());
    record.name = "now";
    w.models.put(record);
    const QString other = m_place.path("come meanwhile");
    QVERIFY(QFile::link(builtInModel(), other));
    w.models.import(other);
    QTRY_VERIFY(w.models.find(other) != nullptr);
    const auto asBefore = [&] {
        w.models.refresh();
        QTRY_VERIFY(w.models.listed());
        QCOMPARE(w.models.record(record.id)->name, record.name);
        QVERIFY(w.models.find(other) != nullptr);
    };
    asBefore();
    ModelShelf late(w.library, w.runs); // a list that is read meanwhile
    late.import(other);
    QTRY_VERIFY(late.find(other) != nullptr);
    QVERIFY(late.record(record.id));
    room = true;
    QTRY_VERIFY(!w.library.waits());
    asBefore();
}

void TroubleTest::runsStayAsTheyAreWhileTheDiskIsFull() {
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
    std::atomic<bool> room = false;
    Window w(m_place, u"runs and room"_s);
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    const QString folder = m_place.path(u"runs"_s);
    const QString gone = makeRunFolder(folder, u"gone"_s, 10);
    const QString stays = makeRunFolder(folder, u"stays"_s, 10);
    w.runs.open(folder);
    QTRY_VERIFY(w.runs.find(gone) != nullptr && w.runs.find(stays) != nullptr);
    w.library.write([&room](core::Library&) -> core::Result<void> {
        if (!room) return core::Error{core::ErrorCode::OutOfResources, "the disk is full", "/a"};
        return {};
    });
    QTRY_VERIFY(w.library.waits());
    w.runs.remove({gone});
    QTRY_VERIFY(w.runs.find(gone) == nullptr);
    w.runs.enqueue(stays);
    QTRY_VERIFY(w.runs.queue().contains(stays));
    w.runs.unqueue(stays); // what leaves the queue may have worked meanwhile
    QTRY_VERIFY(!w.runs.queue().contains(stays));
    QTest::qWait(500);
    QVERIFY(w.runs.find(gone) == nullptr); // as only the library knew it
    QSignalSpy changed(&w.runs, &RunCentre::runsChanged);
    room = true;
    QTRY_VERIFY_WITH_TIMEOUT(!changed.isEmpty(), kLongestMs);
    QVERIFY(!w.library.waits());
    QVERIFY(w.runs.find(gone) == nullptr && w.runs.find(stays) != nullptr);
}

void TroubleTest::whatIsHeardOfWaitsForRoomToo() {
    std::atomic<bool> room = false;
    std::atomic<bool> written = false;
    bool heard = false;
    Window w(m_place, u"heard of"_s);
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    const auto change = [&room, &written](core::Library&) -> core::Result<void> {
        if (!room) return core::Error{core::ErrorCode::OutOfResources, "the disk is full", "/a"};
        written = true;
        return {};
    };
    w.library.write(&w.window, change, [&heard](const core::Result<void>& kept) { heard = kept.ok(); });
    QTRY_VERIFY(heard && w.library.waits());
    room = true;
    QTRY_VERIFY_WITH_TIMEOUT(written, kLongestMs);
}

void TroubleTest::aDiskThatTakesNothingIsNamed() {
    Window w(m_place, u"no room"_s);
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    Q_EMIT w.library.openFailed(
        u"/a: the disk is read-only; choose another place, or mount it for writing"_s);
    QVERIFY(textOn(*w.window.page(PageId::Trouble)).contains(u"XDG_DATA_HOME"_s));
}

void TroubleTest::damagedSettingsAreTold() {
    const QString name = u"damaged settings"_s;
    writeBytes(m_place.path(name + u".ini"_s), "no value\n");
    Window w(m_place, name);
    w.library.open(w.file);
    QTRY_COMPARE(w.library.state(), LibraryService::State::Open);
    const QString told = w.window.page(w.window.currentPage())->messages().currentText();
    QVERIFY2(told.contains(u"kept as"_s), qPrintable(told));
}

HOMEBOOTH_APP_TEST_MAIN(TroubleTest)
#include "tst_trouble.moc"
