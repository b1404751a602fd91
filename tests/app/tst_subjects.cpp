// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine/model_vocabularies.h"
#include "app/engine/photo_folder.h"
#include "app/pages/subjects/crop_view.h"
#include "app/pages/subjects/subject_models.h"
#include "app/pages/subjects/subjects_page.h"
#include "app/pages/train/expert_form.h"
#include "app/pages/train/train_page.h"
#include "app/shell/main_window.h"
#include "app_files.h"
#include "core/base/model/model_tokenizer.h"
#include "core/media/picture_io.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QSet>

#include <bit>
#include <random>

using namespace homebooth;
using namespace homebooth::app;

class SubjectsTest : public QObject {
    Q_OBJECT
public:
    explicit SubjectsTest(const TestPlace& place)
        : m_place(place) {}
private Q_SLOTS:
    void init() {
        failOnAnyWarning();
        m_services = std::make_unique<TestServices>(m_place);
    }
    void cleanup() { m_services.reset(); }
    void guessesTheClassFromTheFoldersName_data();
    void guessesTheClassFromTheFoldersName();
    void makesASubjectOfPhotosAndUndoesIt();
    void everySubjectGetsATriggerWordOfItsOwn();
    void rareWordsAreKeptWhole();
    void wordsAreCountedInTheModelsThatThereAre();
    void aSharedTriggerWordIsNamedAndMended();
    void typingIsOneStepOfUndo();
    void keepsChangesInTheLibrary();
    void modelsKeepTheRulesOfItemModels();
    void judgesPhotos();
    void preparesEditedPhotos();
    void captionsCarryTheTriggerWord_data();
    void captionsCarryTheTriggerWord();
    void onlyOwnCaptionsLieBesideThePhotosOfOneSubject();
    void damagedPhotosAreLeftOutOfTheTraining();
    void likePhotosAreFoundAmongTwoThousand();
    void manyPhotosAreJudgedTogether();
    void aCropGoesToThePhotoThatItWasMadeFor();
    void photosAreJudgedByWhatTheChosenModelLearnsAt();
    void aPhotoIsJudgedAnewWhenItsFileChanges();

private:
    QStringList photos(int count);
    const TestPlace& m_place;
    std::unique_ptr<TestServices> m_services;
};

QStringList SubjectsTest::photos(int count) {
    QDir().mkpath(m_place.path(QStringLiteral("robot_toy")));
    QStringList paths;
    for (int i = 0; i < count; ++i)
        paths.append(writeTestPicture(m_place.path(QStringLiteral("robot_toy/%1.png").arg(i)), i));
    return paths;
}

void SubjectsTest::guessesTheClassFromTheFoldersName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("noun");
    QTest::addColumn<bool>("known");
    QTest::newRow("toy") << QStringLiteral("robot_toy") << QStringLiteral("toy") << true;
    QTest::newRow("plural") << QStringLiteral("my dogs 2019") << QStringLiteral("dog") << true;
    QTest::newRow("last word counts") << QStringLiteral("dog bowl") << QStringLiteral("bowl") << true;
    QTest::newRow("unknown") << QStringLiteral("DCIM_100") << QStringLiteral("object") << false;
    QTest::newRow("empty") << QString() << QStringLiteral("object") << false;
}

void SubjectsTest::guessesTheClassFromTheFoldersName() {
    QFETCH(QString, name);
    QTEST(guessClass(name).noun, "noun");
    QTEST(guessClass(name).known, "known");
}

