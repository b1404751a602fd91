// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Subjects: made of photos, each with a trigger word of its own, kept in the library, changed with a way
// back.
#include "app/engine/models/model_vocabularies.h"
#include "app/pages/subjects/crop_view.h"
#include "app/pages/subjects/lost_folder.h"
#include "app/pages/subjects/subject_models.h"
#include "app/widgets/message_bar.h"
#include "core/base/model/model_tokenizer.h"
#include "folder_answers.h"
#include "item_rules.h"
#include "subject_fixture.h"

#include <QLineEdit>
#include <QListView>
#include <QSet>
#include <QTransform>

using namespace homebooth;
using namespace homebooth::app;

class SubjectsTest : public SubjectPhotosTest {
    Q_OBJECT
public:
    using SubjectPhotosTest::SubjectPhotosTest;
private Q_SLOTS:
    void init() { beginAgain(); }
    void cleanup() { end(); }
    void guessesTheClassFromTheFoldersName_data();
    void guessesTheClassFromTheFoldersName();
    void aFoldersOwnNameSaysNothingOfItsPhotos();
    void theGuessFollowsTheNameUntilSomebodySaysIt();
    void whatTheGuessComesFromIsSaid();
    void addedPhotosAreTold();
    void whatIsTrainedIsDrawnAtOnce();
    void makesASubjectOfPhotosAndUndoesIt();
    void lateCaptionsGoToNewPhotosAlone();
    void everySubjectGetsATriggerWordOfItsOwn();
    void rareWordsAreKeptWhole();
    void wordsAreCountedInTheModelsThatThereAre();
    void aSharedTriggerWordIsNamedAndMended();
    void typingIsOneStepOfUndo();
    void keepsChangesInTheLibrary();
    void modelsKeepTheRulesOfItemModels();
    void theSearchHidesNothingThatIsWorkedOn();
    void aCropGoesToThePhotoThatItWasMadeFor();
    void whatCannotBeCroppedSaysWhyAndEscGoesBack_data();
    void whatCannotBeCroppedSaysWhyAndEscGoesBack();
    void turningAPhotoTurnsItsCropWithIt();
    void aFolderThatIsGoneIsToldAndFound();
    void whatMovedWithAFolderIsFoundWithIt();
    void theOutermostFolderThatMovedIsKnown_data();
    void theOutermostFolderThatMovedIsKnown();

private:
    /// Answers where the lost folder is.
    static void findFolder(SubjectsPage& page, const QString& folder);
    /// A subject of one photo, which lies in a folder of that name.
    [[nodiscard]] int64_t addFromFolder(const QString& name);
};

namespace {

/// Whether a widget was drawn.
class Drawn : public QObject {
public:
    bool seen = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        seen = seen || event->type() == QEvent::Paint;
        return false;
    }
};

} // namespace

void SubjectsTest::guessesTheClassFromTheFoldersName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("noun");
    QTest::addColumn<bool>("known");
    QTest::newRow("toy") << u"robot_toy"_s << u"toy"_s << true;
    QTest::newRow("plural") << u"my dogs 2019"_s << u"dog"_s << true;
    QTest::newRow("last word counts") << u"dog bowl"_s << u"bowl"_s << true;
    QTest::newRow("unknown") << u"DCIM_100"_s << u"object"_s << false;
    QTest::newRow("empty") << QString() << u"object"_s << false;
}

void SubjectsTest::guessesTheClassFromTheFoldersName() {
    QFETCH(QString, name);
    QTEST(guessClass(name).noun, "noun");
    QTEST(guessClass(name).known, "known");
}

int64_t SubjectsTest::addFromFolder(const QString& name) {
    QDir().mkpath(m_place.path(name));
    return m_services->subjects.addFromPhotos({writeTestPicture(m_place.path(name + "/0.png"), 1)});
}

