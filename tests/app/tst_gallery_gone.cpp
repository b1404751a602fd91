// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pictures of the gallery whose files are gone: they say so, are found again or taken out.
#include "app/library/background.h"
#include "app/widgets/message_bar.h"
#include "app_files.h"
#include "core/base/text/generation_parameters.h"
#include "core/media/picture_io.h"
#include "gallery_fixture.h"

#include <QClipboard>
#include <QFileDialog>
#include <QMimeData>

#include <chrono>
#include <filesystem>
#include <memory>
#include <unistd.h>

using namespace homebooth;
using namespace homebooth::app;

class GalleryGoneTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void whatKilledEnginesLeftGoes();
    void aPictureWithoutItsFileSaysSo();
    void whatGoesBeforeItsFolderIsWatchedIsSeen();
    void whatNeedsAFileLeavesItOut();
    void whatCannotBeOpenedSaysSo();
    void filesThatMovedAreFoundAgain();
    void aFolderThatWasRenamedMeanwhileIsFollowed();
    void aFolderThatIsRenamedBesideTheWindowIsFollowed();
    void anotherPictureOfThatNameIsNotTaken();
    void aNewPictureOfThatNameHasNothingOfIt();
    void whatIsRemovedCanComeBack();
    void theFileOfWhatIsRemovedStaysWhereItComesBack();
    void whatIsDeletedStaysSoWhereItsDriveIsAway();
    void anotherFileInItsPlaceIsNotDeleted();
    void changesComeBeforeTheTrash();
    void whatCannotBeDeletedIsBack();

private:
    [[nodiscard]] QString folder() const { return m_place.path(u"pictures "_s + m_name); }
    [[nodiscard]] QString fileOf(int number) const { return folder() + u"/%1.png"_s.arg(number); }
    static void write(const QString& path, uint64_t seed);
    /// Three pictures, in the gallery.
    [[nodiscard]] std::unique_ptr<GalleryPage> openPage();
    /// How many pictures the library shows once all that it was asked for before is done.
    [[nodiscard]] int known();
    static int rowOf(GalleryPage& page, const QString& path);
    /// Hides pictures as a press of Delete does.
    void trash(GalleryPage& page, std::initializer_list<int> numbers);
    /// As if the window were closed and opened again.
    void restart();
    void lookThroughFolder();

    QString m_name;
};

void GalleryGoneTest::init() {
    beginAgain();
    m_name = QLatin1String(QTest::currentTestFunction());
    QDir().mkpath(folder());
    QDir().mkpath(qEnvironmentVariable("XDG_DATA_HOME")); // the trash lies below it
}

void GalleryGoneTest::write(const QString& path, uint64_t seed) {
    core::GenerationParameters facts;
    facts.prompt = "a blue dog";
    facts.seed = seed;
    facts.steps = 20;
    facts.sampler = "Euler";
    facts.widthPixels = facts.heightPixels = 64;
    const core::Picture pixels{64, 64, std::vector<uint8_t>(64 * 64 * 3, 120)};
    QVERIFY(
        core::writePng(path.toStdString(), pixels, {{"parameters", core::writeGenerationParameters(facts)}}));
}

std::unique_ptr<GalleryPage> GalleryGoneTest::openPage() {
    m_services->library.write([](core::Library& library) {
        std::vector<int64_t> ids;
        const auto pictures = core::findPictures(library, {}, 0, 1000);
        for (const core::PictureRecord& one : *pictures) ids.push_back(one.id);
        return core::forgetPictures(library, ids); // of the function before
    });
    for (int number = 1; number <= 3; ++number) write(fileOf(number), static_cast<uint64_t>(number));
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    m_services->album.open(folder());
    auto page = std::make_unique<GalleryPage>(m_services->all());
    page->resize(1000, 600);
    page->setVisible(true);
    page->activated();
    [&] { QTRY_COMPARE(page->model().rowCount(), 3); }();
    return page;
}

