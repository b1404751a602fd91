// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What goes into the library comes out of it: subjects, prompts, pictures, runs, models.
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"
#include "core/library/picture_store.h"
#include "core/library/prompt_store.h"
#include "core/library/queue_store.h"
#include "core/library/run_store.h"
#include "core/library/subject_store.h"
#include "rebuild_runs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <set>
#include <thread>
#include <vector>

using namespace homebooth::core;

namespace {

Subject robot() {
    Subject subject{newRecordId(), "robot toy", "toy", true, "ohwx", nowMs(), {}};
    for (int i = 0; i < 3; ++i) {
        Photo photo;
        photo.id = newRecordId();
        photo.path = "/photos/0" + std::to_string(i) + ".jpg";
        subject.photos.push_back(photo);
    }
    subject.photos[1].caption = "a photo of ohwx toy on grass";
    subject.photos[1].leftOut = true;
    subject.photos[2].edit = {1, 0.1, 0.2, 0.5, 0.5, 0x10C0FF};
    return subject;
}

PictureRecord picture(int number) {
    PictureRecord record;
    record.id = newRecordId();
    record.path = "/pictures/" + std::to_string(number) + ".png";
    record.createdMs = 1000 + number;
    record.prompt = number % 2 == 0 ? "a red apple" : "a 100% blue_dog";
    record.model = number < 5 ? "sketch" : "robot toy";
    return record;
}

} // namespace

class LibraryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { m_library.reset(); }
    void keysAreNeverTheSameTwice();
    void keepsSubjectsWithPhotosAndEdits();
    void changesAndRemovesSubjects();
    void keepsAPromptOnceAndFindsItByWords();
    void findsPicturesByWordsModelAndFavourite();
    void findsPicturesOfASubject();
    void keepsTheQueueInItsOrder();
    void takesPercentAndUnderscoreAsWritten();
    void hidesAndBringsBackPictures();
    void saysHowItHasAFile();
    void aPictureInThePlaceOfAnotherHasNothingOfIt();
    void followsPicturesThatMoved();
    void aPictureThatIsFoundLeavesTheTrash();
    void rebuildsRunsFromTheirFolders();
    void noticesRunsThatEndedWhileNobodyLooked_data();
    void noticesRunsThatEndedWhileNobodyLooked();
    void keepsTitleAndKeyOfAKnownRun();
    void rebuildsTitleAndSubjectsFromWhatARunNotes();
    void enforcesForeignKeysAndWritesAllOrNothing();
    void findsPicturesThatOthersBeganFromByName();
    void aModelThatIsTakenUpAgainKeepsWhatTheUserSaidOfIt();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Library> m_library;
};

void LibraryTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    auto opened = Library::open(m_folder->filePath("library.db").toStdString());
    QVERIFY2(opened, opened ? "" : opened.error().text().c_str());
    m_library = std::move(*opened);
}

void LibraryTest::keysAreNeverTheSameTwice() {
    constexpr size_t kThreads = 4;
    constexpr size_t kEach = 5000; // in a few milliseconds: as when many photos are added
    std::array<std::vector<int64_t>, kThreads> keys;
    {
        std::vector<std::jthread> threads;
        for (auto& mine : keys)
            threads.emplace_back([&mine] {
                for (size_t i = 0; i < kEach; ++i) mine.push_back(newRecordId());
            });
    }
    std::set<int64_t> all;
    for (const auto& mine : keys) {
        QVERIFY(std::ranges::is_sorted(mine));
        all.insert(mine.begin(), mine.end());
    }
    QCOMPARE(all.size(), kThreads * kEach);
}

void LibraryTest::keepsSubjectsWithPhotosAndEdits() {
    const Subject subject = robot();
    QVERIFY(saveSubject(*m_library, subject, 0));
    m_library.reset();
    auto opened = Library::open(m_folder->filePath("library.db").toStdString());
    QVERIFY(opened);
    m_library = std::move(*opened);
    const auto loaded = loadSubjects(*m_library);
    QVERIFY(loaded);
    QCOMPARE(loaded->size(), size_t{1});
    QVERIFY(loaded->front() == subject);
}

