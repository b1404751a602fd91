// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What dropped and opened files are taken for, and that all of them are taken.
#include "app/library/background.h"
#include "app/pages/models/models_page.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/shell/drops/drop_content.h"
#include "app/shell/drops/drop_overlay.h"
#include "app/shell/drops/import_news.h"
#include "app/shell/main_window.h"
#include "app/widgets/message_bar.h"
#include "app/widgets/toast.h"
#include "app_files.h"
#include "core/base/text/generation_parameters.h"
#include "core/library/dataset_store.h"
#include "core/library/run_store.h"
#include "core/media/picture_io.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QUndoStack>
#include <QWindow>

#include <algorithm>

using namespace homebooth;
using namespace homebooth::app;

class DropContentTest : public ServicesTest {
    Q_OBJECT
public:
    using ServicesTest::ServicesTest;
private Q_SLOTS:
    void init();
    void cleanup() { end(); }
    void sortsOutWhatWasDropped();
    void manyPicturesAreADataset();
    void shardsAreADataset();
    void masksOfOtherProgramsAreNoPhotos();
    void foldersOfBothKindsAreToldApart();
    void photosAndDatasetsThatAreOpenedTogetherAreAllTaken();
    void photosAndDatasetsThatAreDroppedTogetherAreAllTaken();
    void photosOpenedAtTheStartGetAWordThatAllModelsKeepWhole();
    void everyPictureThatMayBeReadIsAPhoto_data();
    void everyPictureThatMayBeReadIsAPhoto();
    void foldersOfAFolderAreLookedInto();
    void whatLiesInFoldersOfAFolderIsAddedToTheSameSubject();
    void whatIsNotTakenIsTold();
    void foldersOpenedTogetherBecomeSubjectsInOneStep();
    void foldersDroppedTogetherBecomeSubjectsInOneStep();
    void captionsThatComeLateAreNoStepOfTheirOwn();
    void whatCannotBeUsedIsToldInOneSentence();
    void allModelsThatComeTogetherAreImported();
    void aFolderOfModelsIsImportedWithOneMessage();
    void aFolderOfModelsMayHaveFolders();
    void newsOfABatchStandOnOnePage();

private:
    [[nodiscard]] QString folder(const char* name, int pictures, bool captioned) const;
    [[nodiscard]] QStringList bothKinds() const;
    /// That there are a subject of three photos and two datasets more than before.
    void verifyAllIsTaken();
    [[nodiscard]] QStringList threeFolders() const;
    /// That three folders became subjects in one step, which is taken back and done again.
    void verifyThreeSubjects();
    /// Drags files over the middle of a window. @returns what then shows the zones
    DropOverlay* dragOver(MainWindow& window, const QStringList& paths);
    [[nodiscard]] size_t datasets();
    size_t m_datasetsBefore = 0;
    size_t m_subjectsBefore = 0;
};

void DropContentTest::init() {
    m_place.removeLibrary(); // names are numbered where others have them
    beginAgain();
    m_datasetsBefore = datasets();
    m_subjectsBefore = m_services->subjects.subjects().size();
}

QString DropContentTest::folder(const char* name, int pictures, bool captioned) const {
    const QString path = m_place.path(u"%1/%2"_s.arg(QTest::currentTestFunction(), QLatin1String(name)));
    QDir().mkpath(path);
    for (int i = 0; i < pictures; ++i) {
        writeTestPicture(path + u"/%1.png"_s.arg(i), i, {64, 64});
        if (captioned) writeBytes(path + u"/%1.txt"_s.arg(i), "a red car");
    }
    return path;
}

QStringList DropContentTest::bothKinds() const {
    return {folder("cars", 2, true), folder("robot_toy", 3, false), folder("ships", 1, true)};
}

size_t DropContentTest::datasets() {
    std::optional<size_t> count;
    m_services->library.ask<std::vector<core::DatasetRecord>>(
        this, [](core::Library& library) { return core::loadDatasets(library); },
        [&count](const std::vector<core::DatasetRecord>& all) { count = all.size(); });
    (void)QTest::qWaitFor([&count] { return count.has_value(); }, kLongestMs);
    return count.value_or(0);
}

