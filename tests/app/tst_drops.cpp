// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Photos that come by drag and drop or by the clipboard, as the window system delivers them: the drag goes to
// the window, and Qt finds the widget below the pointer.
#include "app/engine/pictures/photo_folder.h"
#include "app/library/background.h"
#include "app/pages/generate/generate_form.h"
#include "app/pages/generate/prompt/word_list_panel.h"
#include "app/pages/train/train_page.h"
#include "app/shell/drops/drop_content.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/event_rules.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/pictures/thumbnail_grid.h"
#include "app_files.h"
#include "tests/media/picture_files.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QDropEvent>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QWindow>

using namespace homebooth;
using namespace homebooth::app;

class DropsTest : public QObject {
    Q_OBJECT
public:
    explicit DropsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init();
    void photosDroppedOnAnyPageMakeASubject_data();
    void photosDroppedOnAnyPageMakeASubject();
    void aFolderMakesASubjectOfItsName();
    void aPictureWithoutAFileIsKept();
    void aPhotoOfAPhoneIsReadAndPrepared();
    void zonesOfferTheSubjectInView();
    void zonesGoWhenTheDragLeaves();
    void whatIsElsewhereIsNotFetched_data();
    void whatIsElsewhereIsNotFetched();
    void pastedPictureMakesASubject();
    void picturesPastedOneByOneGetNamesOfTheirOwn();
    void pastedFilesMakeASubject();
    void aPastedPictureWithSettingsFillsTheForm();
    void aPictureThatAnotherProgramCopiedFillsTheForm();
    void whatIsPastedLateTakesNothingAway();
    void aFolderIsNotWaitedFor();
    void aPictureThatDoesNotFitOnTheDiskLeavesNothing();
    void aPastedPictureIsHeldUntilThereIsRoom();
    void aFolderOfCaptionedPicturesIsADataset_data();
    void aFolderOfCaptionedPicturesIsADataset();
    void aFolderMayHoldExamples();
    void aTextFileIsAListOfWords();
    void picturesOfTheWindowBecomeNoText();

private:
    [[nodiscard]] QList<QUrl> photos(int count) const;
    /// Drags to a place in the window; a drag is moved once before it is dropped, as a hand does.
    void drag(const QMimeData& data, QPoint to);
    void drop(const QMimeData& data, QPoint at);
    /// Pastes on a page; the clipboard takes what was copied.
    void paste(QMimeData* copied, PageId page);
    [[nodiscard]] DropOverlay* zones() const { return m_window->findChild<DropOverlay*>(); }
    [[nodiscard]] QPoint middle() const { return m_window->centralWidget()->geometry().center(); }
    [[nodiscard]] const std::vector<core::Subject>& subjects() const {
        return m_services->subjects.subjects();
    }

    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
    std::unique_ptr<MainWindow> m_window;
    size_t m_before = 0;
};

void DropsTest::initTestCase() {
    m_services = std::make_unique<TestServices>(m_place);
    m_window = std::make_unique<MainWindow>(m_services->all());
    m_window->resize(1024, 640);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void DropsTest::cleanupTestCase() {
    m_window.reset();
    m_services.reset();
}

void DropsTest::init() {
    failOnAnyWarning();
    m_before = subjects().size();
}

QList<QUrl> DropsTest::photos(int count) const {
    QDir().mkpath(m_place.path(u"red_car"_s));
    QList<QUrl> urls;
    for (int i = 0; i < count; ++i)
        urls.append(
            QUrl::fromLocalFile(writeTestPicture(m_place.path(u"red_car/%1.png"_s.arg(i)), i, {120, 90})));
    return urls;
}

void DropsTest::drag(const QMimeData& data, QPoint to) {
    QWindow* window = m_window->windowHandle();
    const QPoint start(to.x(), to.y() - 1);
    QDragEnterEvent enter(start, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &enter);
    workPool().waitForDone(); // what it is comes from the disk
    QCoreApplication::processEvents();
    QDragMoveEvent move(to, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window, &move);
}

void DropsTest::drop(const QMimeData& data, QPoint at) {
    drag(data, at);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window->windowHandle(), &drop);
}

void DropsTest::paste(QMimeData* copied, PageId page) {
    QApplication::clipboard()->setMimeData(copied);
    m_window->showPage(page);
    QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
}

