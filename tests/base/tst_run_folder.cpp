// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files/atomic_file.h"
#include "core/base/files/made_folders.h"
#include "core/base/files/plain_path.h"
#include "core/base/run/checkpoints/checkpoint.h"
#include "core/base/run/journal/journal.h"
#include "core/base/run/run_folder.h"

#include <QtTest>

#include <array>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#undef emit // a keyword of Qt, an ordinary name here

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

TrainConfig someConfig() {
    TrainConfig config;
    config.model = "/models/a";
    config.data.instanceDir = "/photos";
    config.data.instancePrompt = "a photo of sks dog";
    return config;
}

std::string contentOf(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

/// A whole checkpoint with weights and optimizer states.
void makeCheckpoint(const std::string& path, int64_t step, bool rolling = false) {
    auto folder = AtomicFolder::create(path);
    QVERIFY(folder.ok());
    writeText(folder->partialPath() + "/unet.safetensors", "weights of " + std::to_string(step));
    writeText(folder->partialPath() + "/optimizer-unet.safetensors", std::string(100, 'o'));
    ManifestOptions options;
    options.step = step;
    options.configHash = "c0ffee";
    options.rolling = rolling;
    QVERIFY(writeManifest(folder->partialPath(), options).ok());
    QVERIFY(folder->commit().ok());
}

} // namespace

class tst_run_folder : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_run;

    RunFolder newRun() const { return *RunFolder::create(m_run, someConfig()); }