void DropContentTest::verifyAllIsTaken() {
    const auto& subjects = m_services->subjects.subjects();
    QTRY_COMPARE(subjects.size(), m_subjectsBefore + 1);
    QCOMPARE(subjects.front().photos.size(), size_t{3});
    QCOMPARE(QString::fromStdString(subjects.front().name), u"robot toy"_s);
    QCOMPARE(datasets(), m_datasetsBefore + 2);
}

void DropContentTest::sortsOutWhatWasDropped() {
    const QDir folder(m_place.path(u"mixed"_s));
    QDir().mkpath(folder.path());
    writeTestPicture(folder.filePath(u"a.jpg"_s), 1);
    writeTestPicture(folder.filePath(u"b.png"_s), 2);
    QFile note(folder.filePath(u"note.pdf"_s));
    QVERIFY(note.open(QIODevice::WriteOnly));
    note.close();
    QCOMPARE(dropContentOf({folder.path()}).photos().size(), 2);
    QVERIFY(dropContentOf({folder.path()}).datasets.empty());
    QFile caption(folder.filePath(u"a.txt"_s));
    QVERIFY(caption.open(QIODevice::WriteOnly));
    caption.close();
    QCOMPARE(dropContentOf({folder.path()}).datasets.front().path, folder.path());
    QVERIFY(caption.rename(folder.filePath(u"a.TXT"_s))); // as the training takes it
    QCOMPARE(dropContentOf({folder.path()}).datasets.size(), size_t{1});
    QVERIFY(caption.rename(folder.filePath(u"a.caption"_s)));
    QCOMPARE(dropContentOf({folder.path()}).datasets.size(), size_t{1});
    QVERIFY(dropContentOf({note.fileName()}).empty());
    const QString model = QStringLiteral(HOMEBOOTH_SOURCE_DIR "/resources/models/sketch");
    const QString texts = QStringLiteral(HOMEBOOTH_SOURCE_DIR "/tests/fixtures/language/opt");
    QCOMPARE(dropContentOf({texts}).models, QStringList{texts}); // to be told what it is
    QCOMPARE(dropContentOf({model}).models, QStringList(model));
    core::GenerationParameters facts;
    facts.prompt = "a red apple";
    const QString made = folder.filePath(u"made.png"_s);
    core::Picture picture{8, 8, std::vector<uint8_t>(8 * 8 * 3, 90)};
    QVERIFY(core::writePng(made.toStdString(), picture,
                           {{"parameters", core::writeGenerationParameters(facts)}}));
    QVERIFY(dropContentOf({made}).parameters.contains(u"a red apple"_s));
    QVERIFY(!dropContentOf({made}).rest.ofComfy);
    QVERIFY(core::writePng(made.toStdString(), picture, {{"workflow", "{}"}})); // of ComfyUI
    QVERIFY(dropContentOf({made}).parameters.isEmpty());
    QVERIFY(restText(dropContentOf({made}).rest).contains(u"ComfyUI"_s));
}

void DropContentTest::manyPicturesAreADataset() {
    const QString folder = m_place.path(u"many cars"_s);
    QDir().mkpath(folder);
    const QImage picture(16, 16, QImage::Format_RGB32);
    for (int i = 0; i < 31; ++i) QVERIFY(picture.save(folder + u"/%1.png"_s.arg(i)));
    QCOMPARE(dropContentOf({folder}).datasets.front().path, folder);
    QCOMPARE(dropContentOf({folder}).datasets.front().pictures.size(), 31);
    QVERIFY(dropContentOf({folder}).photos().isEmpty());
    QVERIFY(QFile::remove(folder + u"/30.png"_s));
    QVERIFY(dropContentOf({folder}).datasets.empty()); // a subject may have so many
    QCOMPARE(dropContentOf({folder}).photos().size(), 30);
}

void DropContentTest::shardsAreADataset() {
    const QString folder = m_place.path(u"packed"_s);
    QDir().mkpath(folder);
    writeBytes(folder + u"/000.tar"_s, QByteArray(1024, 0));
    const DropContent content = dropContentOf({folder});
    QCOMPARE(content.datasets.size(), size_t{1});
    QCOMPARE(content.datasets.front().path, folder);
    QVERIFY(content.datasets.front().pictures.isEmpty() && !content.unusable);
}