void LibraryTest::changesAndRemovesSubjects() {
    Subject first = robot();
    Subject second = robot();
    second.name = "Ada";
    QVERIFY(saveSubject(*m_library, first, 1));
    QVERIFY(saveSubject(*m_library, second, 0));
    first.photos.erase(first.photos.begin());
    first.photos[0].caption = "changed";
    std::swap(first.photos[0], first.photos[1]);
    QVERIFY(saveSubject(*m_library, first, 1));
    const auto loaded = loadSubjects(*m_library);
    QCOMPARE(loaded->size(), size_t{2});
    QVERIFY((*loaded)[0] == second);
    QVERIFY((*loaded)[1] == first);
    QVERIFY(removeSubject(*m_library, second.id));
    QCOMPARE(loadSubjects(*m_library)->size(), size_t{1});
}

void LibraryTest::keepsAPromptOnceAndFindsItByWords() {
    QVERIFY(notePromptUse(*m_library, "a red apple", ""));
    QVERIFY(notePromptUse(*m_library, "a rocket on the moon", ""));
    QVERIFY(notePromptUse(*m_library, "a red apple", ""));
    auto all = findPrompts(*m_library, "", 10);
    QCOMPARE(all->size(), size_t{2});
    const auto found = findPrompts(*m_library, "apple red", 10);
    QCOMPARE(found->size(), size_t{1});
    QCOMPARE(found->front().uses, int64_t{2});
    Prompt rocket = (*all)[0].text == "a rocket on the moon" ? (*all)[0] : (*all)[1];
    rocket.favourite = true;
    rocket.usedMs = 1;
    QVERIFY(savePrompt(*m_library, rocket));
    QVERIFY(findPrompts(*m_library, "", 10)->front() == rocket);
    QVERIFY(removePrompt(*m_library, rocket.id));
    QCOMPARE(findPrompts(*m_library, "", 10)->size(), size_t{1});
}

void LibraryTest::findsPicturesByWordsModelAndFavourite() {
    std::vector<PictureRecord> pictures;
    for (int i = 0; i < 10; ++i) pictures.push_back(picture(i));
    QVERIFY(addPictures(*m_library, pictures));
    QVERIFY(addPictures(*m_library, {pictures[3]})); // known already
    QCOMPARE(*countPictures(*m_library, {}), int64_t{10});
    QCOMPARE(findPictures(*m_library, {}, 0, 3)->front().path, std::string("/pictures/9.png"));
    QCOMPARE(*countPictures(*m_library, {"apple", "", false}), int64_t{5});
    QCOMPARE(*countPictures(*m_library, {"apple", "sketch", false}), int64_t{3});
    QVERIFY(setFavourite(*m_library, {pictures[0].id}, true));
    const auto favourites = findPictures(*m_library, {"", "", true}, 0, 10);
    QCOMPARE(favourites->size(), size_t{1});
    QCOMPARE(favourites->front().id, pictures[0].id);
    QCOMPARE(*pictureModels(*m_library), (std::vector<std::string>{"robot toy", "sketch"}));
    QCOMPARE(*pictureModels(*m_library, "/nowhere"), std::vector<std::string>());
    QCOMPARE(*countPictures(*m_library, {"", "sketch", false, 0, "", {"robot toy"}}), int64_t{10});
    const auto some = [this, &pictures](const PictureFilter& filter) {
        const auto found = findPicturesOf(*m_library, filter, {pictures[0].id, pictures[3].id, 77});
        std::vector<std::string> paths;
        for (const PictureRecord& one : *found) paths.push_back(one.path);
        return paths;
    };
    QCOMPARE(some({}), (std::vector<std::string>{pictures[0].path, pictures[3].path}));
    QCOMPARE(some({"", "", true}), std::vector<std::string>{pictures[0].path});
    QVERIFY(setTrashed(*m_library, {pictures[0].id}, true));
    QCOMPARE(some({}), std::vector<std::string>{pictures[3].path});
}

void LibraryTest::takesPercentAndUnderscoreAsWritten() {
    QVERIFY(addPictures(*m_library, {picture(1), picture(2)}));
    QCOMPARE(*countPictures(*m_library, {"100%", "", false}), int64_t{1});
    QCOMPARE(*countPictures(*m_library, {"e_d", "", false}), int64_t{1});
    QCOMPARE(*countPictures(*m_library, {"%", "", false}), int64_t{1});
    QCOMPARE(*countPictures(*m_library, {"a'\"", "", false}), int64_t{0});
}

void LibraryTest::hidesAndBringsBackPictures() {
    const PictureRecord one = picture(1);
    QVERIFY(addPictures(*m_library, {one, picture(2)}));
    QVERIFY(setTrashed(*m_library, {one.id}, true));
    QCOMPARE(*countPictures(*m_library, {}), int64_t{1});
    QCOMPARE(trashedPictures(*m_library)->size(), size_t{1});
    QVERIFY(setTrashed(*m_library, {one.id}, false));
    QCOMPARE(*countPictures(*m_library, {}), int64_t{2});
    QVERIFY(forgetPictures(*m_library, {one.id}));
    QCOMPARE(*countPictures(*m_library, {}), int64_t{1});
}

