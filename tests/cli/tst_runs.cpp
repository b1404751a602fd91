// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What it takes to begin a run and to go on with one.
#include "core/base/files/atomic_file.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/failure_cause.h"
#include "core/base/run/middle_of_run.h"
#include "core/base/run/queue/job_queue.h"
#include "core/base/system/disk_facts.h"
#include "tests/cli/supervised.h"

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
using namespace homebooth::test;

class tst_runs : public Supervised {
    Q_OBJECT

    /// Where a million checkpoints find no room, however much this machine has.
    Finished runOnASmallDisk(const QStringList& arguments, const QString& how) const {
        return kPreloads ? runWith(HOMEBOOTH_SMALL_DISK, arguments, how) : run(arguments, how);
    }

    /// Whether that says something here.
    bool hasASmallDisk() const {
        constexpr double kLeastOfAMillion = 9e11; // bytes
        const auto disk = diskFacts(m_folder.path().toStdString());
        return kPreloads || (disk && static_cast<double>(disk->freeBytes) < kLeastOfAMillion);
    }

private slots:
    void initTestCase() { makePrograms(); }
    void init() { beginAgain(); }

    void aRunWhoseLockIsRefusedLeavesNothing() {
        if (!kPreloads) QSKIP("a library that is loaded ahead does not go with the sanitizers");
        const Finished ended = runWith(HOMEBOOTH_REFUSED_LOCKS, trainArguments(), "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("lock the run") != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QVERIFY(!QFile::exists(m_run));
    }

    void defaultsThatWereDamagedSinceDoNotHinderARunThatHasItsSettings() {
        const std::string model = m_folder.filePath("model").toStdString();
        fs::remove_all(model);
        fs::copy(HOMEBOOTH_FIXTURES_DIR "/tiny-sd1", model, fs::copy_options::recursive);
        QStringList arguments = trainArguments();
        arguments[arguments.indexOf("--model") + 1] = QString::fromStdString(model);
        QCOMPARE(run(arguments, "done").code, 0);
        std::ofstream(model + "/training_defaults.json") << "damaged";
        const Finished resumed = run({"resume", m_run, "--device", "cpu"}, "done");
        QVERIFY2(resumed.code == 0, resumed.err.c_str());
        arguments.last() = m_run + "2";
        QCOMPARE(run(arguments, "done").code, 3);
    }

    void badInputBeforeTheFirstStepLeavesNothing() {
        const Finished ended = run(trainArguments(), "badinput");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("third photo") != std::string::npos, ended.err.c_str());
        QVERIFY(!QFile::exists(m_run));
        QCOMPARE(run(trainArguments(), "alone").code, 1); // of several processes: all start anew
        QVERIFY(!QFile::exists(m_run));
        QCOMPARE(run(trainArguments(), "unmet").code, 1); // all had come: the folder tells why
        QVERIFY(QFile::exists(m_run));
    }