void DropContentTest::masksOfOtherProgramsAreNoPhotos() {
    const QString path = folder("masked", 2, false);
    for (const char* name : {"/0-masklabel.png", "/1-condlabel.png", "/lone-masklabel.png"})
        writeTestPicture(path + QLatin1String(name), 5, {64, 64});
    const QStringList expected{path + u"/0.png"_s, path + u"/1.png"_s, path + u"/lone-masklabel.png"_s};
    QCOMPARE(dropContentOf({path}).photos(), expected);
    QCOMPARE(dropContentOf({path}).rest.files.size(), size_t{2}); // which is told
    QStringList files;
    for (const QFileInfo& file : QDir(path).entryInfoList(QDir::Files)) files.append(file.absoluteFilePath());
    QCOMPARE(files.size(), 5);
    QCOMPARE(dropContentOf(files).photos().size(), 3);
}

void DropContentTest::foldersOfBothKindsAreToldApart() {
    QStringList paths = bothKinds();
    paths.append(writeTestPicture(m_place.path(u"loose.png"_s), 7, {64, 64}));
    const DropContent content = dropContentOf(paths);
    QCOMPARE(content.photos().size(), 4);
    QCOMPARE(content.datasets.size(), size_t{2});
    QCOMPARE(content.datasets[0].path, paths[0]);
    QCOMPARE(content.datasets[0].pictures.size(), 2);
    QCOMPARE(content.datasets[1].path, paths[2]);
    QCOMPARE(content.allPictures().size(), 7);
}

void DropContentTest::photosAndDatasetsThatAreOpenedTogetherAreAllTaken() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Gallery);
    window.openPaths(bothKinds());
    verifyAllIsTaken();
    QCOMPARE(window.currentPage(), PageId::Subjects);
    const MessageBar& both = window.page(PageId::Subjects)->messages();
    QTRY_VERIFY(both.currentText().contains(u"cars, ships"_s));
    // Each of the datasets says what became of it, with the way to a subject.
    MessageBar& told = window.page(PageId::Datasets)->messages();
    QVERIFY(told.currentText().contains(u"ships"_s));
    buttonNamed(told, u"Make a subject instead"_s)->click();
    QVERIFY(told.currentText().contains(u"cars"_s));
}

DropOverlay* DropContentTest::dragOver(MainWindow& window, const QStringList& paths) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths) urls.append(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    QDragEnterEvent enter({400, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window.windowHandle(), &enter);
    return window.findChild<DropOverlay*>();
}

void DropContentTest::photosAndDatasetsThatAreDroppedTogetherAreAllTaken() {
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Gallery);
    auto* overlay = dragOver(window, bothKinds());
    QTRY_VERIFY(overlay->isVisible());
    for (const DropZone& zone : overlay->zones()) QVERIFY(zone.text != u"New dataset"_s);
    overlay->zones().front().act({});
    verifyAllIsTaken();
}

void DropContentTest::photosOpenedAtTheStartGetAWordThatAllModelsKeepWhole() {
    end();
    qputenv("HOMEBOOTH_RESOURCES", m_place.path(u"nothing"_s).toUtf8());
    const auto shipped =
        qScopeGuard([] { qputenv("HOMEBOOTH_RESOURCES", HOMEBOOTH_SOURCE_DIR "/resources"); });
    beginAgain();
    core::ModelRecord record; // with a small vocabulary, and known only once the library was asked
    record.id = core::newRecordId();
    record.name = "small";
    record.path = HOMEBOOTH_SOURCE_DIR "/resources/models/sketch";
    record.kind = "model";
    m_services->library.write([record](core::Library& library) { return core::saveModel(library, record); });
    SubjectBook& book = m_services->subjects;
    while (!book.subjects().empty()) book.remove(book.subjects().front().id);
    book.addEmpty(); // has the first word; that model cuts the next one apart
    MainWindow window(m_services->all());
    m_services->models.refresh();
    window.openPaths({folder("robot_toy", 1, false)});
    QTRY_COMPARE(book.subjects().size(), size_t{2});
    QTRY_VERIFY(book.tokenCount() && book.tokenCount()(u"kprc"_s) == 3);
    QCOMPARE(book.tokenCount()(QString::fromStdString(book.subjects().front().triggerWord)), 1);
}