void DropsTest::photosDroppedOnAnyPageMakeASubject_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<QPoint>("at");
    const QPoint middle(600, 330);
    QTest::newRow("train") << int(PageId::Train) << middle;
    QTest::newRow("generate, over the prompt") << int(PageId::Generate) << QPoint(330, 220);
    QTest::newRow("gallery") << int(PageId::Gallery) << middle;
    QTest::newRow("datasets") << int(PageId::Datasets) << middle;
    QTest::newRow("models, over the search") << int(PageId::Models) << QPoint(300, 100);
    QTest::newRow("queue") << int(PageId::Queue) << middle;
    QTest::newRow("settings") << int(PageId::Settings) << middle;
    QTest::newRow("welcome") << int(PageId::Welcome) << middle;
    QTest::newRow("navigation") << int(PageId::Gallery) << QPoint(60, 300);
    QTest::newRow("job bar") << int(PageId::Gallery) << QPoint(500, 620);
}

void DropsTest::photosDroppedOnAnyPageMakeASubject() {
    QFETCH(int, page);
    QFETCH(QPoint, at);
    m_window->showPage(static_cast<PageId>(page));
    QMimeData data;
    data.setUrls(photos(3));
    drag(data, at);
    QVERIFY(zones()->isVisible());
    // Where there are several zones the first one, which stands uppermost, makes the subject.
    const bool several = zones()->zones().size() > 1;
    drop(data, several ? QPoint(middle().x(), 120) : at);
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QCOMPARE(subjects().front().photos.size(), size_t{3});
    QCOMPARE(QString::fromStdString(subjects().front().name), u"red car"_s);
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
    QVERIFY(!zones()->isVisible());
    m_services->undo.undo();
}

void DropsTest::aFolderMakesASubjectOfItsName() {
    (void)photos(4);
    m_window->showPage(PageId::Gallery);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_place.path(u"red_car"_s))});
    drop(data, middle());
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QCOMPARE(subjects().front().photos.size(), size_t{4});
    QCOMPARE(QString::fromStdString(subjects().front().classNoun), u"car"_s);
    drop(data, QPoint(middle().x(), 120)); // once more
    QTRY_COMPARE(subjects().size(), m_before + 2);
    QCOMPARE(QString::fromStdString(subjects().front().name), u"red car 2"_s);
    QDir().mkpath(m_place.path(u"another/red_car"_s)); // has other photos
    m_services->subjects.addFromPhotos(
        {writeTestPicture(m_place.path(u"another/red_car/0.png"_s), 9, {120, 90})});
    QCOMPARE(QString::fromStdString(subjects().front().name), u"red car 3"_s);
    m_services->undo.undo();
    m_services->undo.undo();
    m_services->undo.undo();
}

void DropsTest::aPictureWithoutAFileIsKept() {
    QImage image(64, 48, QImage::Format_RGB32);
    image.fill(Qt::red);
    QMimeData data;
    data.setImageData(image);
    data.setUrls({QUrl(u"https://example.org/red.png"_s)});
    m_window->showPage(PageId::Gallery);
    const QDir kept(m_services->settings.text(keys::kHome) + u"/photos"_s);
    drag(data, middle());
    QVERIFY2(kept.entryList(QDir::Files).isEmpty(), "dragging alone writes a file");
    drop(data, middle());
    QTRY_COMPARE(subjects().size(), m_before + 1);
    const core::Subject& made = subjects().front();
    QCOMPARE(QString::fromStdString(made.name), SubjectBook::newName());
    QCOMPARE(QImage(QString::fromStdString(made.photos.front().path)).size(), image.size());
    m_services->undo.undo();
}