void LibraryTest::aPictureInThePlaceOfAnotherHasNothingOfIt() {
    const PictureRecord one = picture(1);
    QVERIFY(addPictures(*m_library, {one, picture(2)}));
    QVERIFY(setFavourite(*m_library, {one.id}, true));
    PictureRecord again = picture(3);
    again.path = one.path;
    QVERIFY(addPictures(*m_library, {again})); // found in its folder: known already
    QCOMPARE((*pictureStates(*m_library, {one.path}))[0].id, one.id);
    QVERIFY(setTrashed(*m_library, {one.id}, true));
    QVERIFY(takeUpPicture(*m_library, again)); // just made
    QVERIFY(findPictures(*m_library, {}, 0, 1)->front() == again);
    QCOMPARE(*countPictures(*m_library, {}), int64_t{2});
}

void LibraryTest::followsPicturesThatMoved() {
    PictureRecord one = picture(1);
    one.favourite = true;
    const PictureRecord two = picture(2);
    PictureRecord again = picture(3); // the first one's file, taken up a second time where it lies now
    again.model.clear();
    QVERIFY(addPictures(*m_library, {one, two, again}));
    QVERIFY(movePictures(*m_library, {{one.id, again.path}, {two.id, "/elsewhere/2.png"}}));
    const auto states = pictureStates(*m_library, {one.path, two.path, again.path, "/elsewhere/2.png"});
    QCOMPARE((*states)[0].id, int64_t{0});
    QCOMPARE((*states)[1].id, int64_t{0});
    QCOMPARE((*states)[2].id, again.id);
    QVERIFY((*states)[2].favourite);
    QCOMPARE((*states)[3].id, two.id);
    QCOMPARE(*countPictures(*m_library, {"", one.model, false}), int64_t{2}); // the name is kept, too
}

void LibraryTest::aPictureThatIsFoundLeavesTheTrash() {
    const PictureRecord one = picture(1);
    const PictureRecord again = picture(2); // its file, taken up a second time, of which one was enough
    QVERIFY(addPictures(*m_library, {one, again}));
    QVERIFY(setTrashed(*m_library, {again.id}, true));
    QVERIFY(movePictures(*m_library, {{one.id, again.path}}));
    QCOMPARE(*countPictures(*m_library, {}), int64_t{1});
    QVERIFY(trashedPictures(*m_library)->empty()); // whose files go
}

void LibraryTest::saysHowItHasAFile() {
    PictureRecord one = picture(1);
    const PictureRecord two = picture(2);
    QVERIFY(addPictures(*m_library, {one, two}));
    QVERIFY(setFavourite(*m_library, {one.id}, true));
    QVERIFY(setTrashed(*m_library, {two.id}, true));
    const auto states = pictureStates(*m_library, {two.path, "/none.png", one.path});
    QVERIFY(states);
    QVERIFY(*states == (std::vector<PictureState>{
                           {two.id, false, true, two.model}, {}, {one.id, true, false, one.model}}));
}

void LibraryTest::rebuildsRunsFromTheirFolders() {
    TrainConfig config;
    config.model = "/models/sketch";
    config.steps = 80;
    config.data.instancePrompt = "a photo of ohwx toy";
    const std::string runs = m_folder->filePath("runs").toStdString();
    const auto run = RunFolder::create(runs + "/robot toy", config);
    QVERIFY2(run, run ? "" : run.error().text().c_str());
    {
        auto journal = JournalWriter::open(run->journalFile());
        (*journal)->emit(StepEvent{80, 1, 0.1, 1e-4, 0.1, 1.0, {}, {}, {}, {}});
        (*journal)->emit(OutcomeEvent{"done", {}, {}, 0, "", ""});
    }
    QVERIFY(QDir().mkpath(m_folder->filePath("runs/no run")));
    QCOMPARE(*rebuildRuns(*m_library, runs), 1);
    QCOMPARE(*rebuildRuns(*m_library, runs), 0);
    const auto loaded = loadRuns(*m_library);
    QCOMPARE(loaded->size(), size_t{1});
    QCOMPARE(loaded->front().title, std::string("robot toy"));
    QCOMPARE(loaded->front().state, std::string("done"));
    QCOMPARE(loaded->front().stepsDone, int64_t{80});
}