void DropContentTest::everyPictureThatMayBeReadIsAPhoto_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"a.gif", "a.JFIF", "a.hif", "a.HEIC", "a.jpeg", "a.avif", "a.tiff", "a.bmp"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void DropContentTest::everyPictureThatMayBeReadIsAPhoto() {
    QFETCH(QString, name);
    const QString path = m_place.path(u"endings/"_s + name);
    writeBytes(path, "any");
    QCOMPARE(dropContentOf({path}).allPictures(), QStringList{path});
    QVERIFY(photoFilter().contains('*' + name.mid(1).toLower()));
}

void DropContentTest::foldersOfAFolderAreLookedInto() {
    const QStringList paths = bothKinds();
    const QString all = QFileInfo(paths.front()).path();
    QDir().mkpath(all + u"/deep/deeper"_s);
    writeTestPicture(all + u"/deep/deeper/1.png"_s, 1, {64, 64});
    QVERIFY(QFile::link(builtInModel(), all + u"/a model"_s));
    writeBytes(all + u"/add-ons/a.safetensors"_s, "any");
    const DropContent content = dropContentOf({all});
    QCOMPARE(content.allPictures().size(), 6);
    QCOMPARE(content.datasets.size(), size_t{2});
    const QStringList model{all + u"/a model"_s};
    QVERIFY(content.models.isEmpty());
    QCOMPARE(content.rest.models, model + QStringList{all + u"/add-ons/a.safetensors"_s});
    // A folder with pictures of its own is taken as it is.
    writeTestPicture(all + u"/own.png"_s, 9, {64, 64});
    const DropContent own = dropContentOf({all});
    QCOMPARE(own.allPictures(), QStringList{all + u"/own.png"_s});
    QCOMPARE(own.rest.folders.size(), size_t{4}); // which is told
    QCOMPARE(own.rest.models, model);
    QVERIFY2(restText(own.rest).startsWith(u"7 photo"_s), qPrintable(restText(own.rest)));
    QVERIFY(restText(own.rest).contains(u"not imported: a model."_s));
    QCOMPARE(content.rest.folderPaths(), QStringList{all + u"/deep/deeper"_s});
    QVERIFY(dropContentOf(QStringList{all} + own.rest.folderPaths()).rest.folders.empty());
    MainWindow window(m_services->all());
    window.show();
    window.openPaths({all});
    QTRY_COMPARE(m_services->subjects.subjects().size(), m_subjectsBefore + 1);
    MessageBar& told = window.page(PageId::Subjects)->messages();
    QTRY_VERIFY(told.currentText().contains(u"7 photo"_s));
    buttonNamed(told, u"Add them too"_s)->click();
    QTRY_COMPARE(m_services->subjects.subjects().size(), m_subjectsBefore + 3);
    QVERIFY(!told.currentText().contains(u"7 photo"_s));
    window.openPaths({all});
    QTRY_VERIFY(told.currentText().contains(u"7 photo"_s));
    buttonNamed(told, u"Import models"_s)->click();
    QVERIFY(!told.currentText().contains(u"a model."_s)); // the photos are still to be had
    QTRY_VERIFY(m_services->models.find(model.front()) != nullptr);
}

void DropContentTest::whatLiesInFoldersOfAFolderIsAddedToTheSameSubject() {
    const QString album = folder("album", 1, false);
    QCOMPARE(folder("album/deeper", 2, false), album + u"/deeper"_s);
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addEmpty();
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Subjects);
    static_cast<SubjectsPage*>(window.page(PageId::Subjects))->select(id);
    auto* overlay = dragOver(window, {album});
    QTRY_VERIFY(overlay->isVisible());
    const auto& zones = overlay->zones();
    const auto add =
        std::find_if(zones.begin(), zones.end(), [id](const DropZone& zone) { return zone.subject == id; });
    QVERIFY(add != zones.end());
    add->act({});
    MessageBar& told = window.page(PageId::Subjects)->messages();
    QTRY_VERIFY(told.currentText().contains(u"2 photo"_s));
    buttonNamed(told, u"Add them too"_s)->click();
    QTRY_COMPARE(book.find(id)->photos.size(), size_t{3});
    QCOMPARE(book.subjects().size(), m_subjectsBefore + 1);
}