void DropsTest::aPhotoOfAPhoneIsReadAndPrepared() {
    // As phones write them: HEIC, on its side with the camera's note how to turn it.
    const QString path = m_place.path(u"IMG_2041.HEIC"_s);
    const core::Picture seen = test::quadrants(128, 64);
    writeBytes(path, QByteArray::fromStdString(test::heicFile(test::storedAs(seen, 6), {}, 1)));
    m_window->showPage(PageId::Train);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    drop(data, middle());
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QTRY_VERIFY(!m_services->thumbnails.find({path, {}, 320}).isNull());
    const QImage shown = m_services->thumbnails.find({path, {}, 320});
    QCOMPARE(shown.size(), QSize(128, 64));
    QVERIFY(qRed(shown.pixel(10, 10)) > 180 && qGreen(shown.pixel(10, 10)) < 80); // the red corner
    auto* grid = m_window->page(PageId::Subjects)->findChild<ThumbnailGrid*>();
    QCOMPARE(grid->model()->rowCount(), 1);
    const auto state = [grid] { return grid->model()->index(0, 0).data(StateRole).toInt(); };
    QTRY_VERIFY(state() != int(ThumbnailState::Checking));
    QVERIFY(state() != int(ThumbnailState::Bad));
    const QString folder = m_place.path(u"from a phone"_s);
    const auto prepared = preparePhotos({subjects().front()}, folder, false);
    QVERIFY2(prepared, prepared ? "" : prepared.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), QStringList{u"001.heic"_s});
    m_services->undo.undo();
}

void DropsTest::zonesOfferTheSubjectInView() {
    QMimeData data;
    data.setUrls(photos(2));
    m_services->subjects.addEmpty();
    const int64_t id = subjects().front().id;
    m_window->showPage(PageId::Subjects);
    drop(data, middle()); // between both zones: into the nearer one
    QTRY_COMPARE(subjects().size(), m_before + 2);
    m_services->undo.undo();
    QCOMPARE(subjects().front().id, id);
    drag(data, middle());
    QCOMPARE(zones()->zones().size(), size_t{2});
    drop(data, QPoint(middle().x(), m_window->centralWidget()->geometry().bottom() - 100));
    QTRY_COMPARE(m_services->subjects.find(id)->photos.size(), size_t{2});
    QCOMPARE(subjects().size(), m_before + 1);
    m_services->undo.undo();
    m_services->undo.undo();
}

void DropsTest::zonesGoWhenTheDragLeaves() {
    QMimeData data;
    data.setUrls(photos(1));
    m_window->showPage(PageId::Gallery);
    // Over the window's edge for one event alone: the zones never get the drag.
    QDragEnterEvent enter(middle(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_window->windowHandle(), &enter);
    QVERIFY2(!zones()->isVisible(), "the disk was looked at within the event");
    QTRY_VERIFY(zones()->isVisible());
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(m_window->windowHandle(), &leave);
    QTRY_VERIFY(!zones()->isVisible());
    QCOMPARE(subjects().size(), m_before);
    // Nor do they come after it has left.
    QCoreApplication::sendEvent(m_window->windowHandle(), &enter);
    QCoreApplication::sendEvent(m_window->windowHandle(), &leave);
    workPool().waitForDone();
    QTest::qWait(50);
    QVERIFY(!zones()->isVisible());
}

void DropsTest::whatIsElsewhereIsNotFetched_data() {
    QTest::addColumn<QString>("url");
    QTest::newRow("on a web page") << u"https://example.org/photo.jpg"_s;
    QTest::newRow("on a phone") << u"mtp://phone/DCIM/1.jpg"_s;
}

void DropsTest::whatIsElsewhereIsNotFetched() {
    QFETCH(QString, url);
    const QString words = u"Copy them to this computer first"_s;
    m_window->showPage(PageId::Gallery);
    MessageBar& messages = m_window->page(PageId::Gallery)->messages();
    QMimeData data;
    data.setUrls({QUrl(url)});
    drag(data, middle());
    QCOMPARE(zones()->zones().size(), size_t{1});
    QVERIFY(zones()->zones().front().text.contains(words));
    drop(data, middle());
    QTRY_VERIFY(messages.currentText().contains(words));
    QVERIFY(!zones()->isVisible());
    messages.clear();
    auto* copied = new QMimeData;
    copied->setUrls({QUrl(url)});
    paste(copied, PageId::Gallery);
    QTRY_VERIFY(messages.currentText().contains(words));
    messages.clear();
    QCOMPARE(subjects().size(), m_before);
}

void DropsTest::pastedPictureMakesASubject() {
    QImage image(80, 60, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QApplication::clipboard()->setImage(image);
    m_window->showPage(PageId::Gallery);
    QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QCOMPARE(QImage(QString::fromStdString(subjects().front().photos.front().path)).size(), image.size());
    QCOMPARE(m_window->currentPage(), PageId::Subjects);
    m_services->undo.undo();
}

void DropsTest::picturesPastedOneByOneGetNamesOfTheirOwn() {
    QImage image(80, 60, QImage::Format_RGB32);
    image.fill(Qt::cyan);
    const QString name = SubjectBook::newName();
    const QStringList names{name, name + u" 2"_s, name + u" 3"_s};
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (i < 2) {
            auto* copied = new QMimeData;
            copied->setImageData(image);
            paste(copied, PageId::Subjects);
        } else {
            m_services->subjects.addEmpty();
        }
        QTRY_COMPARE(subjects().size(), m_before + static_cast<size_t>(i) + 1);
        QCOMPARE(QString::fromStdString(subjects().front().name), names[i]);
    }
    for (qsizetype i = 0; i < names.size(); ++i) m_services->undo.undo();
}

void DropsTest::pastedFilesMakeASubject() {
    auto* copied = new QMimeData;
    copied->setUrls(photos(2));
    QApplication::clipboard()->setMimeData(copied);
    m_window->showPage(PageId::Gallery);
    QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QCOMPARE(subjects().front().photos.size(), size_t{2});
    m_services->undo.undo();
}

void DropsTest::aPastedPictureWithSettingsFillsTheForm() {
    QImage image(64, 64, QImage::Format_RGB32);
    image.fill(Qt::green);
    image.setText(u"parameters"_s,
                  u"a pasted lighthouse\nSteps: 17, Sampler: DDIM, CFG scale: 3, Seed: 5, Size: 64x64"_s);
    const QString path = QFileInfo(photos(1).front().toLocalFile()).path() + u"/pasted.png"_s;
    QVERIFY(image.save(path));
    const auto copied = [&path] {
        auto* data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(path)});
        return data;
    };
    paste(copied(), PageId::Gallery);
    QTRY_COMPARE(m_window->currentPage(), PageId::Generate);
    auto* form = m_window->findChild<GenerateForm*>();
    QTRY_COMPARE(form->prompt(), u"a pasted lighthouse"_s);
    QCOMPARE(subjects().size(), m_before);
    paste(copied(), PageId::Subjects); // there it is a photo like others
    QTRY_COMPARE(subjects().size(), m_before + 1);
    m_services->undo.undo();
}