void SubjectsTest::makesASubjectOfPhotosAndUndoesIt() {
    SubjectBook& book = m_services->subjects;
    const size_t before = book.subjects().size();
    const int64_t id = book.addFromPhotos(photos(3));
    const core::Subject* subject = book.find(id);
    QVERIFY(subject != nullptr);
    QCOMPARE(QString::fromStdString(subject->name), QStringLiteral("robot toy"));
    QCOMPARE(QString::fromStdString(subject->classNoun), QStringLiteral("toy"));
    QCOMPARE(subjectSentence(*subject), QStringLiteral("a photo of ohwx toy"));
    QCOMPARE(subject->photos.size(), size_t{3});
    m_services->undo.undo();
    QCOMPARE(book.subjects().size(), before);
    m_services->undo.redo();
    QCOMPARE(book.find(id)->photos.size(), size_t{3});
    m_services->undo.undo();
}

void SubjectsTest::everySubjectGetsATriggerWordOfItsOwn() {
    SubjectBook& book = m_services->subjects;
    const size_t before = book.subjects().size();
    const size_t many = rareWords().size() + 3; // more than there are words
    QSet<QString> words;
    for (size_t i = 0; i < many; ++i) {
        const int64_t id = i % 2 == 0 ? book.addEmpty() : book.addFromPhotos(photos(1));
        words.insert(QString::fromStdString(book.find(id)->triggerWord));
    }
    for (size_t i = 0; i < before; ++i)
        words.remove(QString::fromStdString(book.subjects()[many + i].triggerWord));
    QCOMPARE(size_t(words.size()), many);
    QVERIFY(!words.contains(QString()));
    for (size_t i = 0; i < many; ++i) m_services->undo.undo();
    // The word of one that is gone is free again; another case is the same word to the model.
    const std::string first = book.freeTriggerWord();
    core::Subject capitals;
    capitals.triggerWord = QString::fromStdString(first).toUpper().toStdString();
    QVERIFY(suggestTriggerWord({capitals}) != first);
    QCOMPARE(suggestTriggerWord({}), std::string(rareWords().front()));
}

void SubjectsTest::rareWordsAreKeptWhole() {
    const auto published = core::ClipTokenizer::loadPublished(core::publishedVocabularyPath());
    QVERIFY2(published, published ? "" : published.error().text().c_str());
    for (const char* word : rareWords()) {
        const std::vector<int64_t> ids = published->tokens(word);
        QVERIFY2(ids.size() == 1, word);
        QVERIFY2(ids.front() > 30'000, word); // ids go by frequency: it is rare
    }
    // Of words that one vocabulary cuts apart, those that it keeps come first.
    const TokenCount count = [](const QString& word) { return word == QLatin1String("sks") ? 1 : 4; };
    QCOMPARE(suggestTriggerWord({}, count), std::string("sks"));
}

void SubjectsTest::wordsAreCountedInTheModelsThatThereAre() {
    SubjectBook& book = m_services->subjects;
    const ModelVocabularies vocabularies(m_services->models, book);
    QTRY_VERIFY(book.tokenCount() != nullptr);
    m_services->models.refresh(); // finds the built-in model, whose vocabulary is small
    QTRY_COMPARE(book.tokenCount()(QStringLiteral("kprc")), 3);
    core::Subject first;
    first.triggerWord = "ohwx";
    const QString second = QString::fromStdString(suggestTriggerWord({first}, book.tokenCount()));
    QCOMPARE(book.tokenCount()(second), 1);
}

void SubjectsTest::aSharedTriggerWordIsNamedAndMended() {
    SubjectBook& book = m_services->subjects;
    SubjectsPage page(m_services->all());
    const int64_t id = book.addFromPhotos(photos(1));
    const int64_t other = book.addEmpty();
    core::Subject named = *book.find(id);
    named.name = "Ada";
    book.change(named, QStringLiteral("rename"));
    core::Subject after = *book.find(other);
    after.triggerWord = named.triggerWord;
    book.change(after, QStringLiteral("same word"));
    page.select(other);
    QCOMPARE(shownTexts(page).filter(QStringLiteral("Ada has this word")).size(), 1);
    const QString free = QString::fromStdString(book.freeTriggerWord());
    buttonNamed(page, QStringLiteral("Take ") + free)->click();
    QCOMPARE(QString::fromStdString(book.find(other)->triggerWord), free);
    QCOMPARE(shownTexts(page).filter(QStringLiteral("Ada has this word")).size(), 0);
    m_services->undo.undo();
    QVERIFY(book.find(other)->triggerWord == named.triggerWord);
    for (int i = 0; i < 4; ++i) m_services->undo.undo();
}

void SubjectsTest::typingIsOneStepOfUndo() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(1));
    const int steps = m_services->undo.count();
    for (const char* name : {"A", "Ad", "Ada"}) {
        core::Subject after = *book.find(id);
        after.name = name;
        book.change(after, QStringLiteral("rename"), QStringLiteral("name"));
    }
    core::Subject caption = *book.find(id);
    caption.photos[0].caption = "x";
    book.change(caption, QStringLiteral("caption"), QStringLiteral("caption0"));
    QCOMPARE(m_services->undo.count(), steps + 2);
    m_services->undo.undo();
    QCOMPARE(book.find(id)->photos[0].caption, std::string());
    QCOMPARE(book.find(id)->name, std::string("Ada"));
    m_services->undo.undo();
    QCOMPARE(book.find(id)->name, std::string("robot toy"));
    m_services->undo.undo();
}