void SubjectsTest::aFoldersOwnNameSaysNothingOfItsPhotos() {
    for (const char* folder : {"Camera", "Camera_Roll", "train"})
        QVERIFY2(!guessClassOfFolder(QString::fromLatin1(folder)).known, folder);
    QCOMPARE(guessClassOfFolder(u"old_camera"_s).noun, u"camera"_s);
    QCOMPARE(guessClass(u"Camera"_s).noun, u"camera"_s); // whoever says it means it
    const int64_t id = addFromFolder("Camera");
    QCOMPARE(m_services->subjects.find(id)->classNoun, "object");
    QVERIFY(lacksClass(*m_services->subjects.find(id)));
    m_services->undo.undo();
    // Kohya's trainers read how often, the word and the class from it.
    const core::Subject dog = *m_services->subjects.find(addFromFolder("10_zwx dog"));
    QCOMPARE(dog.name + ", " + dog.triggerWord, "zwx dog, zwx");
    m_services->undo.undo();
    for (const auto& [folder, word] : {std::pair("2024_summer dog", "summer"), std::pair("1_My dog", "My")}) {
        QVERIFY(m_services->subjects.find(addFromFolder(QLatin1String(folder)))->triggerWord != word);
        m_services->undo.undo();
    }
}

void SubjectsTest::whatTheGuessComesFromIsSaid() {
    const int64_t id = addFromFolder("cat");
    SubjectsPage page(m_services->all());
    page.show();
    page.select(id);
    QVERIFY(shownTexts(page).contains(u"guessed from the name"_s));
    core::Subject other = *m_services->subjects.find(id);
    other.name = "Mimi";
    m_services->subjects.change(other, u"rename"_s);
    QCOMPARE(m_services->subjects.find(id)->classNoun, "cat");
    QVERIFY(shownTexts(page).contains(u"guessed from the folder's name"_s));
    m_services->undo.undo();
    m_services->undo.undo();
}

void SubjectsTest::theGuessFollowsTheNameUntilSomebodySaysIt() {
    SubjectBook& book = m_services->subjects;
    const int64_t loose = addFromFolder("Downloads");
    const int64_t toy = book.addFromPhotos(photos(1));
    SubjectsPage page(m_services->all());
    page.show();
    QLineEdit* field = fieldNamed(page, u"Name"_s);
    QVERIFY(field != nullptr);
    const QString unknown = u"not known yet: say what it is"_s;
    const auto rename = [&](int64_t id, const char* name) {
        page.select(id);
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(name));
        return QString::fromStdString(book.find(id)->classNoun);
    };
    page.select(loose);
    QVERIFY(shownTexts(page).contains(unknown));
    QCOMPARE(rename(loose, "my dog"), u"dog"_s);
    QVERIFY(!shownTexts(page).contains(unknown));
    QCOMPARE(rename(loose, "candy"), u"object"_s); // a can only while it was typed
    QVERIFY(shownTexts(page).contains(unknown));
    QCOMPARE(rename(toy, "Robbie"), u"toy"_s); // as its folder says
    QVERIFY(!shownTexts(page).contains(unknown));
    core::Subject said = *book.find(toy);
    said.classNoun = "robot";
    said.classGuessed = false;
    book.change(said, u"say"_s);
    QCOMPARE(rename(toy, "my dog"), u"robot"_s);
    QTest::keyClick(field, Qt::Key_Return); // which ends what was typed
    while (!field->text().isEmpty()) QTest::keyClick(field, Qt::Key_Backspace);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(field->text(), u"my dog"_s); // nobody would find one without a name
    QCOMPARE(book.find(toy)->name, "my dog");
    said = *book.find(toy);
    said.classNoun = said.triggerWord = ""; // both were emptied
    book.change(said, u"say"_s);
    QVERIFY(shownTexts(page).contains(unknown));
    QVERIFY(shownTexts(page).contains(QLocale().quoteString(u"a photo of object"_s)));
    undoAll();
}

void SubjectsTest::addedPhotosAreTold() {
    SubjectBook& book = m_services->subjects;
    const int64_t fresh = book.addEmpty(); // what it is the folder of its photos says
    book.addPhotos(fresh, photos(1));
    QCOMPARE(book.find(fresh)->classNoun, "toy");
    const int64_t id = book.addFromPhotos(photos(1));
    PageOfSubject page(*m_services, id);
    QSignalSpy told(&page, &SubjectsPage::toast);
    page.choosePhotos();
    answerWith(page, photos(2));
    QCOMPARE(book.find(id)->photos.size(), size_t{3});
    QCOMPARE(told.size(), 1);
    QVERIFY(told[0][0].toString().contains(u"robot toy"_s));
    undoAll();
}