int GalleryGoneTest::known() {
    int count = -1;
    m_services->library.ask<std::vector<core::PictureRecord>>(
        this, [](core::Library& library) { return core::findPictures(library, {}, 0, 1000); },
        [&count](const std::vector<core::PictureRecord>& found) { count = static_cast<int>(found.size()); });
    [&] { QTRY_VERIFY(count >= 0); }();
    return count;
}

int GalleryGoneTest::rowOf(GalleryPage& page, const QString& path) {
    for (int row = 0; row < page.model().rowCount(); ++row)
        if (page.model().at(row).path == path.toStdString()) return row;
    return -1;
}

void GalleryGoneTest::trash(GalleryPage& page, std::initializer_list<int> numbers) {
    std::vector<int64_t> ids;
    for (const int number : numbers) ids.push_back(page.model().at(rowOf(page, fileOf(number))).id);
    m_services->album.trash(ids);
    QTRY_COMPARE(page.model().rowCount(), 3 - static_cast<int>(ids.size()));
}

void GalleryGoneTest::restart() {
    m_services->album.emptyTrash();
    end();
    beginAgain();
}

void GalleryGoneTest::lookThroughFolder() {
    QSignalSpy changed(&m_services->album, &PictureAlbum::changed);
    m_services->album.open(folder());
    QVERIFY(changed.wait(kLongestMs));
}

void GalleryGoneTest::whatKilledEnginesLeftGoes() {
    const QString day = folder() + u"/a day"_s;
    QVERIFY(QDir().mkpath(day));
    const QString ours = u"/.preview-%1-0.png"_s.arg(QCoreApplication::applicationPid());
    const QString somebodys = u"/.preview-2024-01-01.png"_s;
    for (const QString& name : {u"/.preview-0.png"_s, ours, somebodys}) {
        writeBytes(day + name, "rough");
        std::filesystem::last_write_time((day + name).toStdString(),
                                         std::filesystem::file_time_type::clock::now() -
                                             std::chrono::hours(48));
    }
    lookThroughFolder();
    QVERIFY(!QFile::exists(day + u"/.preview-0.png"_s));
    QVERIFY(QFile::exists(day + ours)); // who lives removes it
    QVERIFY(QFile::exists(day + somebodys));
    QVERIFY(QDir(day).removeRecursively());
}

void GalleryGoneTest::aPictureWithoutItsFileSaysSo() {
    const auto page = openPage();
    QVERIFY(QFile::remove(fileOf(2))); // while it is looked at
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    QVERIFY(!page->model().gone(rowOf(*page, fileOf(1))));
    const QModelIndex index = page->model().index(rowOf(*page, fileOf(2)));
    QCOMPARE(index.data(OverlayRole).toString(), u"The file is gone."_s);
    QVERIFY(index.data(Qt::AccessibleTextRole).toString().endsWith(u"the file is gone"_s));
    page->choose(fileOf(2));
    QVERIFY(shownTexts(*page).contains(u"The file is gone."_s));
    QVERIFY(buttonNamed(*page, u"Find..."_s)->isVisible());
    QVERIFY(buttonNamed(*page, u"Remove"_s)->isVisible());
    write(fileOf(2), 2); // back again
    QTRY_VERIFY(!page->model().gone(rowOf(*page, fileOf(2))));
    QVERIFY(!buttonNamed(*page, u"Find..."_s)->isVisible());
}

void GalleryGoneTest::whatGoesBeforeItsFolderIsWatchedIsSeen() {
    const auto page = openPage();
    lookPool().waitForDone();
    QCoreApplication::processEvents(); // the files were looked at
    auto* watch = page->model().findChild<FileWatch*>();
    QVERIFY(watch != nullptr);
    QSignalSpy begun(watch, &FileWatch::begun);
    const QString other = m_place.path(u"of others"_s);
    QVERIFY(QDir().mkpath(other));
    watch->set({other}); // as if that of the pictures had not begun yet
    QTRY_VERIFY(watched(begun).contains(other));
    QVERIFY(QFile::remove(fileOf(2)));
    watch->set({folder()});
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
}