void LibraryTest::noticesRunsThatEndedWhileNobodyLooked_data() {
    QTest::addColumn<QString>("known");
    QTest::addColumn<QString>("outcome"); // none: the power went; "begun": before it learned
    QTest::addColumn<QString>("state");
    QTest::newRow("done") << "running"
                          << "done"
                          << "done";
    QTest::newRow("waited, then done") << "waiting"
                                       << "done"
                                       << "done";
    QTest::newRow("cancelled") << "running"
                               << "cancelled"
                               << "cancelled";
    QTest::newRow("failed") << "running"
                            << "failed"
                            << "failed";
    QTest::newRow("power went") << "running"
                                << ""
                                << "failed";
    QTest::newRow("power went before it learned") << "waiting"
                                                  << "begun"
                                                  << "failed";
    QTest::newRow("went on after its end") << "cancelled"
                                           << "done"
                                           << "done";
}

void LibraryTest::noticesRunsThatEndedWhileNobodyLooked() {
    QFETCH(QString, known);
    QFETCH(QString, outcome);
    TrainConfig config;
    config.steps = 80;
    const std::string runs = m_folder->filePath("runs").toStdString();
    const auto run = RunFolder::create(runs + "/run", config);
    QVERIFY2(run, run ? "" : run.error().text().c_str());
    RunRecord before{7, run->path(), "robot toy", "p", "m", known.toStdString(), 80, 3, 5, 0, {1, 2}};
    if (known == "cancelled") before.endedMs = nowMs() - 60'000;
    QVERIFY(saveRun(*m_library, before));
    {
        auto journal = JournalWriter::open(run->journalFile());
        if (outcome == "begun")
            (*journal)->emit(StateEvent{"loading", "", 0, 0});
        else
            (*journal)->emit(StepEvent{80, 1, 0.1, 1e-4, 0.1, 1.0, {}, {}, {}, {}});
        if (!outcome.isEmpty() && outcome != "begun")
            (*journal)->emit(OutcomeEvent{outcome.toStdString(), {}, {}, 0, "", ""});
    }
    QCOMPARE(*rebuildRuns(*m_library, runs), 1);
    QCOMPARE(*rebuildRuns(*m_library, runs), 0);
    const auto loaded = loadRuns(*m_library);
    QCOMPARE(loaded->size(), size_t{1});
    const RunRecord& now = loaded->front();
    QTEST(QString::fromStdString(now.state), "state");
    QCOMPARE(now.stepsDone, int64_t{outcome == "begun" ? 0 : 80});
    QVERIFY(qAbs(now.endedMs - nowMs()) < 10'000);
    QCOMPARE(now.id, before.id);
    QCOMPARE(now.title, before.title);
    QCOMPARE(now.subjects, before.subjects);
}

void LibraryTest::keepsTitleAndKeyOfAKnownRun() {
    RunRecord run{7, "/runs/a", "robot toy", "p", "m", "running", 80, 3, 5, 0, {1, 2}};
    QVERIFY(saveRun(*m_library, run));
    RunRecord later = run;
    later.id = 8;
    later.title = "other";
    later.state = "done";
    later.stepsDone = 80;
    QVERIFY(saveRun(*m_library, later));
    const auto loaded = loadRuns(*m_library);
    QCOMPARE(loaded->size(), size_t{1});
    QCOMPARE(loaded->front().id, int64_t{7});
    QCOMPARE(loaded->front().title, std::string("robot toy"));
    QCOMPARE(loaded->front().state, std::string("done"));
    QCOMPARE(loaded->front().subjects, (std::vector<int64_t>{1, 2}));
    QVERIFY(removeRun(*m_library, "/runs/a"));
    QVERIFY(loadRuns(*m_library)->empty());
}

void LibraryTest::rebuildsTitleAndSubjectsFromWhatARunNotes() {
    const std::string runs = m_folder->filePath("noted").toStdString();
    const auto run = RunFolder::create(runs + "/robot toy 2", TrainConfig());
    QVERIFY2(run, run ? "" : run.error().text().c_str());
    RunRecord notes;
    notes.title = "the robot, with \"quotes\"";
    notes.subjects = {41, 1234567890123};
    QVERIFY(run->addFacts(runNotes(notes)));
    QCOMPARE(*rebuildRuns(*m_library, runs), 1);
    const auto loaded = loadRuns(*m_library);
    QCOMPARE(loaded->size(), size_t{1});
    QCOMPARE(loaded->front().title, notes.title);
    QVERIFY(loaded->front().subjects == notes.subjects);
    // So the filter by subject finds its pictures again.
    PictureRecord made = picture(1);
    made.modelPath = run->path() + "/result/model";
    QVERIFY(addPictures(*m_library, {made, picture(2)}));
    PictureFilter filter;
    filter.subject = 41;
    QCOMPARE(*countPictures(*m_library, filter), int64_t{1});
    QVERIFY(renameRun(*m_library, run->path(), "another"));
    QCOMPARE(loadRuns(*m_library)->front().title, std::string("another"));
    QVERIFY(setRunModel(*m_library, run->path(), "/models/moved"));
    QCOMPARE(loadRuns(*m_library)->front().model, std::string("/models/moved"));
}

void LibraryTest::enforcesForeignKeysAndWritesAllOrNothing() {
    Subject subject = robot();
    QVERIFY(saveSubject(*m_library, subject, 0));
    const Subject before = loadSubjects(*m_library)->front();
    subject.name = "changed";
    subject.photos.push_back(subject.photos.front()); // the same key twice
    QVERIFY(!saveSubject(*m_library, subject, 0));
    QVERIFY(loadSubjects(*m_library)->front() == before);
}

void LibraryTest::findsPicturesOfASubject() {
    RunRecord run;
    run.id = newRecordId();
    run.folder = "/runs/robot toy";
    run.subjects = {7};
    QVERIFY(saveRun(*m_library, run));
    PictureRecord learned = picture(1);
    learned.modelPath = "/runs/robot toy/result/model";
    PictureRecord alike = picture(2);
    alike.modelPath = "/runs/robot toy 2/result/model";
    PictureRecord named = picture(3);
    named.prompt = "a photo of o_wx toy";
    QVERIFY(addPictures(*m_library, {learned, alike, named}));
    PictureFilter filter;
    filter.subject = 7;
    QCOMPARE(findPictures(*m_library, filter, 0, 10)->size(), size_t{1});
    filter.subjectWords = "o_wx toy";
    QCOMPARE(*countPictures(*m_library, filter), int64_t{2});
    filter.subject = 8;
    QCOMPARE(*countPictures(*m_library, filter), int64_t{1});
}

void LibraryTest::findsPicturesThatOthersBeganFromByName() {
    constexpr int kMany = 500;
    for (int number = 0; number < kMany; ++number)
        QVERIFY(noteStart(*m_library, "/pictures/" + std::to_string(number) + "/start.png"));
    QVERIFY(noteStart(*m_library, "/pictures/other.png"));
    QVERIFY(noteStart(*m_library, "/pictures/0/start.png")); // again, so it is the latest
    const auto found = findStarts(*m_library, "start.png");
    QCOMPARE(found->size(), size_t{kMany}); // however long ago
    QCOMPARE(found->front(), std::string("/pictures/0/start.png"));
    QCOMPARE((*found)[1], std::string("/pictures/499/start.png"));
    QVERIFY(findStarts(*m_library, "tart.png")->empty());
}

void LibraryTest::keepsTheQueueInItsOrder() {
    const std::vector<QueuedRequest> queue{{5, "pictures", "sketch", "{}", 1},
                                           {3, "pictures", "robot", "{}", 2}};
    QVERIFY(saveQueue(*m_library, queue));
    QVERIFY(*loadQueue(*m_library) == queue);
    QVERIFY(saveQueue(*m_library, {queue[1], queue[0]}));
    QVERIFY(loadQueue(*m_library)->front() == queue[1]);
    QVERIFY(saveQueue(*m_library, {}));
    QVERIFY(loadQueue(*m_library)->empty());
}

void LibraryTest::aModelThatIsTakenUpAgainKeepsWhatTheUserSaidOfIt() {
    ModelRecord model{1, "file", "/models/a.safetensors", "model", "", "", 5};
    QVERIFY(takeUpModel(*m_library, model));
    QVERIFY(loadModels(*m_library)->front() == model);
    model.name = "my own name";
    model.note = "only for me";
    QVERIFY(saveModel(*m_library, model));
    QVERIFY(takeUpModel(*m_library, {2, "file", model.path, "lora", "ab", "", 9}));
    model.kind = "lora";
    model.sha256 = "ab";
    QCOMPARE(loadModels(*m_library)->size(), size_t{1});
    QVERIFY(loadModels(*m_library)->front() == model);
}

QTEST_APPLESS_MAIN(LibraryTest)
#include "tst_library.moc"