void SubjectsTest::keepsChangesInTheLibrary() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(2));
    core::Subject after = *m_services->subjects.find(id);
    after.photos[1].edit.quarterTurns = 1;
    after.photos[0].leftOut = true;
    m_services->subjects.change(after, QStringLiteral("turn"));
    m_services.reset();
    m_services = std::make_unique<TestServices>(m_place);
    const core::Subject* found = m_services->subjects.find(id);
    QVERIFY(found != nullptr);
    QVERIFY(*found == after);
}

void SubjectsTest::modelsKeepTheRulesOfItemModels() {
    SubjectBook& book = m_services->subjects;
    SubjectListModel list(book);
    PhotoInspector inspector;
    PhotoModel model(book, inspector);
    const QAbstractItemModelTester first(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester second(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int64_t id = book.addFromPhotos(photos(4));
    model.setSubject(id);
    QCOMPARE(model.rowCount(), 4);
    core::Subject after = *book.find(id);
    after.photos.erase(after.photos.begin());
    book.change(after, QStringLiteral("remove"));
    QCOMPARE(model.rowCount(), 3);
    m_services->undo.undo();
    QCOMPARE(model.rowCount(), 4);
    book.remove(id);
    QCOMPARE(model.rowCount(), 0);
    m_services->undo.undo();
}

void SubjectsTest::judgesPhotos() {
    const QStringList paths = photos(2);
    const PhotoFacts sharp = inspectPhoto(paths[0]);
    QVERIFY(sharp.state == PhotoFacts::State::Ready);
    QCOMPARE(sharp.widthPixels, int64_t{600});
    QVERIFY(sharp.sharpness > kBlurredBelow);
    QImage soft = QImage(paths[0])
                      .scaled(6, 5, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                      .scaled(600, 500, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    const QString blurred = m_place.path(QStringLiteral("soft.png"));
    soft.save(blurred);
    QVERIFY(inspectPhoto(blurred).sharpness < kBlurredBelow);
    QImage(paths[0])
        .scaled(300, 250, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .save(m_place.path(QStringLiteral("half.jpg")));
    const PhotoFacts half = inspectPhoto(m_place.path(QStringLiteral("half.jpg")));
    QVERIFY(std::popcount(half.likeness ^ sharp.likeness) <= kAlikeBits);
    QVERIFY(inspectPhoto(m_place.path(QStringLiteral("none.png"))).state == PhotoFacts::State::Missing);
    QFile broken(m_place.path(QStringLiteral("broken.jpg")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("no picture");
    broken.close();
    const PhotoFacts bad = inspectPhoto(broken.fileName());
    QVERIFY(bad.state == PhotoFacts::State::Unreadable);
    QVERIFY(!bad.problem.isEmpty());
}

void SubjectsTest::preparesEditedPhotos() {
    core::Subject subject;
    subject.triggerWord = "ohwx";
    subject.classNoun = "toy";
    for (const QString& path : photos(3)) {
        core::Photo photo;
        photo.path = path.toStdString();
        subject.photos.push_back(photo);
    }
    subject.photos[0].edit = {1, 0.0, 0.0, 0.5, 0.5};
    subject.photos[1].leftOut = true;
    subject.photos[2].caption = "its own words";
    const QString folder = m_place.path(QStringLiteral("prepared"));
    const auto made = preparePhotos({subject}, folder, true);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "001.txt", "002.png", "002.txt"}));
    // Turned clockwise, 600 x 500 is 500 x 600; half of it is 250 x 300.
    const QImage cut(folder + QStringLiteral("/001.png"));
    QCOMPARE(cut.size(), QSize(250, 300));
    const QImage whole(QString::fromStdString(subject.photos[0].path));
    QCOMPARE(cut.pixel(0, 0), whole.pixel(0, 499));
    QCOMPARE(cut.pixel(249, 0), whole.pixel(0, 250));
    QFile own(folder + QStringLiteral("/002.txt"));
    QVERIFY(own.open(QIODevice::ReadOnly));
    QCOMPARE(own.readAll(), QByteArray("a photo of ohwx toy, its own words"));
    subject.photos[0].leftOut = subject.photos[2].leftOut = true;
    QVERIFY(!preparePhotos({subject}, m_place.path(QStringLiteral("nothing")), false));
}

void SubjectsTest::captionsCarryTheTriggerWord_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("learned");
    QTest::newRow("none") << QString() << QStringLiteral("a photo of ohwx toy");
    QTest::newRow("blank") << QStringLiteral("  ") << QStringLiteral("a photo of ohwx toy");
    QTest::newRow("has it") << QStringLiteral("Ohwx toy at night") << QStringLiteral("Ohwx toy at night");
    QTest::newRow("noun") << QStringLiteral("a toy on a toy box")
                          << QStringLiteral("a ohwx toy on a toy box");
    QTest::newRow("part of a word") << QStringLiteral("toys, ohwxy")
                                    << QStringLiteral("a photo of ohwx toy, toys, ohwxy");
    QTest::newRow("neither") << QStringLiteral("on a beach")
                             << QStringLiteral("a photo of ohwx toy, on a beach");
}

void SubjectsTest::captionsCarryTheTriggerWord() {
    QFETCH(QString, typed);
    core::Subject subject;
    subject.triggerWord = "ohwx";
    subject.classNoun = "toy";
    core::Photo photo;
    photo.caption = typed.toStdString();
    QTEST(captionOf(subject, photo), "learned");
}

void SubjectsTest::onlyOwnCaptionsLieBesideThePhotosOfOneSubject() {
    core::Subject subject;
    subject.triggerWord = "ohwx";
    subject.classNoun = "toy";
    for (const QString& path : photos(2)) {
        core::Photo photo;
        photo.path = path.toStdString();
        subject.photos.push_back(photo);
    }
    subject.photos[1].caption = "on a beach";
    const QString folder = m_place.path(QStringLiteral("one_subject"));
    const auto made = preparePhotos({subject}, folder, false);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "002.png", "002.txt"}));
}

