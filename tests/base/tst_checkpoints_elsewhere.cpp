// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/journal/journal.h"

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

void makeCheckpoint(const std::string& path, int64_t step, bool rolling = false) {
    auto folder = AtomicFolder::create(path);
    QVERIFY(folder.ok());
    fs::create_directory(folder->partialPath() + "/unet");
    writeText(folder->partialPath() + "/unet/part.safetensors", "weights of " + std::to_string(step));
    writeText(folder->partialPath() + "/optimizer-unet.safetensors", std::string(100, 'o'));
    ManifestOptions options;
    options.step = step;
    options.rolling = rolling;
    QVERIFY(writeManifest(folder->partialPath(), options).ok());
    QVERIFY(folder->commit().ok());
}

/// As the journal of a run says it.
void tellSaved(const RunFolder& run, int64_t step) {
    const auto journal = JournalWriter::open(run.journalFile());
    QVERIFY(journal.ok());
    (*journal)->emit(CheckpointEvent{step, run.checkpointDir(step)});
}

std::vector<int64_t> stepsIn(const std::string& folder) {
    std::vector<int64_t> steps;
    for (const CheckpointEntry& entry : listCheckpoints(folder)) steps.push_back(entry.step);
    return steps;
}

} // namespace

class tst_checkpoints_elsewhere : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string m_disk; // another one

    RunFolder newRun(std::initializer_list<int64_t> steps) const {
        TrainConfig config;
        config.model = "/models/a";
        config.data.instanceDir = "/photos";
        config.data.instancePrompt = "a photo of sks dog";
        const RunFolder run = *RunFolder::create(m_folder->filePath("robot").toStdString(), config);
        for (const int64_t step : steps) makeCheckpoint(run.checkpointDir(step), step);
        return run;
    }

    /// A folder of another drive.
    std::string newFolder(const char* name) const {
        const std::string path = m_folder->filePath(name).toStdString();
        fs::create_directory(path);
        return path;
    }

    /// Of a run whose drive is away and that was moved from it: how many links were left.
    static std::ptrdiff_t linksBefore(const RunFolder& run) {
        return std::count_if(fs::directory_iterator(run.path()), fs::directory_iterator(),
                             [](const auto& entry) {
                                 return entry.path().filename().string().starts_with("checkpoints-before");
                             });
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_disk = fs::canonical(m_folder->path().toStdString()).string() + "/disk";
        fs::create_directory(m_disk);
    }

    void theNewestGoesThereAndTheRestGoes() {
        const RunFolder run = newRun({100, 200, 300});
        writeText(run.checkpointDir(300) + "/optimizer-unet.safetensors", "torn");
        QVERIFY(!checkpointsElsewhere(run.path()));
        const auto moved = moveCheckpoints(run, m_disk);
        QVERIFY2(moved.ok(), moved ? "" : moved.error().text().c_str());
        QCOMPARE(*moved, m_disk + "/robot checkpoints");
        QVERIFY(fs::is_symlink(run.checkpointsDir()));
        QCOMPARE(*checkpointsElsewhere(run.path()), *moved);
        QCOMPARE(*ownCheckpointsElsewhere(run.path()), *moved);
        QCOMPARE(stepsIn(*moved), std::vector<int64_t>{200});        // the newest whole one
        for (const auto& entry : fs::directory_iterator(run.path())) // nothing in the making
            QVERIFY2(!entry.path().filename().string().starts_with(".") || entry.path() == run.copyFile(),
                     entry.path().c_str());
    }

    void favouritesGoAlong() {
        const RunFolder run = newRun({100, 200, 300, 400});
        for (const int64_t step : {100, 300}) QVERIFY(setFavourite(run.checkpointDir(step), true).ok());
        writeText(run.checkpointDir(300) + "/optimizer-unet.safetensors", "torn"); // no help
        const std::string first = *moveCheckpoints(run, m_disk);
        QCOMPARE(stepsIn(first), (std::vector<int64_t>{400, 100}));
        // A move that was cut before its link was there left the same.
        fs::rename(first, m_disk + "/kept");
        fs::create_directory(m_disk + "/more");
        fs::copy(m_disk + "/kept", m_disk + "/more/robot checkpoints", fs::copy_options::recursive);
        fs::rename(m_disk + "/kept", first);
        const auto second = moveCheckpoints(run, m_disk + "/more");
        QVERIFY2(second.ok(), second ? "" : second.error().text().c_str());
        QCOMPARE(*second, m_disk + "/more/robot checkpoints");
        QCOMPARE(stepsIn(*second), (std::vector<int64_t>{400, 100}));
        QVERIFY(isFavourite(*second + "/step-000100") && !isFavourite(*second + "/step-000400"));
        QVERIFY(!fs::exists(first));
    }

    void allElseGoesThroughTheLink() {
        const RunFolder run = newRun({100});
        QVERIFY(moveCheckpoints(run, m_disk).ok());
        for (const int64_t step : {200, 300}) makeCheckpoint(run.checkpointDir(step), step);
        QCOMPARE(stepsIn(m_disk + "/robot checkpoints"), (std::vector<int64_t>{300, 200, 100}));
        QVERIFY(pruneCheckpoints(run.checkpointsDir(), 300, 2).ok());
        QCOMPARE(stepsIn(run.checkpointsDir()), (std::vector<int64_t>{300, 200}));
        QCOMPARE(newestValidCheckpoint(run.checkpointsDir())->manifest.step, int64_t{300});
        fs::create_directory(run.checkpointsDir() + "/.step-000400.partial-abcdef");
        QVERIFY(ownCheckpointsElsewhere(run.path())); // what was never finished is no other's
        QCOMPARE(*removePartials(run.checkpointsDir()), 1);
    }

    void aSecondMoveLeavesNothingBehind() {
        const RunFolder run = newRun({100});
        fs::create_directory(m_disk + "/more");
        const std::string first = *moveCheckpoints(run, m_disk);
        const auto second = moveCheckpoints(run, m_disk + "/more");
        QVERIFY(second.ok());
        QVERIFY(!fs::exists(first));
        QCOMPARE(stepsIn(*second), std::vector<int64_t>{100});
        fs::create_directory(m_disk + "/robot checkpoints"); // another run's
        const auto third = moveCheckpoints(run, m_disk);
        QCOMPARE(*third, m_disk + "/robot checkpoints 2");
        QCOMPARE(*ownCheckpointsElsewhere(run.path()), *third);
    }

    void theResultGoesAlong() {
        const RunFolder run = newRun({100});
        fs::create_directories(run.resultDir() + "/model");
        writeText(run.resultDir() + "/model/weights.bin", "learned");
        const std::string first = *moveCheckpoints(run, m_disk);
        QCOMPARE(resultPlace(run), run.path() + "/checkpoints/result");
        QVERIFY(fs::exists(first + "/result/model/weights.bin"));
        QCOMPARE(*ownCheckpointsElsewhere(run.path()), first); // it goes with the run
        const std::string second = *moveCheckpoints(run, newFolder("other"));
        QVERIFY(!fs::exists(first));
        QVERIFY(fs::equivalent(run.resultDir(), second + "/result"));
        QVERIFY(fs::exists(run.resultDir() + "/model/weights.bin"));

        const RunFolder other = *RunFolder::create(m_folder->filePath("toy").toStdString(), *run.config());
        QVERIFY(moveCheckpoints(other, m_disk).ok());
        QVERIFY(!fs::exists(other.resultDir())); // and is made there
        QVERIFY(fs::create_directory(resultPlace(other)));
        QVERIFY(fs::exists(m_disk + "/toy checkpoints/result"));
    }

    void whatTheClockSavedCountsThere() {
        const RunFolder run = newRun({100});
        makeCheckpoint(run.checkpointDir(150), 150, /*rolling=*/true);
        QVERIFY(moveCheckpoints(run, m_disk).ok());
        QCOMPARE(stepsIn(run.checkpointsDir()), std::vector<int64_t>{150});
        QVERIFY(!isRolling(run.checkpointDir(150)));
        QVERIFY(verifyCheckpoint(run.checkpointDir(150)).ok());
        makeCheckpoint(run.checkpointDir(200), 200);
        QVERIFY(pruneCheckpoints(run.checkpointsDir(), 200, 2).ok());
        QCOMPARE(stepsIn(run.checkpointsDir()), (std::vector<int64_t>{200, 150}));
    }

    void whatATryLeftThatWasCutGoes_data() {
        QTest::addColumn<bool>("rolling"); // where it was copied from
        QTest::newRow("of one that counts") << false;
        QTest::newRow("of what the clock saved") << true;
    }
    void whatATryLeftThatWasCutGoes() {
        QFETCH(bool, rolling);
        const RunFolder run = newRun({});
        makeCheckpoint(run.checkpointDir(100), 100, rolling);
        const std::string left = m_disk + "/robot checkpoints"; // committed, and no link leads there
        fs::create_directory(left);
        QVERIFY(setOwner(left, run.path()).ok());
        fs::copy(run.checkpointDir(100), left + "/step-000100", fs::copy_options::recursive);
        QVERIFY(makeCounted(left + "/step-000100").ok());
        fs::create_symlink(left, run.path() + "/" + kLinkInTheMaking);
        QCOMPARE(*moveCheckpoints(run, m_disk), left);
        QCOMPARE(std::distance(fs::directory_iterator(m_disk), fs::directory_iterator()), std::ptrdiff_t{1});
        QCOMPARE(linksBefore(run), std::ptrdiff_t{0});
        QVERIFY(!isLink(run.path() + "/" + kLinkInTheMaking));
    }

    void whatIsNoneOfTheirsStays_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<QString>("owner");
        QTest::newRow("another step") << 50 << "robot";
        QTest::newRow("another run") << 100 << "disk";
    }
    void whatIsNoneOfTheirsStays() {
        QFETCH(int, step);
        QFETCH(QString, owner);
        const RunFolder run = newRun({100});
        const std::string left = m_disk + "/robot checkpoints";
        fs::create_directory(left);
        QVERIFY(setOwner(left, m_folder->filePath(owner).toStdString()).ok());
        makeCheckpoint(left + "/step-" + std::to_string(step), step);
        QCOMPARE(*moveCheckpoints(run, m_disk), m_disk + "/robot checkpoints 2");
        QCOMPARE(stepsIn(left), std::vector<int64_t>{step});
    }

    /// The power went between the exchange of the links and the name of the old one.
    void whatIsAwayStaysKnownBehindAMoveThatWasCut_data() {
        QTest::addColumn<bool>("again");
        QTest::newRow("at once") << false;
        QTest::newRow("behind one more move") << true;
    }
    void whatIsAwayStaysKnownBehindAMoveThatWasCut() {
        QFETCH(bool, again);
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        fs::rename(m_disk, m_disk + " away");
        QVERIFY(moveCheckpoints(run, newFolder("other")).ok());
        fs::rename(run.path() + "/checkpoints-before", run.path() + "/" + kLinkInTheMaking);
        if (again) QVERIFY(moveCheckpoints(run, newFolder("third"), /*emptyIsAway=*/false).ok());
        const auto there = expectSavedThere(run);
        QVERIFY(!there.ok());
        QVERIFY2(there.error().text().find(first) != std::string::npos, there.error().text().c_str());
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), first);
        QCOMPARE(stepsIn(run.checkpointsDir()), std::vector<int64_t>{100});
    }

    void aRunWithoutAnyMovesTheirPlace() {
        const RunFolder run = newRun({});
        QVERIFY(moveCheckpoints(run, m_disk).ok());
        makeCheckpoint(run.checkpointDir(5), 5);
        QCOMPARE(stepsIn(m_disk + "/robot checkpoints"), std::vector<int64_t>{5});
    }

    void whatCannotBeMovedStaysWhereItIs_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("none") << "disk/missing";
        QTest::newRow("file") << "disk/file";
        QTest::newRow("the run") << "robot";
        QTest::newRow("within it") << "robot/samples";
        QTest::newRow("by a link") << "disk/link";
    }
    void whatCannotBeMovedStaysWhereItIs() {
        QFETCH(QString, folder);
        const RunFolder run = newRun({100});
        writeText(m_disk + "/file", "");
        fs::create_symlink(run.path(), m_disk + "/link");
        const auto moved = moveCheckpoints(run, m_folder->filePath(folder).toStdString());
        QVERIFY(!moved.ok());
        QVERIFY(moved.error().message.find("choose another one") != std::string::npos);
        QVERIFY(!fs::is_symlink(run.checkpointsDir()));
        QCOMPARE(stepsIn(run.checkpointsDir()), std::vector<int64_t>{100});
        QVERIFY(!fs::exists(m_disk + "/robot checkpoints"));
    }

    void onlyCheckpointsGoWithTheRun() {
        const RunFolder run = newRun({100});
        const std::string place = *moveCheckpoints(run, m_disk);
        writeText(place + "/holiday.jpg", "somebody's");
        QVERIFY(!ownCheckpointsElsewhere(run.path()));
        fs::remove(place + "/holiday.jpg");
        QVERIFY(ownCheckpointsElsewhere(run.path()));
        fs::rename(place, m_disk + "/mine"); // a link that somebody made
        fs::remove(run.checkpointsDir());
        fs::create_symlink(m_disk + "/mine", run.checkpointsDir());
        QVERIFY(checkpointsElsewhere(run.path()));
        QVERIFY(!ownCheckpointsElsewhere(run.path()));
        QVERIFY(moveCheckpoints(run, m_disk).ok());
        QVERIFY(fs::is_empty(m_disk + "/mine")); // its checkpoints go, the folder stays
    }

    void aDriveThatIsAwayIsToldOf() {
        const RunFolder run = newRun({100});
        QVERIFY(expectCheckpointsThere(run).ok());
        const std::string place = *moveCheckpoints(run, m_disk);
        QVERIFY(expectCheckpointsThere(run).ok());
        fs::rename(m_disk, m_disk + " away");
        const auto there = expectCheckpointsThere(run);
        QVERIFY(!there.ok());
        QVERIFY(there.error().text().find(place) != std::string::npos);
        QVERIFY(!expectSavedThere(run).ok());
    }

    /// What a drive that is not mounted leaves.
    void anEmptyFolderIsNoneWhereSomethingWasSaved() {
        const RunFolder run = newRun({100});
        const std::string place = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        QCOMPARE(lastSavedStep(run), int64_t{100});
        QVERIFY(expectSavedThere(run).ok());
        fs::rename(place, m_disk + "/away");
        fs::create_directory(place);
        QVERIFY(expectCheckpointsThere(run).ok());
        const auto there = expectSavedThere(run);
        QVERIFY(!there.ok());
        for (const std::string& words : {std::string("connect the drive that they lie on"), place})
            QVERIFY2(there.error().text().find(words) != std::string::npos, there.error().text().c_str());
        QVERIFY(expectSavedThere(run, 0).ok()); // nothing was saved there yet
        QCOMPARE(*lossInWords(run), std::string("the run's checkpoints are out of reach"));
    }

    void whoEmptiesTheFolderWhileTheRunWorksWantedTheRoom() {
        const RunFolder run = newRun({100});
        QVERIFY(!savedElsewhere(run));
        const std::string place = *moveCheckpoints(run, m_disk);
        const auto savedIn = savedElsewhere(run);
        QVERIFY(savedIn);
        QCOMPARE(savedIn->folder, place);
        fs::remove_all(place + "/step-000100");
        QVERIFY(expectSavedThere(run, 100, savedIn).ok());
        auto unmounted = savedIn; // what is there now is the mount point, on the file system above
        ++unmounted->device;
        const auto there = expectSavedThere(run, 100, unmounted);
        QVERIFY(!there.ok());
        QCOMPARE(causeOf(3, there.error().text()), FailureCause::DriveMissing);
        unmounted->folder += " 2";
        QVERIFY(expectSavedThere(run, 100, unmounted).ok()); // none was saved in this one yet
        fs::remove_all(place);
        QVERIFY(!expectSavedThere(run, 100, savedIn).ok()); // nothing may take the place of the link
    }

    void aRunWithoutADriveIsNotToldToConnectOne() {
        const RunFolder run = newRun({});
        QVERIFY(!lossInWords(run));
        tellSaved(run, 100);
        for (const bool folder : {true, false}) {
            if (!folder) fs::remove_all(run.checkpointsDir());
            const auto there = expectSavedThere(run);
            QVERIFY(!there.ok());
            const std::string text = there.error().text();
            QCOMPARE(causeOf(3, text), FailureCause::BadInput);
            QVERIFY2(text.find("drive") == std::string::npos, text.c_str());
            for (const char* words : {"of step 100", "put them back", "another --output"})
                QVERIFY2(text.find(words) != std::string::npos, text.c_str());
            QCOMPARE(*lossInWords(run), std::string("no checkpoint is there any more"));
        }
    }

    void aRunThatHasSavedNothingMayBegin() {
        const RunFolder run = newRun({});
        QCOMPARE(lastSavedStep(run), int64_t{0});
        QVERIFY(expectSavedThere(run).ok());
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QVERIFY(!fs::is_symlink(run.checkpointsDir()));
    }

    void whatIsAwayStaysKnownBehindAMove() {
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        const std::string other = newFolder("other");
        fs::rename(m_disk, m_disk + " away");
        const std::string second = *moveCheckpoints(run, other); // and ended before anything was saved there
        QCOMPARE(*checkpointsElsewhere(run.path()), second);
        const auto there = expectSavedThere(run);
        QVERIFY(!there.ok());
        for (const std::string& place : {first, second})
            QVERIFY2(there.error().text().find(place) != std::string::npos, there.error().text().c_str());
        QVERIFY(ownCheckpointsBefore(run.path()).empty());
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), second);
        fs::rename(m_disk + " away", m_disk);
        QCOMPARE(ownCheckpointsBefore(run.path()), std::vector<std::string>{first});
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), first);
        QCOMPARE(stepsIn(run.checkpointsDir()), std::vector<int64_t>{100});
        QVERIFY(!fs::exists(second));
        QCOMPARE(linksBefore(run), std::ptrdiff_t{0});
        QVERIFY(expectSavedThere(run).ok());
    }

    void whatIsAwayStaysKnownBehindTwoMoves_data() {
        QTest::addColumn<bool>("emptyIsAway");
        QTest::addColumn<bool>("secondIsGone");
        QTest::newRow("nothing is missed in the second") << false << false;
        QTest::newRow("nobody knows") << true << false;
        QTest::newRow("the second is away, too") << false << true;
    }
    void whatIsAwayStaysKnownBehindTwoMoves() {
        QFETCH(bool, emptyIsAway);
        QFETCH(bool, secondIsGone);
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        fs::rename(m_disk, m_disk + " away");
        const std::string other = newFolder("other");
        const std::string second = *moveCheckpoints(run, other);
        if (secondIsGone) fs::rename(other, other + " away");
        const std::string third = *moveCheckpoints(run, newFolder("third"), emptyIsAway);
        QCOMPARE(*checkpointsElsewhere(run.path()), third);
        QCOMPARE(fs::exists(second), emptyIsAway);
        const auto there = expectSavedThere(run);
        QVERIFY(!there.ok());
        QVERIFY2(there.error().text().find(first) != std::string::npos, there.error().text().c_str());
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), first);
        for (const std::string& gone : {second, third}) QVERIFY2(!fs::exists(gone), gone.c_str());
        QCOMPARE(linksBefore(run), std::ptrdiff_t{secondIsGone ? 1 : 0}); // nobody knows what lies there
        QVERIFY(expectSavedThere(run).ok());
    }

    void aResultThatWasMadeMeanwhileGoesBackWithIt_data() {
        QTest::addColumn<bool>("earlier");
        QTest::newRow("the first one") << false;
        QTest::newRow("behind an earlier one") << true;
    }
    void aResultThatWasMadeMeanwhileGoesBackWithIt() {
        QFETCH(bool, earlier);
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        if (earlier) fs::create_directory(resultPlace(run));
        fs::rename(m_disk, m_disk + " away");
        const std::string second = *moveCheckpoints(run, newFolder("other"));
        fs::create_directory(resultPlace(run));
        writeText(run.resultDir() + "/lora.safetensors", "learned");
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), first);
        QVERIFY(fs::exists(first + "/result/lora.safetensors"));
        QVERIFY(fs::exists(run.resultDir() + "/lora.safetensors"));
        QVERIFY(!fs::exists(second));
        QCOMPARE(*ownCheckpointsElsewhere(run.path()), first); // nothing else lies there
    }

    /// The power went between the links of the checkpoints and of the result.
    void aResultFollowsBehindAMoveThatWasCut() {
        const RunFolder run = newRun({100});
        fs::create_directory(run.resultDir());
        const std::string place = *moveCheckpoints(run, m_disk);
        fs::remove(run.resultDir());
        fs::create_directory(run.resultDir());
        const auto copied = fs::last_write_time(place + "/result");
        fs::last_write_time(run.resultDir(), copied + std::chrono::seconds(9)); // one that was made since
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QVERIFY(!fs::is_symlink(run.resultDir()));
        fs::last_write_time(run.resultDir(), copied);
        fs::rename(run.resultDir(), run.resultDir() + ".old"); // an exchange in two steps
        fs::create_symlink("checkpoints/result", run.path() + "/.result.partial-linked");
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QVERIFY(fs::is_symlink(run.resultDir()));
        QVERIFY(fs::equivalent(run.resultDir(), place + "/result"));
    }

    void theNewestThatIsBackIsGoneBackTo() {
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        fs::rename(m_disk, m_disk + " away");
        const std::string other = newFolder("other");
        const std::string second = *moveCheckpoints(run, other);
        makeCheckpoint(run.checkpointDir(200), 200);
        tellSaved(run, 200);
        fs::rename(other, other + " away");
        QVERIFY(moveCheckpoints(run, newFolder("third")).ok());
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QVERIFY(*checkpointsElsewhere(run.path()) != first); // that is older than what was saved
        fs::rename(other + " away", other);
        QCOMPARE(ownCheckpointsBefore(run.path()), (std::vector<std::string>{first, second}));
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), second);
        QCOMPARE(ownCheckpointsBefore(run.path()), std::vector<std::string>{first}); // goes with the run
    }

    void whatIsBackIsGoneBackToWithoutTheSecondDrive() {
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        fs::rename(m_disk, m_disk + " away");
        const std::string other = newFolder("other");
        const std::string second = *moveCheckpoints(run, other);
        fs::rename(other, other + " away");
        const auto there = expectSavedThere(run);
        QVERIFY(!there.ok());
        for (const std::string& place : {first, second})
            QVERIFY2(there.error().text().find(place) != std::string::npos, there.error().text().c_str());
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(*checkpointsElsewhere(run.path()), first);
        QVERIFY(expectSavedThere(run).ok());
        fs::rename(other + " away", other);
        QCOMPARE(ownCheckpointsBefore(run.path()), std::vector<std::string>{second}); // goes with the run
    }

    void whatWasSavedSinceCountsMore() {
        const RunFolder run = newRun({100});
        const std::string first = *moveCheckpoints(run, m_disk);
        tellSaved(run, 100);
        const std::string other = newFolder("other");
        fs::rename(m_disk, m_disk + " away");
        const std::string second = *moveCheckpoints(run, other);
        makeCheckpoint(run.checkpointDir(200), 200);
        tellSaved(run, 200);
        fs::rename(m_disk + " away", m_disk);
        QVERIFY(returnToCheckpointsBefore(run).ok());
        QCOMPARE(stepsIn(run.checkpointsDir()), std::vector<int64_t>{200});
        fs::rename(second, other + "/away");
        for (const bool folder : {false, true}) { // which an unmounted drive leaves, or not
            if (folder) fs::create_directory(second);
            QVERIFY(returnToCheckpointsBefore(run).ok());
            QCOMPARE(*checkpointsElsewhere(run.path()), second);
            QVERIFY(!expectSavedThere(run).ok());
        }
        QCOMPARE(stepsIn(first), std::vector<int64_t>{100}); // nobody has touched it
    }
};

QTEST_APPLESS_MAIN(tst_checkpoints_elsewhere)
#include "tst_checkpoints_elsewhere.moc"