void DropsTest::aPictureThatAnotherProgramCopiedFillsTheForm() {
    const auto copied = [](const QString& parameters) {
        QImage image(64, 64, QImage::Format_RGB32);
        image.fill(Qt::yellow);
        auto* data = new QMimeData;
        data->setImageData(image);
        if (!parameters.isEmpty()) image.setText(u"parameters"_s, parameters);
        QByteArray png;
        QBuffer file(&png);
        image.save(&file, "PNG");
        data->setData(u"image/png"_s, png);
        return data;
    };
    const QString made = u"a copied harbour\nSteps: 17, Sampler: DDIM, CFG scale: 3, Seed: 5, Size: 64x64"_s;
    paste(copied(made), PageId::Gallery);
    QTRY_COMPARE(m_window->currentPage(), PageId::Generate);
    QTRY_COMPARE(m_window->findChild<GenerateForm*>()->prompt(), u"a copied harbour"_s);
    QCOMPARE(subjects().size(), m_before);
    paste(copied({}), PageId::Gallery); // which says nothing of itself
    QTRY_COMPARE(subjects().size(), m_before + 1);
    m_services->undo.undo();
    paste(copied(made), PageId::Subjects); // there it is a photo like others
    QTRY_COMPARE(subjects().size(), m_before + 1);
    m_services->undo.undo();
}

void DropsTest::whatIsPastedLateTakesNothingAway() {
    QImage image(64, 64, QImage::Format_RGB32);
    image.fill(Qt::red);
    image.setText(u"parameters"_s, u"a late lighthouse\nSteps: 17, Sampler: DDIM, Seed: 5, Size: 64x64"_s);
    const QString path = QFileInfo(photos(1).front().toLocalFile()).path() + u"/late.png"_s;
    QVERIFY(image.save(path));
    const auto copied = [&path] {
        auto* data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(path)});
        return data;
    };
    auto* form = m_window->findChild<GenerateForm*>();
    MessageBar& messages = m_window->page(PageId::Generate)->messages();
    {
        const Blocked disk(workPool());
        paste(copied(), PageId::Gallery);
        form->setPrompt(u"written on"_s);
    }
    QTRY_VERIFY(messages.currentText().contains(u"they were not taken"_s));
    QCOMPARE(form->prompt(), u"written on"_s);
    QCOMPARE(m_window->currentPage(), PageId::Gallery);
    messages.clear();
    {
        const Blocked disk(workPool());
        paste(copied(), PageId::Gallery);
        m_window->showPage(PageId::Queue); // and is at work there
    }
    QTRY_COMPARE(form->prompt(), u"a late lighthouse"_s);
    QCOMPARE(m_window->currentPage(), PageId::Queue);
    QCOMPARE(subjects().size(), m_before);
}