void GalleryGoneTest::whatNeedsAFileLeavesItOut() {
    const auto page = openPage();
    QVERIFY(QFile::remove(fileOf(2)));
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    QCOMPARE(page->paths().size(), 2); // of the large view
    page->choose(fileOf(2));
    QSignalSpy large(page.get(), &GalleryPage::largeWanted);
    (void)page->command(Page::Command::LargeView);
    for (const char* name : {"Large view", "Copy", "Folder", "Enlarge"})
        QVERIFY2(!buttonNamed(*page, QLatin1String(name))->isEnabled(), name);
    QVERIFY(buttonNamed(*page, u"Use settings"_s)->isEnabled()); // these the library has
    QCOMPARE(large.size(), 0);
    const QModelIndex gone = page->model().index(rowOf(*page, fileOf(2)));
    QVERIFY(!page->model().flags(gone).testFlag(Qt::ItemIsDragEnabled));
    QVERIFY(mimeOfPictures({gone}) == nullptr);
    const std::unique_ptr<QMimeData> both(
        mimeOfPictures({gone, page->model().index(rowOf(*page, fileOf(1)))}));
    QCOMPARE(both->urls(), QList<QUrl>{QUrl::fromLocalFile(fileOf(1))});
    page->findChild<SectionGrid*>()->selectAll();
    buttonNamed(*page, u"Save a copy..."_s)->click();
    QTRY_VERIFY(page->findChild<QFileDialog*>() != nullptr);
    auto* dialog = page->findChild<QFileDialog*>();
    QVERIFY(QDir().mkpath(folder() + u" copies"_s));
    Q_EMIT dialog->filesSelected({folder() + u" copies"_s});
    dialog->reject();
    QTRY_VERIFY(page->messages().currentText().endsWith(u". The files of 1 picture(s) are gone."_s));
    QVERIFY(page->command(Page::Command::Delete)); // which that message may tell of
    QVERIFY(page->messages().currentText().isEmpty());
    m_services->undo.undo();
    QTRY_COMPARE(page->model().rowCount(), 3);
}

void GalleryGoneTest::whatCannotBeOpenedSaysSo() {
    writeBytes(fileOf(1), "\x89PNG"); // and no more
    std::vector<core::PictureRecord> pictures = picturesDownFrom(1);
    pictures[0].path = fileOf(1).toStdString();
    GalleryModel model(m_services->all());
    model.set(pictures);
    QVERIFY(m_services->thumbnails.find({fileOf(1), {}, 64}).isNull());
    QTRY_COMPARE(model.index(0).data(OverlayRole).toString(), u"The file cannot be opened."_s);
}

void GalleryGoneTest::filesThatMovedAreFoundAgain() {
    const auto page = openPage();
    const QString there = folder() + u" elsewhere/deeper"_s;
    QDir().mkpath(there);
    for (const int number : {1, 2}) QVERIFY(QFile::rename(fileOf(number), there + u"/%1.png"_s.arg(number)));
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(1))));
    page->choose(fileOf(2));
    buttonNamed(*page, u"Find..."_s)->click();
    QTRY_VERIFY(page->findChild<QFileDialog*>() != nullptr);
    auto* dialog = page->findChild<QFileDialog*>();
    Q_EMIT dialog->filesSelected({folder() + u" elsewhere"_s});
    dialog->reject();
    QTRY_COMPARE(page->messages().currentText(), u"2 picture(s) found again."_s);
    QTRY_VERIFY(rowOf(*page, there + u"/2.png"_s) >= 0);
    QVERIFY(!page->model().gone(rowOf(*page, there + u"/1.png"_s)));
}