void SubjectsTest::damagedPhotosAreLeftOutOfTheTraining() {
    core::Subject subject;
    subject.triggerWord = "ohwx";
    subject.classNoun = "toy";
    QStringList paths = photos(2);
    writeBytes(m_place.path(QStringLiteral("damaged.jpg")), "no picture");
    const QByteArray whole = bytesOf(paths[0]);
    writeBytes(m_place.path(QStringLiteral("cut short.png")), whole.first(whole.size() / 2));
    paths.insert(1, m_place.path(QStringLiteral("damaged.jpg")));
    paths.insert(2, m_place.path(QStringLiteral("cut short.png")));
    for (const QString& path : paths) {
        core::Photo photo;
        photo.path = path.toStdString();
        subject.photos.push_back(photo);
    }
    subject.photos[2].edit.quarterTurns = 1;
    const QString folder = m_place.path(QStringLiteral("without damaged ones"));
    const auto made = preparePhotos({subject}, folder, false);
    QVERIFY2(made, made ? "" : made.error().text().c_str());
    QCOMPARE(QDir(folder).entryList(QDir::Files), (QStringList{"001.png", "002.png"}));
    subject.photos = {subject.photos[1], subject.photos[2]};
    QVERIFY(!preparePhotos({subject}, m_place.path(QStringLiteral("none whole")), false));
    subject.photos[0].path =
        "/gone.jpg"; // may be on a disk that is not there now: nobody said to leave it out
    const auto gone = preparePhotos({subject}, m_place.path(QStringLiteral("gone")), false);
    QVERIFY(!gone);
    QVERIFY(gone.error().text().find("gone.jpg") != std::string::npos);
}