void SubjectsTest::whatIsTrainedIsDrawnAtOnce() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(1));
    PageOfSubject page(*m_services, id);
    QWidget* list = page.findChild<QListView*>()->viewport();
    const QImage before = list->grab().toImage();
    core::RunRecord run; // of one with a result, which failed while it was trained further
    run.id = core::newRecordId();
    run.folder = m_place.path("trained").toStdString();
    run.state = "failed";
    run.createdMs = run.endedMs = core::nowMs();
    run.subjects = {id};
    const QString result = m_place.path("trained/result");
    QVERIFY(QDir().mkpath(result));
    QVERIFY(QFile::link(builtInModel(), result + u"/model"_s));
    m_services->library.write([run](core::Library& library) { return core::saveRun(library, run); });
    m_services->runs.open(m_services->settings.runsFolder());
    QTRY_VERIFY(m_services->models.find(result + u"/model"_s) != nullptr);
    QVERIFY(list->grab().toImage() != before);
    QTest::qWait(50); // what was to be drawn before is drawn
    Drawn drawn;
    list->installEventFilter(&drawn);
    Q_EMIT m_services->runs.runsChanged();
    QTRY_VERIFY(drawn.seen);
    m_services->undo.undo();
}

void SubjectsTest::makesASubjectOfPhotosAndUndoesIt() {
    SubjectBook& book = m_services->subjects;
    const size_t before = book.subjects().size();
    const int64_t id = book.addFromPhotos(photos(3));
    const core::Subject* subject = book.find(id);
    QVERIFY(subject != nullptr);
    QCOMPARE(QString::fromStdString(subject->name), u"robot toy"_s);
    QCOMPARE(QString::fromStdString(subject->classNoun), u"toy"_s);
    QCOMPARE(subjectSentence(*subject), u"a photo of ohwx toy"_s);
    QCOMPARE(subject->photos.size(), size_t{3});
    m_services->undo.undo();
    QCOMPARE(book.subjects().size(), before);
    m_services->undo.redo();
    QCOMPARE(book.find(id)->photos.size(), size_t{3});
    m_services->undo.undo();
}

void SubjectsTest::lateCaptionsGoToNewPhotosAlone() {
    const auto book = [this] { return &m_services->subjects; };
    const std::string caption = "a toy on a shelf";
    const QString place = m_place.path("captioned/");
    QDir().mkpath(place);
    const QStringList paths{writeTestPicture(place + "0.png", 0), writeTestPicture(place + "1.png", 1)};
    writeBytes(place + "0.txt", caption.c_str());
    writeBytes(place + "1.txt", "a caf\xE9"); // nobody can be sure of its encoding
    const QSignalSpy leftOut(book(), &SubjectBook::captionsLeftOut);
    const int64_t id = book()->addFromPhotos(paths);
    const auto captionAt = [&](size_t photo) { return book()->find(id)->photos[photo].caption; };
    QTRY_COMPARE(captionAt(0), caption);
    QVERIFY(leftOut.size() == 1 && leftOut[0][0].toInt() == 1 && captionAt(1).empty());
    core::Subject emptied = *book()->find(id);
    emptied.photos[0].caption.clear();
    book()->change(emptied, u"empty"_s);
    book()->addPhotos(id, {paths[0]});
    QTRY_VERIFY(captionAt(2) == caption && captionAt(0).empty()); // which stays as somebody wished
    book()->addPhotos(id, {paths[0]});
    end(); // the program is closed before anybody could hear of it
    beginAgain();
    QCOMPARE(captionAt(3), caption);
    book()->remove(id);
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
    QCOMPARE(suggestTriggerWord({}, count), "sks");
}