void DropContentTest::whatIsNotTakenIsTold() {
    const QString path = folder("camera", 2, false);
    for (const char* name : {"/0.CR2", "/9.CR2", "/0.AAE", "/0.MOV", "/logo.psd"})
        writeBytes(path + QLatin1String(name), "any");
    QVERIFY(QFile::copy(path + u"/1.png"_s, path + u"/no ending"_s));
    QVERIFY(QFile::copy(path + u"/1.png"_s, path + u"/trailing.png "_s));
    DropContent content = dropContentOf({path});
    QCOMPARE(content.photos().size(), 4);
    QCOMPARE(content.rest.files.size(), size_t{2}); // of 0 there is a picture
    QVERIFY(restText(content.rest).contains(u"9.CR2 (a raw photo: save it as JPEG)"_s));
    const QString zip = m_place.path(u"dog.zip"_s);
    writeBytes(zip, "PK");
    content = dropContentOf({path + u"/0.png"_s, path + u"/0.AAE"_s, zip});
    QVERIFY(!content.unusable && content.rest.files.size() == 1);
    QVERIFY(restText(content.rest).contains(u"dog.zip (unpack it first)"_s));
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Subjects);
    const MessageBar& told = window.page(PageId::Subjects)->messages();
    window.openPaths({zip});
    QTRY_VERIFY(told.currentText().contains(u"dog.zip"_s));
    window.openPaths({path + u"/0.png"_s});
    QTRY_VERIFY(!told.currentText().contains(u"dog.zip"_s)); // it is of a drop before
}

QStringList DropContentTest::threeFolders() const {
    return {folder("red_car", 2, false), folder("robot_toy", 3, false), folder("blue dog", 1, false)};
}

void DropContentTest::verifyThreeSubjects() {
    const auto& subjects = m_services->subjects.subjects();
    QTRY_COMPARE(subjects.size(), m_subjectsBefore + 3);
    QStringList names;
    for (size_t i = 0; i < 3; ++i) names.append(QString::fromStdString(subjects[i].name));
    QCOMPARE(names.join(','), u"red car,robot toy,blue dog"_s);
    QCOMPARE(subjects[1].photos.size(), size_t{3});
    QVERIFY(subjects[0].triggerWord != subjects[1].triggerWord);
    m_services->undo.undo();
    QCOMPARE(subjects.size(), m_subjectsBefore);
    m_services->undo.redo();
    QCOMPARE(subjects.size(), m_subjectsBefore + 3);
    end();
    beginAgain(); // their order is kept
    names.clear();
    for (size_t i = 0; i < 3; ++i)
        names.append(QString::fromStdString(m_services->subjects.subjects()[i].name));
    QCOMPARE(names.join(','), u"red car,robot toy,blue dog"_s);
}

void DropContentTest::foldersOpenedTogetherBecomeSubjectsInOneStep() {
    {
        MainWindow window(m_services->all());
        window.openPaths(threeFolders());
        QTRY_COMPARE(m_services->subjects.subjects().size(), m_subjectsBefore + 3);
        QCOMPARE(window.currentPage(), PageId::Subjects);
        window.openPaths(threeFolders()); // once more
        QTRY_COMPARE(m_services->subjects.subjects().size(), m_subjectsBefore + 6);
        QCOMPARE(m_services->subjects.subjects().front().name, std::string("red car 2"));
        QVERIFY(!shownTexts(*window.findChild<Toast*>()).filter(u"these photos, too"_s).isEmpty());
        m_services->undo.undo();
    }
    verifyThreeSubjects();
}

void DropContentTest::foldersDroppedTogetherBecomeSubjectsInOneStep() {
    {
        MainWindow window(m_services->all());
        window.show();
        const QString all = QFileInfo(threeFolders().front()).path(); // their folder stands for them
        auto* overlay = dragOver(window, {all});
        QTRY_VERIFY(overlay->isVisible());
        QCOMPARE(overlay->zones().size(), size_t{2}); // or one of all photos
        QVERIFY(overlay->zones()[1].text.contains(u"6"_s));
        overlay->zones().front().act({});
        QTRY_COMPARE(m_services->subjects.subjects().size(), m_subjectsBefore + 3);
    }
    QStringList names;
    for (size_t i = 0; i < 3; ++i)
        names.append(QString::fromStdString(m_services->subjects.subjects()[i].name));
    names.sort();
    QCOMPARE(names.join(','), u"blue dog,red car,robot toy"_s);
    m_services->undo.undo();
    QCOMPARE(m_services->subjects.subjects().size(), m_subjectsBefore);
}