void SubjectsTest::likePhotosAreFoundAmongTwoThousand() {
    constexpr size_t kMany = 2000;
    std::mt19937_64 chance(7);
    std::vector<std::optional<uint64_t>> likenesses(kMany);
    for (auto& one : likenesses) one = chance();
    likenesses[1500] = *likenesses[3] ^ 0b111111;  // six bits differ
    likenesses[1600] = *likenesses[4] ^ 0b1111111; // seven
    likenesses[1700] = *likenesses[1500] ^ 1;      // like both: the first one counts
    likenesses[5].reset();
    std::vector<int> wanted(kMany, -1);
    wanted[1500] = 3;
    wanted[1700] = 3;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(likeRows(likenesses), wanted);
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(likeRows({}).empty());
}

void SubjectsTest::manyPhotosAreJudgedTogether() {
    constexpr int kMany = 200;
    QDir().mkpath(m_place.path(QStringLiteral("many")));
    QStringList paths;
    for (int i = 0; i < kMany; ++i) { // each one twice
        const QString path = m_place.path(QStringLiteral("many/%1.png").arg(i, 3, 10, QLatin1Char('0')));
        QImage image(16, 16, QImage::Format_RGB32);
        std::mt19937 chance(static_cast<unsigned>(i / 2));
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x) image.setPixel(x, y, chance() | 0xFF000000U);
        image.save(path);
        paths.append(path);
    }
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int64_t id = m_services->subjects.addFromPhotos(paths);
    QSignalSpy told(&model, &PhotoModel::verdictsChanged);
    int found = 0;
    connect(&inspector, &PhotoInspector::found, this, [&found] { ++found; });
    model.setSubject(id);
    QCOMPARE(model.goodCount(), 0);
    QTRY_COMPARE_WITH_TIMEOUT(model.goodCount(), kMany / 2, 240'000); // a busy disk is no fault of the model
    QCOMPARE(found, kMany);
    QCOMPARE(model.verdict(1).word, QStringLiteral("Like 1"));
    QCOMPARE(model.verdict(kMany - 1).word, QStringLiteral("Like %1").arg(kMany - 1));
    QVERIFY2(told.count() < kMany / 4, qPrintable(QString::number(told.count())));
    core::Subject after = *m_services->subjects.find(id);
    after.photos[0].leftOut = true; // then its twin is the first of its kind
    m_services->subjects.change(after, QStringLiteral("leave out"));
    QTRY_COMPARE(model.verdict(1).word, QStringLiteral("Good"));
    m_services->undo.undo();
    m_services->undo.undo();
}