void SubjectsTest::wordsAreCountedInTheModelsThatThereAre() {
    SubjectBook& book = m_services->subjects;
    const ModelVocabularies vocabularies(m_services->models, book);
    QTRY_VERIFY(book.tokenCount() != nullptr);
    m_services->models.refresh(); // finds the built-in model, whose vocabulary is small
    QTRY_COMPARE(book.tokenCount()(u"kprc"_s), 3);
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
    book.change(named, u"rename"_s);
    core::Subject after = *book.find(other);
    after.triggerWord = named.triggerWord;
    book.change(after, u"same word"_s);
    page.select(other);
    QCOMPARE(shownTexts(page).filter(u"Ada has this word"_s).size(), 1);
    const QString free = QString::fromStdString(book.freeTriggerWord());
    buttonNamed(page, u"Take "_s + free)->click();
    QCOMPARE(QString::fromStdString(book.find(other)->triggerWord), free);
    QCOMPARE(shownTexts(page).filter(u"Ada has this word"_s).size(), 0);
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
        book.change(after, u"rename"_s, u"name"_s);
    }
    core::Subject caption = *book.find(id);
    caption.photos[0].caption = "x";
    book.change(caption, u"caption"_s, u"caption0"_s);
    QCOMPARE(m_services->undo.count(), steps + 2);
    m_services->undo.undo();
    QCOMPARE(book.find(id)->photos[0].caption, std::string());
    QCOMPARE(book.find(id)->name, "Ada");
    m_services->undo.undo();
    QCOMPARE(book.find(id)->name, "robot toy");
    m_services->undo.undo();
}

void SubjectsTest::keepsChangesInTheLibrary() {
    const int64_t id = m_services->subjects.addFromPhotos(photos(2));
    core::Subject after = *m_services->subjects.find(id);
    after.photos[1].edit.quarterTurns = 1;
    after.photos[0].leftOut = true;
    m_services->subjects.change(after, u"turn"_s);
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
    const ItemRules first(list);
    const ItemRules second(model);
    const int64_t id = book.addFromPhotos(photos(4));
    model.setSubject(id);
    QCOMPARE(model.rowCount(), 4);
    core::Subject after = *book.find(id);
    after.photos.erase(after.photos.begin());
    book.change(after, u"remove"_s);
    QCOMPARE(model.rowCount(), 3);
    m_services->undo.undo();
    QCOMPARE(model.rowCount(), 4);
    book.remove(id);
    QCOMPARE(model.rowCount(), 0);
    m_services->undo.undo();
}

void SubjectsTest::theSearchHidesNothingThatIsWorkedOn() {
    SubjectBook& book = m_services->subjects;
    SubjectsPage page(m_services->all());
    page.show();
    const auto add = [&](const char* name) {
        return book.addFromPhotos(photos(1), QString::fromLatin1(name));
    };
    add("ant");
    const int64_t first = add("seal one");
    const int64_t second = add("seal two");
    QListView* list = nullptr;
    for (auto* one : page.findChildren<QListView*>())
        if (one->accessibleName() == QLatin1String("Subjects")) list = one;
    const auto chosen = [list] { return list->currentIndex().data(SubjectListModel::IdRole).toLongLong(); };
    auto* search = static_cast<QLineEdit*>(page.searchField());
    search->setText(u"seal"_s);
    QCOMPARE(list->model()->rowCount(), 2);
    list->setCurrentIndex(list->model()->index(0, 0));
    QCOMPARE(page.currentSubject(), second);
    core::Subject renamed = *book.find(second);
    renamed.name = "sea"; // on the way to another name
    book.change(renamed, u"rename"_s);
    QCOMPARE(page.currentSubject(), second);
    const int64_t bear = add("bear");
    QCOMPARE(page.currentSubject(), bear);
    QCOMPARE(chosen(), bear);
    QVERIFY(search->text().isEmpty());
    search->setText(u"sea"_s);
    list->setCurrentIndex(list->model()->index(1, 0));
    QCOMPARE(page.currentSubject(), first);
    book.remove(first); // the next one of all, the ant, is not among those that are found
    QCOMPARE(page.currentSubject(), second);
    QCOMPARE(chosen(), second);
    search->setText(u"no such name"_s);
    QVERIFY(!list->currentIndex().isValid());
    search->setText(u"bear"_s);
    QCOMPARE(page.currentSubject(), bear);
    QCOMPARE(chosen(), bear);
    undoAll();
}