void GalleryGoneTest::aFolderThatWasRenamedMeanwhileIsFollowed() {
    auto page = openPage();
    const int64_t marked = page->model().at(rowOf(*page, fileOf(1))).id;
    m_services->album.setFavourite({marked}, true);
    trash(*page, {2});
    page.reset();
    end(); // without its close: the file of what was deleted is there still
    const QString day = folder() + u"/a day"_s;
    QVERIFY(QDir().mkpath(day));
    const auto now = [&day](int number) { return day + u"/%1.png"_s.arg(number); };
    for (const int number : {1, 2, 3}) QVERIFY(QFile::rename(fileOf(number), now(number)));
    write(day + u"/4.png"_s, 4); // a new one
    beginAgain();
    lookThroughFolder();
    QCOMPARE(known(), 3);
    std::vector<core::PictureState> states;
    const std::vector<std::string> paths{now(1).toStdString(), now(2).toStdString()};
    m_services->library.ask<std::vector<core::PictureState>>(
        this, [paths](core::Library& library) { return core::pictureStates(library, paths); },
        [&states](const std::vector<core::PictureState>& found) { states = found; });
    QTRY_COMPARE(states.size(), size_t{2});
    QCOMPARE(states.front().id, marked);
    QVERIFY(states.back().trashed);
    QVERIFY(states.front().favourite);
}

void GalleryGoneTest::aFolderThatIsRenamedBesideTheWindowIsFollowed() {
    const QString home = m_services->settings.text(keys::kHome);
    m_services->settings.set(keys::kHome, folder());
    const auto page = openPage();
    GalleryModel& model = page->model();
    const int64_t marked = model.at(rowOf(*page, fileOf(1))).id;
    const QString day = folder() + u"/pictures/a day"_s;
    QVERIFY(QDir().mkpath(day));
    for (const int number : {1, 2, 3}) QVERIFY(QFile::rename(fileOf(number), day + u"/%1.png"_s.arg(number)));
    QTRY_VERIFY(rowOf(*page, day + u"/1.png"_s) >= 0); // while it is looked at
    QCOMPARE(model.at(rowOf(*page, day + u"/1.png"_s)).id, marked);
    QTRY_VERIFY(rowOf(*page, day + u"/3.png"_s) >= 0 && !model.anyGone());
    page->setVisible(false);
    const QString other = folder() + u"/pictures/Äpfel"_s;
    QVERIFY(QDir().rename(day, other));
    page->setVisible(true);
    page->activated();
    QTRY_VERIFY(rowOf(*page, other + u"/1.png"_s) >= 0);
    QCOMPARE(model.at(rowOf(*page, other + u"/1.png"_s)).id, marked);
    QTRY_VERIFY(model.rowCount() == 3 && !model.anyGone());
    const QString away = m_place.path(u"away "_s + m_name);
    QVERIFY(QDir().rename(other, away));
    page->activated();
    QTRY_VERIFY(model.anyGone());
    QVERIFY(QDir().rename(away, other));
    page->activated();
    QTRY_VERIFY(!model.anyGone());
    QCOMPARE(known(), 3);
    m_services->settings.set(keys::kHome, home);
}

void GalleryGoneTest::anotherPictureOfThatNameIsNotTaken() {
    const auto page = openPage();
    const QString there = folder() + u" other"_s;
    QDir().mkpath(there);
    QVERIFY(QFile::remove(fileOf(2)));
    write(there + u"/2.png"_s, 77);
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    const core::PictureRecord gone = page->model().at(rowOf(*page, fileOf(2)));
    int found = -1;
    m_services->album.find({gone}, there, page.get(), [&found](int count) { found = count; });
    QTRY_COMPARE(found, 0);
    QVERIFY(rowOf(*page, fileOf(2)) >= 0);
}

void GalleryGoneTest::aNewPictureOfThatNameHasNothingOfIt() {
    const auto page = openPage();
    const auto shown = [&page, this] {
        const int row = rowOf(*page, fileOf(2));
        return row < 0 ? core::PictureRecord() : page->model().at(row);
    };
    m_services->album.setFavourite({shown().id}, true);
    QTRY_VERIFY(shown().favourite);
    QVERIFY(QFile::remove(fileOf(2)));
    write(fileOf(2), 77);
    m_services->album.add(fileOf(2), u"robot toy"_s, u"/models/robot"_s);
    QTRY_COMPARE(shown().model, std::string("robot toy"));
    QVERIFY(shown().parameters.find("Seed: 77") != std::string::npos);
    QVERIFY(!shown().favourite);
    QCOMPARE(page->model().rowCount(), 3);
}

