// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoint.h"
#include "core/base/run/checkpoints_elsewhere.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

void makeCheckpoint(const std::string& path, int64_t step) {
    auto folder = AtomicFolder::create(path);
    QVERIFY(folder.ok());
    fs::create_directory(folder->partialPath() + "/unet");
    writeText(folder->partialPath() + "/unet/part.safetensors", "weights of " + std::to_string(step));
    writeText(folder->partialPath() + "/optimizer-unet.safetensors", std::string(100, 'o'));
    ManifestOptions options;
    options.step = step;
    QVERIFY(writeManifest(folder->partialPath(), options).ok());
    QVERIFY(folder->commit().ok());
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
        QCOMPARE(stepsIn(*moved), std::vector<int64_t>{200}); // the newest whole one
        for (const auto& entry : fs::directory_iterator(run.path()))
            QVERIFY2(!entry.path().filename().string().starts_with("."), entry.path().c_str());
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
    }
};

QTEST_APPLESS_MAIN(tst_checkpoints_elsewhere)
#include "tst_checkpoints_elsewhere.moc"