void SubjectsTest::aCropGoesToThePhotoThatItWasMadeFor() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(3));
    PageOfSubject page(*m_services, id, {1000, 600});
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(1, 0));
    const int64_t cropped = book.find(id)->photos[1].id;
    QVERIFY(page.command(Page::Command::LargeView));
    auto* crop = page.findChild<CropView*>();
    QVERIFY(crop->isVisible());
    core::Subject after = *book.find(id); // meanwhile undo or a drop moves it
    std::swap(after.photos[0], after.photos[1]);
    book.change(after, u"move"_s);
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
    book.change(after, u"remove"_s);
    Q_EMIT crop->kept({0, 0.5, 0.5, 0.5, 0.5});
    for (const core::Photo& photo : book.find(id)->photos) QVERIFY(photo.edit.empty());
    undoAll();
}

void SubjectsTest::whatCannotBeCroppedSaysWhyAndEscGoesBack_data() {
    QTest::addColumn<bool>("there");
    QTest::addColumn<QString>("words");
    QTest::newRow("damaged") << true << u"damaged"_s;
    QTest::newRow("gone") << false << u"gone"_s;
}

void SubjectsTest::whatCannotBeCroppedSaysWhyAndEscGoesBack() {
    QFETCH(bool, there);
    QFETCH(QString, words);
    const QString path = m_place.path("no photo.jpg");
    if (there) writeBytes(path, "no picture");
    if (!there) QFile::remove(path);
    const int64_t id = m_services->subjects.addFromPhotos({path});
    PageOfSubject page(*m_services, id);
    page.activateWindow();
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QVERIFY(page.command(Page::Command::LargeView));
    auto* crop = page.findChild<CropView*>();
    QVERIFY(crop->isVisible());
    QTRY_VERIFY2(crop->accessibleDescription().contains(words), qPrintable(crop->accessibleDescription()));
    QVERIFY(!buttonNamed(*crop, u"Keep"_s)->isEnabled());
    QTest::keyClick(crop, Qt::Key_Escape);
    QVERIFY(!crop->isVisible());
    m_services->undo.undo();
}

void SubjectsTest::turningAPhotoTurnsItsCropWithIt() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(1)); // 600 x 500
    core::Subject cropped = *book.find(id);
    cropped.photos[0].edit = {0, 0.1, 0.2, 0.5, 0.6};
    book.change(cropped, u"crop"_s);
    const QString path = QString::fromStdString(cropped.photos[0].path);
    const QImage before = loadEdited(path, cropped.photos[0].edit, 1000);
    PageOfSubject page(*m_services, id);
    auto* grid = page.findChild<ThumbnailGrid*>();
    grid->setCurrentIndex(grid->model()->index(0, 0));
    QTransform turn;
    for (int quarter = 1; quarter <= 4; ++quarter) {
        buttonNamed(page, u"Turn"_s)->click();
        const core::PhotoEdit edit = book.find(id)->photos[0].edit;
        QCOMPARE(edit.quarterTurns, quarter % 4);
        QCOMPARE(loadEdited(path, edit, 1000), before.transformed(turn.rotate(90)));
    }
    for (int step = 0; step < 4; ++step) m_services->undo.undo();
    QVERIFY(*book.find(id) == cropped);
    // A photo that is not cropped stays whole.
    QVERIFY(core::turnedOnce({3, 0.0, 0.0, 1.0, 1.0}).empty());
    undoAll();
}

void SubjectsTest::findFolder(SubjectsPage& page, const QString& folder) {
    buttonNamed(page.messages(), u"Find folder"_s)->click();
    answerWith(page, {folder});
}