void DropsTest::aFolderIsNotWaitedFor() {
    const QString folder = QFileInfo(photos(2).front().toLocalFile()).path();
    {
        const Blocked pool(workPool());
        m_window->openPaths({folder});
        QTest::qWait(50);
        QCOMPARE(subjects().size(), m_before);
    }
    QTRY_COMPARE(subjects().size(), m_before + 1);
    m_services->undo.undo();
}

void DropsTest::aPictureThatDoesNotFitOnTheDiskLeavesNothing() {
    const QString folder = m_place.path(u"full"_s);
    QImage picture(64, 64, QImage::Format_RGB32);
    picture.fill(Qt::red);
    bool written = false; // what was undone before: it would wait for room, and say so later
    m_services->library.work(
        m_window.get(), [](core::Library&) { return true; }, [&written](bool done) { written = done; });
    QTRY_VERIFY(written);
    {
        const FullDisk disk;
        QCOMPARE(savePicture(picture, folder), QString());
    }
    QVERIFY(QDir(folder).isEmpty());
    QVERIFY(QFile::exists(savePicture(picture, folder)));
}

void DropsTest::aPastedPictureIsHeldUntilThereIsRoom() {
    const QString photos = m_services->settings.text(keys::kHome) + u"/photos"_s;
    const QString aside = photos + u" aside"_s;
    QVERIFY(QDir().mkpath(photos) && QDir().rename(photos, aside));
    writeBytes(photos, "in the way of a folder");
    QImage image(80, 60, QImage::Format_RGB32);
    image.fill(Qt::blue);
    QApplication::clipboard()->setImage(image);
    m_window->showPage(PageId::Gallery);
    QTRY_VERIFY(!m_services->library.waits());
    MessageBar& messages = m_window->page(PageId::Gallery)->messages();
    messages.clear();
    for (int kept : {1, 2}) { // each by a message of its own
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
        QTRY_COMPARE(messages.count(), kept);
    }
    QVERIFY(messages.currentText().contains(u"The picture is not kept yet."_s));
    const QString useless = m_place.path(u"useless.zip"_s);
    writeBytes(useless, "x");
    m_window->openPaths({useless});
    QTRY_COMPARE(messages.count(), 3);
    messages.clear();
    QVERIFY(QFile::remove(photos) && QDir().rename(aside, photos));
    QCOMPARE(subjects().size(), m_before);
}

void DropsTest::aFolderOfCaptionedPicturesIsADataset_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("beside") << u"1.txt"_s << QByteArray("a red car on a road");
    QTest::newRow("together") << u"metadata.jsonl"_s
                              << QByteArray("{\"file_name\": \"1.png\", \"text\": \"a red car\"}\n");
}

void DropsTest::aFolderOfCaptionedPicturesIsADataset() {
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    const QString folder = m_place.path(u"cars "_s + QString::fromLatin1(QTest::currentDataTag()));
    QDir().mkpath(folder);
    for (int i = 0; i < 3; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {64, 64});
    writeBytes(folder + '/' + file, text);
    m_window->showPage(PageId::Gallery);
    m_window->openPaths({folder});
    QTRY_COMPARE(m_window->currentPage(), PageId::Datasets);
    QCOMPARE(subjects().size(), m_before);
    auto* list = m_window->page(PageId::Datasets)->findChild<QListView*>(u"datasets"_s);
    QTRY_COMPARE(list->currentIndex().data().toString().section(' ', 0, 0), u"cars"_s);
    // Dropped, the dataset is the first thing that is offered.
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(folder)});
    drag(data, middle());
    QCOMPARE(zones()->zones().front().text, u"New dataset"_s);
    QVERIFY(zones()->zones().size() >= 2);
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(m_window->windowHandle(), &leave);
    QTRY_VERIFY(!zones()->isVisible());
    // Whoever means one thing after all is one click away from a subject.
    buttonNamed(*m_window->page(PageId::Datasets), u"Make a subject instead"_s)->click();
    QTRY_COMPARE(subjects().size(), m_before + 1);
    QCOMPARE(subjects().front().photos.size(), size_t{3});
    QTRY_COMPARE(QString::fromStdString(subjects().front().photos[1].caption),
                 QString::fromLatin1(QTest::currentDataTag()) == QLatin1String("beside")
                     ? QString::fromUtf8(text)
                     : u"a red car"_s);
    m_services->undo.undo(); // the captions with it
    QCOMPARE(subjects().size(), m_before);
}