void DropContentTest::captionsThatComeLateAreNoStepOfTheirOwn() {
    const QString word = u"a red car"_s;
    const QStringList captioned{folder("10_zwx dog", 1, true) + u"/0.png"_s};
    SubjectBook& book = m_services->subjects;
    QUndoStack& undo = m_services->undo;
    const int steps = undo.count();
    {
        const Blocked pool(workPool());
        book.addEach({captioned, {folder("bare", 1, false) + u"/0.png"_s}});
        QCOMPARE(undo.command(steps)->child(1)->text(), u"make subject zwx dog"_s);
        core::Subject named = book.subjects().front();
        named.name = "Rex";
        book.change(named, u"rename"_s);
        undo.undo();
    }
    const auto caption = [&book] {
        return QString::fromStdString(book.subjects().front().photos[0].caption);
    };
    QTRY_COMPARE(caption(), word);
    undo.redo(); // it is still there to be done again
    QCOMPARE(book.subjects().front().name, std::string("Rex"));
    QCOMPARE(caption(), word);
    undo.undo();
    QCOMPARE(caption(), word);
    undo.undo();
    QCOMPARE(book.subjects().size(), m_subjectsBefore);
    undo.redo();
    QCOMPARE(caption(), word);
    undo.undo();
}

void DropContentTest::whatCannotBeUsedIsToldInOneSentence() {
    const QString paper = m_place.path(u"paper/note.pdf"_s);
    writeBytes(paper, "%PDF");
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Gallery);
    const MessageBar& told = window.page(PageId::Gallery)->messages();
    for (const QString& path : {paper, QFileInfo(paper).path()}) {
        window.page(PageId::Gallery)->messages().clear();
        window.openPaths({path});
        QTRY_VERIFY(told.currentText().contains(u"expected pictures"_s));
    }
    // Before it is dropped, too.
    auto* overlay = dragOver(window, {paper});
    QTRY_VERIFY(overlay->isVisible());
    QVERIFY(overlay->zones().front().text.contains(u"expected pictures"_s));
    window.page(PageId::Gallery)->messages().clear();
    overlay->zones().front().act({});
    QVERIFY(told.currentText().contains(u"expected pictures"_s));
    QCOMPARE(m_services->subjects.subjects().size(), m_subjectsBefore);
}

void DropContentTest::allModelsThatComeTogetherAreImported() {
    QStringList models;
    for (const char* name : {"one", "two"}) {
        models.append(m_place.path(u"together "_s + QLatin1String(name)));
        QVERIFY(QFile::link(builtInModel(), models.back()));
    }
    const QString broken = m_place.path(u"together.safetensors"_s);
    writeBytes(broken, "no model");
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    auto* overlay = dragOver(window, models + QStringList{broken});
    QTRY_VERIFY(overlay->isVisible());
    QCOMPARE(overlay->zones().front().text, u"Import 3 models"_s);
    overlay->zones().front().act({});
    const ModelShelf& shelf = m_services->models;
    QTRY_VERIFY(shelf.find(models[0]) != nullptr && shelf.find(models[1]) != nullptr);
    const MessageBar& told = window.page(PageId::Models)->messages();
    QTRY_COMPARE(told.count(), 2); // that one is none, and the success of the others
}

void DropContentTest::aFolderOfModelsIsImportedWithOneMessage() {
    const QString path = folder("single files", 0, false);
    QStringList files;
    for (const char* name : {"/a.safetensors", "/b.ckpt", "/c.safetensors", "/d.safetensors", "/e.part"}) {
        files.append(path + QLatin1String(name));
        writeBytes(files.back(), "no model");
    }
    files.removeLast();
    for (const char* preview : {"/a.png", "/b.preview.png"})
        writeTestPicture(path + QLatin1String(preview), 1, {64, 64});
    const DropContent content = dropContentOf({path});
    QCOMPARE(content.models, files);
    QVERIFY(content.photos().isEmpty());
    QVERIFY(restText(content.rest).contains(u"e.part (not finished downloading)"_s));
    QCOMPARE(modelsOf({path, builtInModel()}), files + QStringList{builtInModel()});
    const QStringList alone{path + u"/e.part"_s, m_place.path(u"old.pth"_s)};
    writeBytes(alone[1], "any");
    QVERIFY(dropContentOf(alone).unusable);
    QVERIFY(restText(dropContentOf(alone).rest).contains(u"old.pth (look for"_s));
    MainWindow window(m_services->all());
    window.show();
    window.showPage(PageId::Models);
    Q_EMIT static_cast<ModelsPage*>(window.page(PageId::Models))->importWanted({path});
    const MessageBar& told = window.page(PageId::Models)->messages();
    QTRY_VERIFY(told.currentText().contains(u"4 file"_s));
    QCOMPARE(told.count(), 1);
    buttonNamed(told, u"Show which"_s)->click();
    const auto* why = window.findChild<QPlainTextEdit*>(u"why"_s);
    QVERIFY(why != nullptr);
    for (const char* name : {"a.safetensors", "d.safetensors"})
        QVERIFY(why->toPlainText().contains(QLatin1String(name)));
}