private slots:
    void init() {
        m_run = m_folder.filePath("a run").toStdString();
        fs::remove_all(m_run);
    }

    void aNewRunHoldsItsConfiguration() {
        const RunFolder run = newRun();
        const auto opened = RunFolder::open(m_run + "/");
        QVERIFY(opened.ok());
        const auto config = opened->config();
        QVERIFY(config.ok());
        QCOMPARE(config->data.instancePrompt, std::string("a photo of sks dog"));
        QCOMPARE(config->output.runDir, run.path());
        QVERIFY(run.checkpointDir(400).ends_with("/checkpoints/step-000400"));
    }

    void factsThatAreNumbersAreSuchInTheFile() {
        const RunFolder run = newRun();
        const std::map<std::string, std::string> facts{
            {"finishedSteps", "400"}, {"threads", "2"},  {"processes", "1"},   {kHeldOutFact, "some"},
            {"subjects", "3 12"},     {"title", "2024"}, {"modelSha256", "12"}};
        QVERIFY(run.addFacts(facts).ok());
        const QJsonObject written =
            QJsonDocument::fromJson(QByteArray::fromStdString(contentOf(run.runFile())))["facts"].toObject();
        for (const char* number : {"finishedSteps", "threads", "processes"})
            QVERIFY2(written[number].isDouble(), number);
        for (const char* text : {"title", "modelSha256", kHeldOutFact})
            QVERIFY2(written[text].isString(), text);
        QCOMPARE(written["subjects"].toArray(), (QJsonArray{3, 12}));
        QVERIFY(*run.facts() == facts);
        std::string before = contentOf(run.runFile()); // of an earlier version: texts
        before.replace(before.find(": 400"), 5, ": \"400\"");
        writeText(run.runFile(), before);
        QVERIFY(*RunFolder::open(m_run)->facts() == facts);
    }

    /// As the file system has it: the folder above is that of what the link leads to.
    void aLinkOnTheWayIsFollowed() {
        const std::string root = m_folder.filePath("ways").toStdString();
        fs::create_directories(root + "/far/there");
        fs::create_directories(root + "/near");
        fs::create_directory_symlink("../far/there", root + "/near/link");
        const auto made = RunFolder::create(root + "/near/link/../run", someConfig());
        QVERIFY(made.ok());
        QVERIFY(fs::exists(root + "/far/run/run.json") && !fs::exists(root + "/near/run"));
        QCOMPARE(RunFolder::open(root + "/near/link/../run")->path(), made->path());
        QCOMPARE(RunFolder::open(root + "/near/../far/run/.")->path(), root + "/far/run");
        const auto folders = MadeFolders::make(root + "/near/link/../parents/own");
        QVERIFY(folders.ok() && fs::is_directory(root + "/far/parents/own"));
        fs::remove_all(root);
    }

    void pathsLoseTheirDetours_data() {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QString>("plain");
        QTest::newRow("none") << "/a/b"
                              << "/a/b";
        QTest::newRow("dots") << "/a/./b/../c"
                              << "/a/c";
        QTest::newRow("above the root") << "/../../a"
                                        << "/a";
        QTest::newRow("closing slash") << "/a/b/"
                                       << "/a/b/";
        QTest::newRow("relative") << "a/../b"
                                  << "b";
        QTest::newRow("out of here") << "../../b"
                                     << "../../b";
        QTest::newRow("here") << "a/.."
                              << ".";
        QTest::newRow("nothing") << ""
                                 << "";
    }
    void pathsLoseTheirDetours() {
        QFETCH(QString, given);
        QFETCH(QString, plain);
        QCOMPARE(plainPath(given.toStdString()).string(), plain.toStdString());
    }

    void aLinkThatLeadsNowhereKeepsItsDetour() {
        const std::string link = m_folder.filePath("nowhere").toStdString();
        fs::create_symlink("is/not/there", link);
        QCOMPARE(plainPath(link + "/../a").string(), link + "/../a");
        fs::remove(link);
    }

    void aFileThatADiskLostIsPutBack() {
        const RunFolder run = newRun();
        const std::string whole = contentOf(run.runFile());
        const auto age = [&run] {
            fs::last_write_time(run.runFile(), fs::file_time_type::clock::now() - std::chrono::minutes(5));
        };
        const std::string zeros(whole.size(), '\0');
        for (const std::string& left : {std::string(), whole.substr(0, 300), zeros}) {
            writeText(run.runFile(), left); // just now, as by an editor: it is not touched, and the copy read
            const auto opened = RunFolder::open(m_run);
            QVERIFY(opened.ok() && opened->config().ok() && opened->facts().ok());
            QCOMPARE(contentOf(run.runFile()), left);
            age();
            QVERIFY(RunFolder::open(m_run).ok());
            QCOMPARE(contentOf(run.runFile()), whole);
        }
        QCOMPARE(contentOf(m_run + "/.run-damaged.json"), zeros);
        std::string edited = whole; // with a mistake: the last brace is missing
        edited.replace(edited.find("\"v\": 1"), 6, "\"v\":  1");
        edited.resize(edited.find_last_of('}'));
        for (const std::string& own : {std::string("{\n\"v\": 1,\n\"config\":\n}\n"), edited}) {
            writeText(run.runFile(), own);
            age();
            QVERIFY(!RunFolder::open(m_run)->config().ok());
            QCOMPARE(contentOf(run.runFile()), own);
        }
        fs::remove(m_run + "/.run-copy.json"); // as of earlier versions
        // Whole, in one line: nothing was cut off, but a setting is wrong.
        writeText(run.runFile(), "{\"v\":1,\"config\":{\"steps\":\"many\"}}");
        const auto wrong = RunFolder::open(m_run)->config();
        QVERIFY(!wrong.ok() && wrong.error().message.find("many") != std::string::npos);
        QVERIFY2(wrong.error().message.find("cut off") == std::string::npos, wrong.error().message.c_str());
        writeText(run.runFile(), "");
        const auto config = RunFolder::open(m_run)->config();
        QVERIFY(!config.ok());
        QVERIFY(config.error().message.find("backup") != std::string::npos);
    }

    void aDiskThatIsGoneIsSaidOnce() {
        const RunFolder run = newRun();
        const std::string said = m_folder.filePath("said").toStdString();
        const int shown = ::dup(STDERR_FILENO);
        const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ::dup2(file, STDERR_FILENO);
        {
            const auto writer = JournalWriter::open(run.journalFile());
            const int gone =
                ::open(run.journalFile().c_str(), O_RDONLY | O_CLOEXEC); // not to be written or cut
            std::error_code ignored;
            for (int number = gone - 1; number > STDERR_FILENO; --number)
                if (fs::equivalent("/proc/self/fd/" + std::to_string(number), run.journalFile(), ignored))
                    ::dup2(gone, number);
            for (int step = 0; step < 5; ++step) (*writer)->emit(StepEvent{});
            ::close(gone);
        }
        ::dup2(shown, STDERR_FILENO);
        ::close(shown);
        ::close(file);
        QCOMPARE(QByteArray::fromStdString(contentOf(said)).count("could not be cut"), 1);
    }

    void aFolderInUseIsRefusedAndKept() {
        newRun();
        const std::string before = contentOf(m_run + "/run.json");
        QVERIFY(!RunFolder::create(m_run, someConfig()).ok());
        QCOMPARE(contentOf(m_run + "/run.json"), before);
        fs::remove_all(m_run);
        fs::create_directories(m_run);
        writeText(m_run + "/thesis.txt", "precious");
        QVERIFY(!RunFolder::create(m_run, someConfig()).ok());
        QVERIFY(!fs::exists(m_run + "/run.json"));
        fs::remove(m_run + "/thesis.txt");
        QVERIFY(RunFolder::create(m_run, someConfig()).ok()); // an empty folder will do
    }

    void placesThatCannotBeWrittenAreErrors() {
        QVERIFY(!RunFolder::create("", someConfig()).ok());
        QVERIFY(!RunFolder::create("/proc/run", someConfig()).ok());
        writeText(m_run, "a file");
        QVERIFY(!RunFolder::create(m_run, someConfig()).ok());
        QVERIFY(!RunFolder::create(m_run + "/below", someConfig()).ok());
        QCOMPARE(contentOf(m_run), std::string("a file"));
    }

    void damagedRunFilesAreErrors_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("half") << QByteArray("{\"config\":{\"ste");
        QTest::newRow("no config") << QByteArray("{\"v\":1}");
        QTest::newRow("deep") << QByteArray("{\"config\":{},\"x\":" + QByteArray(50000, '[') +
                                            QByteArray(50000, ']') + "}");
        QTest::newRow("huge") << QByteArray(1 << 20, ' ');
    }
    void damagedRunFilesAreErrors() {
        QFETCH(QByteArray, text);
        const RunFolder run = newRun();
        writeText(run.runFile(), text.toStdString());
        QVERIFY(!run.addFacts({{"a", "b"}}).ok());
        QCOMPARE(contentOf(run.runFile()), text.toStdString());
    }

    void factsAreKeptBesideTheConfiguration() {
        const RunFolder run = newRun();
        QVERIFY(run.addFacts({{"modelSha256", "ab"}}).ok());
        QVERIFY(run.addFacts({{"datasetSha256", "cd"}}).ok());
        TrainConfig config = *run.config();
        config.steps = 999;
        QVERIFY(run.setConfig(config).ok());
        QCOMPARE(run.facts()->size(), size_t{2});
        QCOMPARE(run.facts()->at("modelSha256"), std::string("ab"));
        QCOMPARE(run.config()->steps, int64_t{999});
    }

    void versionsAreOfWhoWorkedOnItLast() {
        const RunFolder run = newRun();
        QCOMPARE(run.versions()->size(), size_t{1}); // before any worker
        QVERIFY(!run.versions()->at("homebooth").empty());
        const std::map<std::string, std::string> worker{{"homebooth", "9"}, {"libtorch", "2"}};
        QVERIFY(run.addFacts({{"modelSha256", "ab"}}).ok());
        QVERIFY(run.setVersions({{"homebooth", "8"}, {"cuda", "13.0"}}).ok());
        QVERIFY(run.setVersions(worker).ok());
        fs::create_hard_link(run.runFile(), m_run + "/as it is");
        QVERIFY(run.setVersions(worker).ok());
        QVERIFY(run.addFacts({{"modelSha256", "ab"}}).ok());
        QVERIFY(fs::equivalent(run.runFile(), m_run + "/as it is")); // a full disk would refuse another file
        QCOMPARE(*run.versions(), worker);
        QCOMPARE(run.facts()->at("modelSha256"), std::string("ab"));
        QVERIFY(run.config().ok());
    }

    /// As earlier versions wrote them, or other programs changed them.
    void missingVersionsAreNone_data() {
        QTest::addColumn<QByteArray>("versions");
        QTest::newRow("none") << QByteArray();
        QTest::newRow("null") << QByteArray("\"versions\":null,");
        QTest::newRow("a list") << QByteArray("\"versions\":[],");
        QTest::newRow("numbers") << QByteArray("\"versions\":{\"libtorch\":2},");
    }
    void missingVersionsAreNone() {
        QFETCH(QByteArray, versions);
        const RunFolder run = newRun();
        std::string text = contentOf(run.runFile());
        const size_t begin = text.find("\"versions\"");
        const size_t end = text.find("\"config\"");
        QVERIFY(begin != std::string::npos && end != std::string::npos && begin < end);
        text.replace(begin, end - begin, versions.toStdString());
        writeText(run.runFile(), text);
        const auto found = run.versions();
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().c_str());
        QVERIFY(found->empty());
        QVERIFY(run.config().ok());
        QVERIFY(run.setVersions({{"libtorch", "2"}}).ok());
        QCOMPARE(run.versions()->at("libtorch"), std::string("2"));
    }

    void everySingleFlippedByteOfACheckpointIsFound() {
        const RunFolder run = newRun();
        const std::string path = run.checkpointDir(7);
        makeCheckpoint(path, 7);
        QCOMPARE(verifyCheckpoint(path)->step, int64_t{7});
        const std::string file = path + "/unet.safetensors";
        const std::string whole = contentOf(file);
        for (size_t index = 0; index < whole.size(); ++index) {
            std::string changed = whole;
            changed[index] = static_cast<char>(changed[index] ^ 1);
            writeText(file, changed);
            QVERIFY(!verifyCheckpoint(path).ok());
        }
        writeText(file, whole);
        QVERIFY(verifyCheckpoint(path).ok());
    }

    void everyCutOfAManifestIsFound() {
        const RunFolder run = newRun();
        const std::string path = run.checkpointDir(7);
        makeCheckpoint(path, 7);
        const std::string manifest = path + "/" + kManifestName;
        const std::string whole = contentOf(manifest);
        for (size_t length = 0; length + 2 < whole.size(); ++length) {
            writeText(manifest, whole.substr(0, length));
            QVERIFY(!verifyCheckpoint(path).ok());
        }
    }

    /// Of a value, or of a name; those of earlier versions have nothing to be compared with.
    void everyChangeOfAManifestIsFound() {
        const std::string path = newRun().checkpointDir(7);
        makeCheckpoint(path, 7);
        const std::string manifest = path + "/" + kManifestName;
        const std::string whole = contentOf(manifest);
        const auto changed = [&](const std::string& from, const char* to) {
            std::string text = whole;
            const size_t place = text.find(from);
            if (place == std::string::npos) return false;
            writeText(manifest, text.replace(place, from.size(), to));
            return true;
        };
        const std::array<std::array<const char*, 2>, 6> changes{
            {{"\"step\": 7", "\"step\": 8"},
             {"\"v\": 1", "\"v\": 9"},
             {"c0ffee", "c0ffef"},
             {"configHash", "configHush"},
             {"Pruned\": false", "Pruned\": true"},
             {"\"optimizer\": true", "\"optimizer\": false"}}};
        for (const auto& [from, to] : changes) {
            QVERIFY2(changed(from, to), from);
            QVERIFY2(!verifyCheckpoint(path).ok(), from);
        }
        QVERIFY(changed("manifestSha256", "earlier"));
        QVERIFY(verifyCheckpoint(path).ok());
    }

    void hostileManifestsAreErrors_data() {
        QTest::addColumn<QByteArray>("files");
        const QByteArray hash(64, 'a');
        QTest::newRow("outside") << QByteArray("[{\"path\":\"../run.json\",\"bytes\":1,\"sha256\":\"" + hash +
                                               "\"}]");
        QTest::newRow("absolute") << QByteArray("[{\"path\":\"/etc/passwd\",\"bytes\":1,\"sha256\":\"" +
                                                hash + "\"}]");
        QTest::newRow("negative") << QByteArray("[{\"path\":\"a\",\"bytes\":-1,\"sha256\":\"" + hash +
                                                "\"}]");
        QTest::newRow("short hash") << QByteArray("[{\"path\":\"a\",\"bytes\":1,\"sha256\":\"aa\"}]");
        QTest::newRow("no list") << QByteArray("3");
        QTest::newRow("no object") << QByteArray("[3]");
    }
    void hostileManifestsAreErrors() {
        QFETCH(QByteArray, files);
        const std::string path = m_folder.filePath("hostile").toStdString();
        fs::create_directories(path);
        writeText(path + "/" + kManifestName,
                  "{\"v\":1,\"format\":1,\"step\":1,\"files\":" + files.toStdString() + "}");
        QVERIFY(!readManifest(path).ok());
        writeText(path + "/" + kManifestName, "{\"v\":1,\"format\":2,\"step\":1,\"files\":[]}");
        QVERIFY(!readManifest(path).ok());
    }

    void theNewestWholeCheckpointIsFound() {
        const RunFolder run = newRun();
        QVERIFY(!newestValidCheckpoint(run.checkpointsDir()).ok());
        for (const int64_t step : {200, 400, 1000000}) makeCheckpoint(run.checkpointDir(step), step);
        fs::create_directories(run.checkpointsDir() + "/.step-000900.partial-abcdef");
        QCOMPARE(newestValidCheckpoint(run.checkpointsDir())->manifest.step, int64_t{1000000});
        fs::remove(run.checkpointDir(1000000) + "/unet.safetensors");
        const auto valid = newestValidCheckpoint(run.checkpointsDir());
        QCOMPARE(valid->manifest.step, int64_t{400});
        QCOMPARE(valid->rejected.size(), size_t{1});
        QVERIFY(valid->rejected.front().find("unet.safetensors is missing") != std::string::npos);
    }

    void checkpointsThatAreAllDamagedAreNamedWithWhatCanBeDone() {
        const RunFolder run = newRun();
        QVERIFY(newestValidCheckpoint(run.checkpointsDir()).error().message.find("found none") !=
                std::string::npos);
        for (const int64_t step : {200, 400, 600}) makeCheckpoint(run.checkpointDir(step), step);
        fs::remove(run.checkpointDir(200) + "/unet.safetensors");
        writeText(run.checkpointDir(400) + "/unet.safetensors", "w");
        writeText(run.checkpointDir(600) + "/" + kManifestName, "{");
        for (const VerifyDepth depth : {VerifyDepth::Sizes, VerifyDepth::Hashes}) {
            const auto none = newestValidCheckpoint(run.checkpointsDir(), depth);
            QVERIFY(!none.ok());
            for (const char* words :
                 {"3 damaged", "step-000200: the checkpoint is damaged: unet.safetensors is missing",
                  "step-000400: the checkpoint is damaged: unet.safetensors has 1 bytes instead of",
                  "step-000600/manifest.json: the manifest is damaged", "copy of one of them back",
                  "begin again with another --output"})
                QVERIFY2(none.error().message.find(words) != std::string::npos, none.error().message.c_str());
        }
        makeCheckpoint(run.checkpointDir(100), 100);
        QCOMPARE(newestValidCheckpoint(run.checkpointsDir(), VerifyDepth::Sizes)->manifest.step,
                 int64_t{100});
    }

    void pruningKeepsAtLeastTwoAndNothingWhenTheNewestIsDamaged() {
        const RunFolder run = newRun();
        for (int64_t step = 100; step <= 500; step += 100) makeCheckpoint(run.checkpointDir(step), step);
        writeText(run.checkpointDir(500) + "/unet.safetensors", "weights of 5O0");
        QVERIFY(!pruneCheckpoints(run.checkpointsDir(), 500, 2).ok());
        QCOMPARE(listCheckpoints(run.checkpointsDir()).size(), size_t{5});
        writeText(run.checkpointDir(500) + "/unet.safetensors", "weights of 500");
        const auto removed = pruneCheckpoints(run.checkpointsDir(), 500, 0, true);
        QVERIFY(removed.ok());
        QCOMPARE(removed->size(), size_t{3});
        const auto left = listCheckpoints(run.checkpointsDir());
        QCOMPARE(left.size(), size_t{2});
        QVERIFY(verifyCheckpoint(left[0].path)->hasOptimizer());
        const auto older = verifyCheckpoint(left[1].path);
        QVERIFY(older.ok());
        QVERIFY(!older->hasOptimizer());
        QVERIFY(older->optimizerPruned);
        QVERIFY(!fs::exists(left[1].path + "/optimizer-unet.safetensors"));
    }

    void favouritesStayAndLoseTheirStatesOnceOthersAreNewer() {
        const RunFolder run = newRun();
        for (int64_t step = 100; step <= 500; step += 100) makeCheckpoint(run.checkpointDir(step), step);
        const auto isChosen = [&run](int64_t step) { return isFavourite(run.checkpointDir(step)); };
        for (const int64_t step : {200, 300, 500})
            QVERIFY(setFavourite(run.checkpointDir(step), true).ok() && isChosen(step));
        QVERIFY(setFavourite(run.checkpointDir(300), false).ok() && !isChosen(300));
        QVERIFY(setFavourite(run.checkpointDir(300), false).ok()); // as it is
        QVERIFY(!setFavourite(run.checkpointDir(600), true).ok() && !isChosen(600));
        const auto removed = pruneCheckpoints(run.checkpointsDir(), 500, 2);
        QVERIFY(removed.ok());
        QCOMPARE(*removed, (std::vector<std::string>{run.checkpointDir(300), run.checkpointDir(100)}));
        QVERIFY(isChosen(200) && isChosen(500));
        QVERIFY(!verifyCheckpoint(run.checkpointDir(200))->hasOptimizer());
        for (const int64_t step : {400, 500})
            QVERIFY(verifyCheckpoint(run.checkpointDir(step))->hasOptimizer());
        QVERIFY(setFavourite(run.checkpointDir(200), false).ok());
        QCOMPARE(pruneCheckpoints(run.checkpointsDir(), 500, 2)->size(), size_t{1});
        QVERIFY(!fs::exists(run.checkpointDir(200)));
    }

    void whatTheClockSavedGoesWithTheNextAndDrivesNothingOut() {
        const RunFolder run = newRun();
        const auto steps = [&run] {
            std::vector<int64_t> found;
            for (const CheckpointEntry& entry : listCheckpoints(run.checkpointsDir()))
                found.push_back(entry.step);
            return found;
        };
        const auto written = [&](int64_t step, bool rolling) {
            makeCheckpoint(run.checkpointDir(step), step, rolling);
            QVERIFY(pruneCheckpoints(run.checkpointsDir(), step, 2).ok());
        };
        for (const int64_t step : {100, 200}) written(step, false);
        written(210, true);
        QCOMPARE(steps(), (std::vector<int64_t>{210, 200, 100}));
        QCOMPARE(newestValidCheckpoint(run.checkpointsDir())->manifest.step, int64_t{210});
        written(220, true);
        QCOMPARE(steps(), (std::vector<int64_t>{220, 200, 100}));
        QVERIFY(pruneOptimizerState(run.checkpointDir(220)).ok());
        QVERIFY(isRolling(run.checkpointDir(220))); // whatever is written into its manifest
        QVERIFY(!isRolling(run.checkpointDir(200)));
        written(300, false);
        QCOMPARE(steps(), (std::vector<int64_t>{300, 200}));
        written(310, true);
        QVERIFY(makeCounted(run.checkpointDir(310)).ok());
        QVERIFY(verifyCheckpoint(run.checkpointDir(310)).ok());
        written(400, false);
        QCOMPARE(steps(), (std::vector<int64_t>{400, 310}));
    }

    void whatTheClockSavedGivesWayWhereSomethingThatCountsIsThere() {
        const RunFolder run = newRun();
        const std::string folder = run.checkpointsDir();
        makeCheckpoint(run.checkpointDir(210), 210, /*rolling=*/true);
        QVERIFY(!*dropRolling(folder, 300, 0)); // the only one
        makeCheckpoint(run.checkpointDir(200), 200);
        QVERIFY(!*dropRolling(folder, 210, 0));                // the one that is to be written
        QVERIFY(!*dropRolling(folder, 300, int64_t{1} << 40)); // in vain
        QCOMPARE(listCheckpoints(folder).size(), size_t{2});
        QVERIFY(*dropRolling(folder, 300, 1));
        QCOMPARE(listCheckpoints(folder).size(), size_t{1});
        QCOMPARE(listCheckpoints(folder).front().step, int64_t{200});
        QVERIFY(!*dropRolling(folder, 300, 0)); // none is left
        QVERIFY(verifyCheckpoint(run.checkpointDir(200)).ok());
    }

    void pruningGoesOnWhereItWasCutOff() {
        const RunFolder run = newRun();
        makeCheckpoint(run.checkpointDir(100), 100);
        const std::string states = run.checkpointDir(100) + "/optimizer-unet.safetensors";
        QVERIFY(fs::exists(states));
        QVERIFY(pruneOptimizerState(run.checkpointDir(100)).ok());
        QVERIFY(!fs::exists(states));
        writeText(states, "moments"); // as after a power cut: the manifest was stored, the removal was not
        QVERIFY(pruneOptimizerState(run.checkpointDir(100)).ok());
        QVERIFY(!fs::exists(states));
        QVERIFY(verifyCheckpoint(run.checkpointDir(100)).ok());
    }

    void aDamagedCheckpointOfALaterStepStopsNobody() {
        const RunFolder run = newRun();
        for (const int64_t step : {1, 2, 3, 4, 6}) makeCheckpoint(run.checkpointDir(step), step);
        writeText(run.checkpointDir(6) + "/unet.safetensors", "weights of G");
        const auto removed = pruneCheckpoints(run.checkpointsDir(), 4, 2); // the run fell back and wrote 4
        QVERIFY2(removed.ok(), removed.ok() ? "" : removed.error().text().c_str());
        QCOMPARE(removed->size(), size_t{2});
        QCOMPARE(listCheckpoints(run.checkpointsDir()).front().step, int64_t{6});
        QVERIFY(!pruneCheckpoints(run.checkpointsDir(), 5, 2).ok()); // nobody wrote that one
    }

    void linksInACheckpointAreRefused() {
        const std::string path = m_folder.filePath("links").toStdString();
        fs::create_directories(path);
        fs::create_symlink("/etc/passwd", path + "/weights");
        QVERIFY(!writeManifest(path, {}).ok());
    }

    void pruningFollowsNoLinkOutOfACheckpoint() {
        const RunFolder run = newRun();
        const std::string path = run.checkpointDir(10);
        const std::string elsewhere = m_folder.filePath("elsewhere").toStdString();
        fs::create_directories(elsewhere);
        fs::create_directories(path);
        writeText(elsewhere + "/x", "x");
        fs::create_directory_symlink(elsewhere, path + "/optimizer");
        writeText(path + "/unet.safetensors", "w");
        const QByteArray manifest =
            R"({"v":1,"format":1,"step":10,"files":[{"path":"optimizer/x","bytes":1,"optimizer":true,"sha256":"HASH"},
                {"path":"unet.safetensors","bytes":1,"optimizer":true,"sha256":"HASH"}]})";
        writeText(path + "/" + kManifestName,
                  QByteArray(manifest).replace("HASH", QByteArray(64, 'a')).toStdString());
        const auto verified = verifyCheckpoint(path, VerifyDepth::Sizes);
        QVERIFY(!verified.ok());
        QVERIFY(verified.error().message.find("optimizer/x is missing") != std::string::npos);
        QVERIFY(!pruneOptimizerState(path).ok());
        QCOMPARE(contentOf(elsewhere + "/x"), std::string("x"));
        QVERIFY(fs::exists(path + "/unet.safetensors")); // whatever is said of them: weights are no states
    }

    void checkpointsBehindALinkArePruned() {
        const RunFolder run = newRun();
        const std::string elsewhere = m_folder.filePath("another disk").toStdString();
        fs::rename(run.checkpointsDir(), elsewhere);
        fs::create_directory_symlink(elsewhere, run.checkpointsDir());
        makeCheckpoint(run.checkpointDir(100), 100);
        QVERIFY(verifyCheckpoint(run.checkpointDir(100)).ok());
        QVERIFY(pruneOptimizerState(run.checkpointDir(100)).ok());
        QVERIFY(!fs::exists(elsewhere + "/step-000100/optimizer-unet.safetensors"));
    }

    void aFullDiskLeavesTheOldRunFile() {
        const RunFolder run = newRun();
        const std::string before = contentOf(run.runFile());
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        for (rlim_t bytes = 0; bytes < before.size(); bytes += 97) {
            const rlimit small{bytes, limit.rlim_max};
            ::setrlimit(RLIMIT_FSIZE, &small);
            const auto written = run.addFacts({{"key", "value"}});
            const auto created = RunFolder::create(m_run + "-second", someConfig());
            ::setrlimit(RLIMIT_FSIZE, &limit);
            QVERIFY(!written.ok());
            QCOMPARE(written.error().code, ErrorCode::OutOfResources);
            QVERIFY(!created.ok());
            QVERIFY(!fs::exists(m_run + "-second"));
        }
        QCOMPARE(contentOf(run.runFile()), before);
    }
};

QTEST_APPLESS_MAIN(tst_run_folder)
#include "tst_run_folder.moc"