void DropsTest::aFolderMayHoldExamples() {
    QDir().mkpath(m_place.path(u"toys/deeper"_s));
    const QString folder = m_place.path(u"toys/deeper"_s);
    for (int i = 0; i < 2; ++i) writeTestPicture(folder + u"/%1.png"_s.arg(i), i, {120, 90});
    const int64_t subject =
        m_services->subjects.addFromPhotos({photos(1).front().toLocalFile()}, u"examined"_s);
    auto* page = static_cast<TrainPage*>(m_window->page(PageId::Train));
    m_window->showPage(PageId::Train);
    page->prepareSubject(subject);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_place.path(u"toys"_s))});
    drag(data, middle());
    QCOMPARE(zones()->zones().size(), size_t{1}); // nobody sees where it would be named
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(m_window->windowHandle(), &leave);
    QTRY_VERIFY(!zones()->isVisible());
    QVERIFY(page->command(Page::Command::Expert));
    drag(data, middle());
    QCOMPARE(zones()->zones().size(), size_t{2});
    drop(data, QPoint(middle().x(), m_window->centralWidget()->geometry().bottom() - 100));
    const QLineEdit* field = fieldNamed(*page, u"Own example pictures"_s);
    QVERIFY(field != nullptr);
    QTRY_COMPARE(field->text(), folder); // where the pictures are
    QCOMPARE(m_window->currentPage(), PageId::Train);
    QVERIFY(page->command(Page::Command::Expert));
    m_services->undo.undo();
}

void DropsTest::aTextFileIsAListOfWords() {
    const QString file = m_place.path(u"colours.txt"_s);
    writeBytes(file, "red\nblue\n");
    QVERIFY(dropContentOf({file, photos(1).front().toLocalFile()}).wordLists.isEmpty()); // a caption
    m_window->showPage(PageId::Gallery);
    m_window->openPaths({file});
    QTRY_COMPARE(m_window->currentPage(), PageId::Generate);
    auto* panel = m_window->page(PageId::Generate)->findChild<WordListPanel*>();
    QTRY_VERIFY(panel->isVisible());
    QTRY_COMPARE(fieldNamed(*panel, u"Name"_s)->text(), u"colours"_s);
    m_services->undo.undo();
    QCOMPARE(panel->current(), qlonglong{0});
}

void DropsTest::picturesOfTheWindowBecomeNoText() {
    QMimeData picture;
    picture.setUrls(photos(1));
    QMimeData words;
    words.setText(u"on the beach"_s);
    QPlainTextEdit prompt;
    QLineEdit search;
    const QPushButton button;
    for (const QWidget* field : std::initializer_list<const QWidget*>{&prompt, prompt.viewport(), &search}) {
        QVERIFY(becomesText(*field, picture));
        QVERIFY(!becomesText(*field, words));
    }
    QVERIFY(!becomesText(button, picture));
    // What is dragged from the window goes to its buttons, no field takes it; all else is the window's.
    QCOMPARE(shareOf(&button, prompt, picture), DragShare::Nobody);
    QCOMPARE(shareOf(&button, prompt, words), DragShare::Widget);
    QCOMPARE(shareOf(&button, button, picture), DragShare::Widget);
    QCOMPARE(shareOf(nullptr, prompt, picture), DragShare::Window);
    QCOMPARE(shareOf(nullptr, button, picture), DragShare::Window);
    QCOMPARE(shareOf(nullptr, prompt, words), DragShare::Widget);
}

HOMEBOOTH_APP_TEST_MAIN(DropsTest)
#include "tst_drops.moc"