void DropContentTest::aFolderOfModelsMayHaveFolders() {
    const QString path = folder("sorted", 0, false);
    const QStringList files{path + u"/a.safetensors"_s, path + u"/style/x.safetensors"_s,
                            path + u"/style/deep/y.safetensors"_s};
    for (const QString& file : files) writeBytes(file, "no model");
    for (const char* preview : {"", "/style/x.png", "/style/deep/y.png"}) {
        if (*preview != '\0') writeTestPicture(path + QLatin1String(preview), 1, {64, 64});
        DropContent content = dropContentOf({path});
        content.models.sort();
        QCOMPARE(content.models, files.mid(0, 2));
        QCOMPARE(content.rest.models, files.mid(2)); // no deeper, which is told
        QVERIFY(content.rest.folders.empty() && content.photos().isEmpty());
    }
    writeTestPicture(path + u"/a.png"_s, 1, {64, 64}); // then it is taken as it is
    const DropContent content = dropContentOf({path});
    QCOMPARE(content.models, files.mid(0, 1));
    QCOMPARE(content.rest.models, files.mid(1));
    QVERIFY2(restText(content.rest).startsWith(u"2 model"_s) && content.rest.folders.empty(),
             qPrintable(restText(content.rest)));
    QCOMPARE(dropContentOf({path, path + u"/style"_s}).rest.models, files.mid(2));
    const QString parts = folder("without an index", 0, false);
    for (const char* name : {"/unet/config.json", "/unet/weights.safetensors"})
        writeBytes(parts + QLatin1String(name), "{}");
    QCOMPARE(dropContentOf({parts}).models, QStringList{parts}); // one, not its parts
}

void DropContentTest::newsOfABatchStandOnOnePage() {
    MessageBar left;
    MessageBar now;
    MessageBar* inView = &left;
    const auto messages = [&inView]() -> MessageBar& { return *inView; };
    const auto unsay = [&left, &now](const QString& key) {
        left.drop(key);
        now.drop(key);
    };
    ImportNews news(messages, unsay);
    news.begin(7);
    news.taken(false);
    news.refused(u"a"_s, {});
    QCOMPARE(left.count(), 2);
    inView = &now;
    news.taken(false);
    QCOMPARE(left.count(), 1); // the refusal; the success is counted on
    for (const char* name : {"b", "c", "d"}) news.refused(QLatin1String(name), {});
    QCOMPARE(left.count(), 0);
    QCOMPARE(now.count(), 1);
    inView = &left;
    news.taken(true);
    QCOMPARE(now.count(), 0);
    QVERIFY(left.currentText().contains(u"Imported: 3"_s));
    inView = &now;
    news.begin(1); // of another choice
    QCOMPARE(left.count(), 0);
    ImportNews impatient(messages, unsay, std::chrono::milliseconds(20));
    impatient.begin(2); // of which one is on a drive that does not answer
    impatient.taken(false);
    QTest::qWait(100);
    impatient.begin(1);
    impatient.taken(false);
    QVERIFY2(now.currentText().startsWith(u"The model was"_s), qPrintable(now.currentText()));
    ImportNews(messages, unsay).taken(true, /*word=*/true);
    QVERIFY(now.currentText().startsWith(u"The learned word"_s));
}

HOMEBOOTH_APP_TEST_MAIN(DropContentTest)
#include "tst_drop_content.moc"