void SubjectsTest::aFolderThatIsGoneIsToldAndFound() {
    SubjectBook& book = m_services->subjects;
    const int64_t id = book.addFromPhotos(photos(2));
    core::Subject edited = *book.find(id);
    edited.photos[0].caption = "on a shelf";
    edited.photos[1].edit = {1, 0.0, 0.0, 0.5, 0.5};
    book.change(edited, u"edit"_s);
    const QString before = m_place.path("robot_toy");
    const QString now = m_place.path("a stick/toys");
    QDir().mkpath(m_place.path("a stick"));
    QVERIFY(QDir().rename(before, now));
    PageOfSubject page(*m_services, id);
    QTRY_VERIFY(page.messages().currentText().contains(u"Folder \"robot_toy\" is gone."_s));
    QTRY_VERIFY(!page.mainButton()->isEnabled()); // no photo to learn
    findFolder(page, m_place.path("a stick"));    // not that one
    QTRY_VERIFY(page.messages().currentText().contains(u"None of the photos"_s));
    page.messages().drop(u"not there"_s);
    findFolder(page, now);
    QTRY_COMPARE(QString::fromStdString(book.find(id)->photos[0].path), now + u"/0.png"_s);
    QCOMPARE(book.find(id)->photos[0].caption, "on a shelf");
    QVERIFY(book.find(id)->photos[1].edit == edited.photos[1].edit);
    QTRY_COMPARE(page.messages().count(), 0);
    QVERIFY(page.mainButton()->isEnabled());
    m_services->undo.undo();
    QVERIFY(*book.find(id) == edited);
    QVERIFY(QDir().rename(now, before));
    undoAll();
}

void SubjectsTest::whatMovedWithAFolderIsFoundWithIt() {
    SubjectBook& book = m_services->subjects;
    std::vector<int64_t> made;
    for (const char* folder : {"album/toy", "album/dog", "album/cat", "elsewhere/car"}) {
        const QString path = m_place.path(QLatin1String(folder) + u"/0.png"_s);
        QDir().mkpath(QFileInfo(path).path());
        made.push_back(book.addFromPhotos({writeTestPicture(path, 1)}));
    }
    QDir().mkpath(m_place.path("a disk"));
    QVERIFY(QDir().rename(m_place.path("album"), m_place.path("a disk/album")));
    QVERIFY(QFile::remove(m_place.path("a disk/album/cat/0.png"))); // did not come along
    const auto path = [&](size_t at) { return QString::fromStdString(book.find(made[at])->photos[0].path); };
    const QStringList before{path(0), path(1), path(2), path(3)};
    PageOfSubject page(*m_services, made[0]);
    QTRY_VERIFY(page.messages().currentText().contains(u"Folder \"toy\" is gone."_s));
    QSignalSpy told(&page, &Page::toast);
    const int steps = m_services->undo.count();
    findFolder(page, m_place.path("a disk/album/toy"));
    QTRY_COMPARE(path(0), m_place.path("a disk/album/toy/0.png"));
    QCOMPARE(path(1), m_place.path("a disk/album/dog/0.png"));
    QCOMPARE(path(2), before[2]);
    QCOMPARE(path(3), before[3]);
    QCOMPARE(told.size(), 1);
    QVERIFY(told[0][0].toString().contains(u"2 subject(s)"_s));
    QCOMPARE(m_services->undo.count(), steps + 1);
    m_services->undo.undo();
    QCOMPARE((QStringList{path(0), path(1), path(2), path(3)}), before);
    undoAll();
}

void SubjectsTest::theOutermostFolderThatMovedIsKnown_data() {
    QTest::addColumn<QStringList>("moved");
    QTest::addColumn<QStringList>("outermost");
    const auto add = [](const char* name, const QStringList& moved, const QStringList& outermost) {
        QTest::newRow(name) << moved << outermost;
    };
    add("renamed", {"/a/toy", "/a/robot"}, {"/a/toy", "/a/robot"});
    add("with all around it", {"/photos/toys/robot", "/stick/toys/robot"}, {"/photos", "/stick"});
    add("out of its folder", {"/photos/robot", "/stick/toys/robot"}, {"/photos", "/stick/toys"});
    add("a level up", {"/a/b/robot", "/b/robot"}, {"/a", "/"});
    add("below another", {"/robot", "/mnt/robot"}, {"/", "/mnt"});
}

void SubjectsTest::theOutermostFolderThatMovedIsKnown() {
    QFETCH(QStringList, moved);
    const MovedFolder outer = MovedFolder{moved[0], moved[1]}.outermost();
    QTEST((QStringList{outer.before, outer.now}), "outermost");
}

HOMEBOOTH_APP_TEST_MAIN(SubjectsTest)
#include "tst_subjects.moc"