void GalleryGoneTest::whatIsRemovedCanComeBack() {
    const auto page = openPage();
    QVERIFY(QFile::remove(fileOf(2)));
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    page->choose(fileOf(2));
    QSignalSpy toast(page.get(), &Page::toast);
    buttonNamed(*page, u"Remove"_s)->click();
    QCOMPARE(toast.size(), 1);
    QTRY_COMPARE(page->model().rowCount(), 2);
    m_services->undo.undo();
    QTRY_COMPARE(page->model().rowCount(), 3);
    m_services->undo.redo();
    QTRY_COMPARE(page->model().rowCount(), 2);
}

void GalleryGoneTest::theFileOfWhatIsRemovedStaysWhereItComesBack() {
    auto page = openPage();
    QVERIFY(QFile::remove(fileOf(2)));
    QTRY_VERIFY(page->model().gone(rowOf(*page, fileOf(2))));
    page->choose(fileOf(2));
    buttonNamed(*page, u"Remove"_s)->click();
    QTRY_COMPARE(page->model().rowCount(), 2);
    write(fileOf(2), 2); // its drive is back
    page.reset();
    restart();
    QVERIFY(QFile::exists(fileOf(2)));
}

void GalleryGoneTest::whatIsDeletedStaysSoWhereItsDriveIsAway() {
    auto page = openPage();
    trash(*page, {2});
    page.reset();
    const QString away = folder() + u" away"_s;
    QVERIFY(QDir().rename(folder(), away));
    restart();
    QCOMPARE(known(), 2);
    QVERIFY(QDir().rename(away, folder()));
    lookThroughFolder();
    QCOMPARE(known(), 2);
    QVERIFY(QFile::exists(fileOf(2)));
    restart();
    QVERIFY(!QFile::exists(fileOf(2)));
    QCOMPARE(known(), 2);
}

void GalleryGoneTest::anotherFileInItsPlaceIsNotDeleted() {
    auto page = openPage();
    trash(*page, {1, 2});
    page.reset();
    QVERIFY(QFile::remove(fileOf(2)));
    write(fileOf(2), 77); // as on another drive that lies there now
    QFile copy(fileOf(1));
    QVERIFY(copy.open(QIODevice::ReadWrite));
    QVERIFY(copy.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
    copy.close();
    restart();
    QVERIFY(!QFile::exists(fileOf(1)));
    QVERIFY(QFile::exists(fileOf(2)));
    QCOMPARE(known(), 1);
    lookThroughFolder();
    QCOMPARE(known(), 2); // it is a picture of its own
}

void GalleryGoneTest::whatCannotBeDeletedIsBack() {
    if (::geteuid() == 0) QSKIP("root may delete whatever there is");
    auto page = openPage();
    QSignalSpy stayed(&m_services->album, &PictureAlbum::stayed);
    const auto mine = QFile::ReadOwner | QFile::ExeOwner;
    QVERIFY(QFile::setPermissions(folder(), mine)); // as of another user's
    m_services->album.trash({page->model().at(rowOf(*page, fileOf(2))).id});
    const bool told = stayed.wait(kLongestMs);
    QVERIFY(QFile::setPermissions(folder(), mine | QFile::WriteOwner));
    QVERIFY(told);
    QCOMPARE(stayed[0][0].toInt(), 1);
    QTRY_COMPARE(page->model().rowCount(), 3);
}

void GalleryGoneTest::changesComeBeforeTheTrash() {
    auto page = openPage();
    trash(*page, {2});
    page.reset();
    m_services->album.emptyTrash(); // which may wait for a drive
    bool before = false;
    m_services->library.write([&before, file = fileOf(2)](core::Library&) {
        before = QFile::exists(file);
        return core::Result<void>();
    });
    end();
    QVERIFY(before);
    QVERIFY(!QFile::exists(fileOf(2)));
}

HOMEBOOTH_APP_TEST_MAIN(GalleryGoneTest)
#include "tst_gallery_gone.moc"