    void foldersMadeForAFailedOutputGo() {
        m_run = m_folder.filePath("new/deep/run");
        QCOMPARE(run(trainArguments(), "badinput").code, 3);
        QVERIFY(!QFile::exists(m_folder.filePath("new")));
        const QString pictures = m_folder.filePath("new/pictures");
        const QStringList sample{"sample",   "--model",  HOMEBOOTH_FIXTURES_DIR "/tiny-sd1",
                                 "--device", "cpu",      "--prompt",
                                 "x",        "--output", pictures};
        const Finished ended = run(sample, "");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("third photo") != std::string::npos, ended.err.c_str());
        QVERIFY(!QFile::exists(m_folder.filePath("new")));
        QVERIFY(QDir().mkpath(pictures));
        QCOMPARE(run(sample, "").code, 3);
        QVERIFY(QFile::exists(pictures)); // it was there before
        fs::remove_all(m_folder.filePath("new").toStdString());
    }

    void missingPhotosAreFoundBeforeAnythingIsMade() {
        QVERIFY(QFile::remove(photos() + "/good.png"));
        const Finished ended = run(trainArguments(), "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("found none") != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QVERIFY(!QFile::exists(m_run));
        makePhotos();
        QVERIFY(QDir().mkpath(photos() + "/10_sks dog"));
        QVERIFY(QFile::rename(photos() + "/good.png", photos() + "/10_sks dog/good.png"));
        const Finished below = run(trainArguments(), "done");
        QVERIFY2(contains(below.err, "1 picture in 10_sks dog"), below.err.c_str());
    }

    void brokenPicturesAreNamedAndMayBeLeftOut() {
        const std::string folder = photos().toStdString();
        std::ofstream(folder + "/empty.jpg");
        std::ofstream(folder + "/text.PNG") << "words";
        std::ofstream(folder + "/head.png") << "\x89PNG\r\n\x1a\n";
        std::ofstream(folder + "/good.txt") << "a caption";
        std::ofstream(folder + "/notes.pdf") << "%PDF-1.4";
        fs::create_symlink("loop.webp", folder + "/loop.webp");
        const Finished refused = run(trainArguments(), "done");
        QCOMPARE(refused.code, 3);
        for (const char* words : {"empty.jpg (an empty file)", "text.PNG (", "head.png (",
                                  "loop.webp (a link that leads to itself)", "--skip-broken-images"})
            QVERIFY2(refused.err.find(words) != std::string::npos, refused.err.c_str());
        QVERIFY(refused.err.find("notes.pdf") == std::string::npos);
        QVERIFY(!workerStarted());
        QVERIFY(!QFile::exists(m_run));

        const Finished without = run(trainArguments() + QStringList{"--skip-broken-images"}, "done");
        QVERIFY2(without.code == 0, without.err.c_str());
        const std::string journal = readAll(m_run.toStdString() + "/events.jsonl");
        for (const char* words : {"left out empty.jpg", "left out text.PNG", "left out notes.pdf"}) {
            QVERIFY2(without.out.find(words) != std::string::npos, without.out.c_str());
            QVERIFY(journal.find(words) != std::string::npos);
        }
        QVERIFY(without.out.find("good.txt") == std::string::npos);
        const std::string listed = readAll(m_run.toStdString() + "/left_out.txt");
        for (const char* words : {"empty.jpg: an empty file\n", "text.PNG: ", "notes.pdf: "})
            QVERIFY2(listed.find(words) != std::string::npos, listed.c_str());
        const auto lines = static_cast<size_t>(std::count(listed.begin(), listed.end(), '\n'));
        const std::string said = "left out: " + std::to_string(lines) + " files, listed in ";
        QVERIFY2(without.out.find(said) != std::string::npos, without.out.c_str());
    }

    void captionsOfPhotosWithoutThePromptsWordsAreTold() {
        const auto trained = [this](const char* caption, const QStringList& further) {
            std::ofstream(photos().toStdString() + "/good.txt") << caption;
            fs::remove_all(m_run.toStdString());
            return run(trainArguments() + further, "done");
        };
        const Finished without = trained("X, on grass", {}); // the prompt's usual words are not its subject's
        QVERIFY2(without.code == 0, without.err.c_str());
        QVERIFY2(!contains(without.out, "captions of their own"), without.out.c_str());
        const Finished told = trained("\xEF\xBB\xBF"
                                      "a brown dog on grass",
                                      {});
        QVERIFY2(told.code == 0, told.err.c_str());
        for (const char* words : {"1 of 1 photos", "the word \"x\" of", "none of the photos"})
            QVERIFY2(contains(told.out, words), told.out.c_str());
        QVERIFY(contains(readAll(m_run.toStdString() + "/events.jsonl"), "\"code\":\"own-captions\""));
        const Finished resumed = run({"resume", m_run, "--device", "cpu"}, "done");
        QVERIFY2(!contains(resumed.out, "captions of their own"), resumed.out.c_str());
        const Finished named = trained("a brown dog on grass", {"--class-prompt", "an x"});
        QVERIFY2(named.code == 0, named.err.c_str());
        QVERIFY2(!contains(named.out, "captions of their own"), named.out.c_str());
    }

    void previewsThatFindNoRoomAreToldBeforeTheRunAndRefuseNothing() {
        const QStringList previews{"--preview-every", "5", "--gpu-memory"};
        const Finished roomy = run(trainArguments() + previews + QStringList{"4GiB"}, "done");
        QVERIFY2(roomy.code == 0, roomy.err.c_str());
        QVERIFY2(!contains(roomy.out, "previews:"), roomy.out.c_str());
        m_run += "-tight";
        const Finished tight = run(trainArguments() + previews + QStringList{"64KiB"}, "done");
        QVERIFY2(tight.code == 0, tight.err.c_str());
        QVERIFY2(contains(tight.out, "will probably not be made"), tight.out.c_str());
        const std::string journal = readAll(m_run.toStdString() + "/events.jsonl");
        QVERIFY2(contains(journal, "\"code\":\"previews-lack-memory\""), journal.c_str());
        QVERIFY(journal.find("\"code\":\"previews-lack-memory\"") < journal.find("\"type\":\"step\""));
    }

    void shardsStandForPictures() {
        const std::string folder = photos().toStdString();
        QStringList arguments = trainArguments().filter(QRegularExpression("^(?!a photo of x$|--prompt$)"));
        arguments[arguments.indexOf("--instance")] = "--dataset";
        fs::create_directory(folder + "/b");
        std::ofstream(folder + "/b/0.tar") << "its damage is for the worker to find";
        const Finished beside = run(arguments, "done");
        QVERIFY2(beside.code == 0, beside.err.c_str());
        std::ofstream(folder + "/a.tar") << "another one";
        m_run += "2";
        arguments.last() = m_run;
        const Finished together = run(arguments, "done");
        QVERIFY2(together.out.find("left out a.tar: shards are read") != std::string::npos,
                 together.out.c_str());
        fs::remove(folder + "/good.png");
        m_run += "3";
        arguments.last() = m_run;
        const Finished alone = run(arguments, "done");
        QVERIFY2(alone.code == 0, alone.err.c_str());
        QVERIFY2(alone.out.find("left out") == std::string::npos, alone.out.c_str());
        fs::remove_all(folder + "/b");
        fs::remove(folder + "/a.tar");
        QVERIFY(run(arguments, "done").err.find("or .tar shards in it or in folders in it, found none") !=
                std::string::npos);
        QVERIFY(run({"train", "--help"}, "").out.find(".tar shards") != std::string::npos);
    }

    void anotherRunsFolderIsNotTakenFromItsFile() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const QString first = m_run + "/run.json";
        const std::string before = readAll(first.toStdString());
        const Finished unnamed = run({"train", "--config", first, "--device", "cpu"}, "done");
        QVERIFY2(unnamed.err.find("--output") != std::string::npos, unnamed.err.c_str());
        QVERIFY(unnamed.err.find("already holds a run") == std::string::npos);
        const QString second = m_folder.filePath("second");
        QCOMPARE(run({"train", "--config", first, "--device", "cpu", "--output", second}, "done").code, 0);
        QCOMPARE(RunFolder::open(second.toStdString())->config()->steps, int64_t{10});
        QCOMPARE(readAll(first.toStdString()), before);
        fs::remove_all(second.toStdString());
    }

    void aFolderThatHoldsARunIsRefused() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const std::string before = readAll(m_run.toStdString() + "/run.json");
        const Finished again = run(trainArguments(), "done");
        QCOMPARE(again.code, 3);
        QVERIFY2(again.err.find("resume") != std::string::npos, again.err.c_str());
        QCOMPARE(readAll(m_run.toStdString() + "/run.json"), before);
    }

    void resumeTakesMoreSteps() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QCOMPARE(run({"resume", m_run, "--steps", "25", "--device", "cpu"}, "done").code, 0);
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->steps, int64_t{25});
    }

    void aRunThatWasMovedGoesOnWithItsOwnPhotos_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("resume") << QStringList{"resume", "RUN", "--device", "cpu"};
        QTest::newRow("queue") << QStringList{"supervise", "RUN", "--no-queue"};
    }
    void aRunThatWasMovedGoesOnWithItsOwnPhotos() {
        QFETCH(QStringList, words);
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const std::string before = m_run.toStdString();
        fs::rename(photos().toStdString(), before + "/photos"); // where the window puts them
        const auto folder = RunFolder::open(before);
        TrainConfig config = *folder->config();
        config.data.instanceDir = before + "/photos";
        QVERIFY(folder->setConfig(config).ok());
        m_run += " renamed";
        fs::remove_all(m_run.toStdString());
        fs::rename(before, m_run.toStdString());
        words[1] = m_run;
        const Finished ended = run(words, "done");
        QVERIFY2(ended.code == 0, ended.err.c_str());
        QCOMPARE(history().steps.size(), size_t{2});
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->data.instanceDir,
                 m_run.toStdString() + "/photos");
    }

    void aRunThatALinkLeadsToKeepsItsPaths() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const QString link = m_folder.filePath("link");
        fs::create_directory_symlink(m_run.toStdString(), link.toStdString());
        const std::string before = readAll(m_run.toStdString() + "/run.json");
        QCOMPARE(run({"resume", link, "--device", "cpu"}, "done").code, 0);
        QCOMPARE(readAll(m_run.toStdString() + "/run.json"), before);
    }

    void settingsOfAnAttemptThatNeverBeganAreTakenBack() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QCOMPARE(run({"resume", m_run, "--steps", "25", "--device", "cpu"}, "badinput").code, 3);
        QCOMPARE(RunFolder::open(m_run.toStdString())->config()->steps, int64_t{10});
    }

    void whatIsSavedDecidesShapesAndNumbers_data() {
        const QStringList fp32{"--precision", "fp32"};
        const QStringList mastered{"--precision", "bf16", "--master", "fp32"};
        QTest::addColumn<QStringList>("first");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("words");
        QTest::newRow("method") << fp32 << QStringList{"--method", "lora"} << "--method from full to lora";
        QTest::newRow("rank") << fp32 << QStringList{"--lora-rank", "8"} << "--lora-rank from 16 to 8";
        QTest::newRow("alpha") << fp32 << QStringList{"--lora-alpha", "8"} << "--lora-alpha from 16 to 8";
        QTest::newRow("precision") << fp32 << QStringList{"--precision", "bf16"}
                                   << "--precision from fp32 to bf16";
        QTest::newRow("optimizer") << fp32 << QStringList{"--optimizer", "adafactor"}
                                   << "--optimizer from adamw to adafactor";
        QTest::newRow("text") << fp32 << QStringList{"--train-text-encoder"} << "--train-text-encoder";
        QTest::newRow("prediction") << fp32 << QStringList{"--prediction-type", "v_prediction"}
                                    << "--prediction-type from epsilon to v_prediction";
        QTest::newRow("masters") << mastered << QStringList{"--master", "none"}
                                 << "--master from fp32 to none";
    }
    void whatIsSavedDecidesShapesAndNumbers() {
        QFETCH(QStringList, first);
        QFETCH(QStringList, options);
        QFETCH(QString, words);
        QCOMPARE(run(trainArguments() + first, "done").code, 0);
        const RunFolder folder = *RunFolder::open(m_run.toStdString());
        auto checkpoint = AtomicFolder::create(folder.checkpointDir(10));
        QVERIFY(checkpoint.ok());
        std::ofstream(checkpoint->partialPath() + "/optimizer-unet.safetensors") << "states";
        QVERIFY(writeManifest(checkpoint->partialPath(), {}).ok() && checkpoint->commit().ok());
        const std::string before = readAll(folder.runFile());
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const Finished ended = run(QStringList{"resume", m_run, "--device", "cpu"} + options, "done");
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.find(words.toStdString()) != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QCOMPARE(readAll(folder.runFile()), before);
        const QStringList others{"--lr", "1e-5", "--prediction-type", "epsilon"}; // as the model has it
        const Finished went = run(QStringList{"resume", m_run, "--device", "cpu"} + others, "done");
        QVERIFY2(went.code == 0, went.err.c_str());
        QVERIFY2(contains(went.out, "goes on with other settings: ") && contains(went.out, "--lr from "),
                 went.out.c_str());
    }

    void whatIsLearnedFromStaysInTheMiddleOfARun_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QString>("words");
        QTest::newRow("size") << QStringList{"--resolution", "256"} << "--resolution from ";
        QTest::newRow("shape") << QStringList{"--framing", "buckets"} << "--framing from crop to buckets";
        QTest::newRow("caption") << QStringList{"--prompt", "a photo of sks cat"} << "--prompt from ";
    }
    void whatIsLearnedFromStaysInTheMiddleOfARun() {
        QFETCH(QStringList, options);
        QFETCH(QString, words);
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const RunFolder folder = *RunFolder::open(m_run.toStdString());
        auto checkpoint = AtomicFolder::create(folder.checkpointDir(5));
        QVERIFY(checkpoint.ok());
        std::ofstream(checkpoint->partialPath() + "/unet.safetensors") << "weights";
        ManifestOptions five;
        five.step = 5;
        QVERIFY(writeManifest(checkpoint->partialPath(), five).ok() && checkpoint->commit().ok());
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const std::string before = readAll(folder.runFile());
        const Finished ended = run(QStringList{"resume", m_run, "--device", "cpu"} + options, "done");
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.find(words.toStdString()) != std::string::npos, ended.err.c_str());
        QVERIFY(!workerStarted());
        QCOMPARE(readAll(folder.runFile()), before);
        QVERIFY(
            folder.addFacts({{kFinishedFact, "5"}}).ok()); // a result was made there: it is trained further
        QCOMPARE(run(QStringList{"resume", m_run, "--device", "cpu"} + options, "done").code, 0);
    }

    void fewerStepsThanAreDoneAreRefusedBeforeAnythingIsLoaded() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const RunFolder folder = *RunFolder::open(m_run.toStdString());
        auto checkpoint = AtomicFolder::create(folder.checkpointDir(10));
        QVERIFY(checkpoint.ok());
        std::ofstream(checkpoint->partialPath() + "/unet.safetensors") << "weights";
        ManifestOptions ten;
        ten.step = 10;
        QVERIFY(writeManifest(checkpoint->partialPath(), ten).ok() && checkpoint->commit().ok());
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const Finished ended = run({"resume", m_run, "--steps", "9", "--device", "cpu"}, "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("at least the 10 steps that this run has done, found --steps 9") !=
                     std::string::npos,
                 ended.err.c_str());
        QVERIFY(!workerStarted());
        QCOMPARE(folder.config()->steps, int64_t{10});
        QCOMPARE(run({"resume", m_run, "--steps", "10", "--device", "cpu"}, "done").code, 0);
    }

    void unknownKeysInTheRunFileAreNamed() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        const std::string file = m_run.toStdString() + "/run.json";
        std::string text = readAll(file);
        text.replace(text.find("\"batchSize\""), 11, "\"batchSzie\"");
        std::ofstream(file) << text;
        const Finished ended = run({"resume", m_run}, "done");
        QCOMPARE(ended.code, 3);
        QVERIFY2(ended.err.find("did you mean \"batchSize\"") != std::string::npos, ended.err.c_str());
    }

    void aRunWithoutRoomOnItsDiskIsRefusedBeforeItsWorker() {
        if (!hasASmallDisk()) QSKIP("the disk holds a million checkpoints");
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const auto folder = RunFolder::open(m_run.toStdString());
        TrainConfig config = *folder->config();
        config.output.keepCheckpoints = 1'000'000;
        QVERIFY(folder->setConfig(config).ok());
        const JobQueue queue(queueFolder());
        QVERIFY(queue.add(m_run.toStdString()).ok());
        QVERIFY(runOnASmallDisk({"supervise"}, "done").code >= 0);
        QVERIFY(!workerStarted());
        QCOMPARE(history().outcome->code, 4);
        QVERIFY2(causeOf(history().outcome->code, history().outcome->message) == FailureCause::DiskFull,
                 history().outcome->message.c_str());
        QStringList plan = trainArguments();
        plan[0] = "plan";
        QCOMPARE(runOnASmallDisk(plan, "done").code, 0);
        plan << "--keep"
             << "1000000";
        const Finished refused = runOnASmallDisk(plan, "done"); // the plan agrees
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.find("of disk") != std::string::npos, refused.err.c_str());
    }

    void checkpointsOnADriveThatIsAwayAreNotTakenForNone() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const std::string checkpoints = m_run.toStdString() + "/checkpoints";
        fs::remove_all(checkpoints);
        fs::create_directory_symlink(m_folder.filePath("drive/run checkpoints").toStdString(), checkpoints);
        const auto folder = RunFolder::open(m_run.toStdString());
        TrainConfig config = *folder->config();
        config.output.keepCheckpoints = 1'000'000; // the disk that is there has no room for them
        QVERIFY(folder->setConfig(config).ok());
        const Finished ended = runOnASmallDisk({"supervise", m_run, "--no-queue"}, "done");
        QCOMPARE(ended.code, 3);
        QVERIFY(!workerStarted());
        QVERIFY2(ended.err.find("connect the drive") != std::string::npos, ended.err.c_str());
        QCOMPARE(history().outcome->kept, std::string("the run's checkpoints are out of reach"));
    }

    /// A drive that is not mounted leaves the folder where it will be.
    void aRunThatHasSavedDoesNotBeginAnewInAnEmptyFolder() {
        QCOMPARE(run(trainArguments(), "done").code, 0);
        QVERIFY(QFile::remove(m_folder.filePath("pid")));
        const std::string checkpoints = m_run.toStdString() + "/checkpoints";
        const std::string drive = m_folder.filePath("mounted/run checkpoints").toStdString();
        fs::create_directories(drive);
        fs::remove_all(checkpoints);
        fs::create_directory_symlink(drive, checkpoints);
        (*JournalWriter::open(m_run.toStdString() + "/events.jsonl"))
            ->emit(CheckpointEvent{5, checkpoints + "/step-000005"});
        for (const QStringList& how : {QStringList{"supervise", m_run, "--no-queue"},
                                       QStringList{"resume", m_run, "--device", "cpu"}}) {
            const Finished ended = run(how, "done");
            QCOMPARE(ended.code, 3);
            QVERIFY(!workerStarted());
            for (const char* words : {"connect the drive", "of step 5"})
                QVERIFY2(ended.err.find(words) != std::string::npos, ended.err.c_str());
        }
        QCOMPARE(history().outcome->kept, std::string("the run's checkpoints are out of reach"));
        const Finished verified = run({"verify", m_run}, "");
        QCOMPARE(verified.code, 3);
        QVERIFY2(contains(verified.out, "connect the drive"), verified.out.c_str());
        QVERIFY(fs::is_empty(drive));
    }
};

QTEST_GUILESS_MAIN(tst_runs)
#include "tst_runs.moc"