void SubjectsTest::aCropGoesToThePhotoThatItWasMadeFor() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(3));
    SubjectsPage page(m_services->all());
    page.resize(1000, 600);
    page.show();
    page.select(id);
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(1, 0));
    const int64_t cropped = book.find(id)->photos[1].id;
    QVERIFY(page.command(Page::Command::LargeView));
    auto* crop = page.findChild<CropView*>();
    QVERIFY(crop->isVisible());
    core::Subject after = *book.find(id); // meanwhile undo or a drop moves it
    std::swap(after.photos[0], after.photos[1]);
    book.change(after, QStringLiteral("move"));
    grid->setCurrentIndex(grid->model()->index(2, 0));
    const core::PhotoEdit edit{0, 0.25, 0.25, 0.5, 0.5};
    Q_EMIT crop->kept(edit);
    for (const core::Photo& photo : book.find(id)->photos) QCOMPARE(photo.edit == edit, photo.id == cropped);
    QVERIFY(!crop->isVisible());
    // And a photo that is gone by then takes no other along.
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QVERIFY(page.command(Page::Command::LargeView));
    after = *book.find(id);
    after.photos.erase(after.photos.begin());
    book.change(after, QStringLiteral("remove"));
    Q_EMIT crop->kept({0, 0.5, 0.5, 0.5, 0.5});
    for (const core::Photo& photo : book.find(id)->photos) QVERIFY(photo.edit.empty());
    while (m_services->undo.canUndo()) m_services->undo.undo();
}

void SubjectsTest::photosAreJudgedByWhatTheChosenModelLearnsAt() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(1)); // 600 x 500
    MainWindow window(m_services->all());
    window.show();
    auto* page = static_cast<SubjectsPage*>(window.page(PageId::Subjects));
    page->select(id);
    auto* grid = page->findChild<ThumbnailGrid*>();
    const auto word = [grid] { return grid->model()->index(0, 0).data(StateTextRole).toString(); };
    QTRY_COMPARE(word(), QStringLiteral("Good")); // the built-in model learns at 64
    auto* train = static_cast<TrainPage*>(window.page(PageId::Train));
    Q_EMIT train->pixelsChanged(768);
    QTRY_COMPARE(word(), QStringLiteral("Small"));
    // What the page itself says, by an expert setting.
    auto* expert = train->findChild<ExpertForm*>();
    expert->setChange(QStringLiteral("data.resolutionPixels"), QStringLiteral("512"));
    QTRY_VERIFY(grid->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("512")));
    expert->setChange(QStringLiteral("data.resolutionPixels"), QStringLiteral("64"));
    QTRY_COMPARE(word(), QStringLiteral("Good"));
    m_services->undo.undo();
}

void SubjectsTest::aPhotoIsJudgedAnewWhenItsFileChanges() {
    const QStringList paths = photos(2);
    PhotoInspector inspector;
    PhotoModel model(m_services->subjects, inspector);
    model.setSubject(m_services->subjects.addFromPhotos(paths));
    const auto word = [&model](int row) { return model.verdict(row).word; };
    QTRY_COMPARE(word(0), QStringLiteral("Good"));
    QTest::qWait(500); // the watch begins
    QSignalSpy changed(&inspector, &PhotoInspector::fileChanged);
    writeBytes(paths[0], "no picture any more"); // in place, as a failing disk does
    QTRY_COMPARE(word(0), QStringLiteral("Unreadable"));
    QVERIFY(model.verdict(0).canFind);
    QVERIFY(changed.size() > 0);
    QVERIFY(QFile::remove(paths[0]));
    QTRY_COMPARE(word(0), QStringLiteral("Missing"));
    QTest::qWait(500);
    writeTestPicture(paths[0], 0);
    QTRY_COMPARE(word(0), QStringLiteral("Good"));
    QCOMPARE(word(1), QStringLiteral("Good"));
}

HOMEBOOTH_APP_TEST_MAIN(SubjectsTest)
#include "tst_subjects.moc"
