// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// A run replaces nothing in a folder that is not its own, wherever links in it lead.
#include "core/base/run/checkpoints/checkpoint_places.h"
#include "core/base/run/checkpoints/checkpoints_elsewhere.h"
#include "core/base/run/own_places.h"

#include <QtTest>

#include <filesystem>
#include <fstream>

using namespace homebooth::core;
namespace fs = std::filesystem;

class tst_own_places : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::string at(const char* name) const {
        return fs::canonical(m_folder->path().toStdString()).string() + "/" + name;
    }

    RunFolder newRun() const {
        TrainConfig config;
        config.model = "/models/a";
        config.data.instanceDir = "/photos";
        config.data.instancePrompt = "a photo of sks dog";
        return *RunFolder::create(at("robot"), config);
    }

    static void put(const std::string& path) { std::ofstream(path) << "mine"; }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void foldersOfItsOwnAreMade() {
        const RunFolder run = newRun();
        QVERIFY(expectOwnPlaces(run).ok());
        QVERIFY(makeOwnPlace(run, run.resultDir()).ok());
        QVERIFY(makeOwnPlace(run, chartsDir(run)).ok());
        QVERIFY(fs::is_directory(run.resultDir()) && fs::is_empty(run.resultDir()));
        put(run.resultDir() + "/model");
        QVERIFY(expectOwnPlaces(run).ok());
    }

    void whatOthersHaveIsRefused() {
        for (const char* name : {"result", "charts"}) {
            m_folder = std::make_unique<QTemporaryDir>();
            const RunFolder run = newRun();
            fs::create_directory(at("docs"));
            put(at("docs/precious"));
            fs::create_symlink(at("docs"), run.path() + "/" + name);
            const auto refused = expectOwnPlaces(run);
            QVERIFY(!refused.ok());
            QVERIFY2(refused.error().message.find(at("docs")) != std::string::npos,
                     refused.error().message.c_str());
            QVERIFY(!makeOwnPlace(run, run.path() + "/" + name).ok());
            QVERIFY(!fs::exists(at("docs/belongs-to.txt")));
            std::ofstream(at("docs/belongs-to.txt")) << run.path(); // as the message says
            QVERIFY(expectOwnPlaces(run).ok());
        }
    }

    void anEmptyFolderBecomesItsOwn() {
        const RunFolder run = newRun();
        fs::create_directory(at("models"));
        fs::create_symlink(at("models"), run.resultDir());
        fs::create_symlink(at("charts"), chartsDir(run)); // still to be made
        QVERIFY(makeOwnPlace(run, run.resultDir()).ok());
        QVERIFY(makeOwnPlace(run, chartsDir(run)).ok());
        for (const char* name : {"models", "charts"}) QVERIFY(isOwner(run.path(), at(name)));
        put(at("models/model"));
        QVERIFY(expectOwnPlaces(run).ok());
        fs::copy(run.path(), at("copy"), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
        QVERIFY(!expectOwnPlaces(*RunFolder::open(at("copy"))).ok());
    }

    void aFolderWithinTheRunIsItsOwn() {
        const RunFolder run = newRun();
        fs::create_directory(run.path() + "/second");
        put(run.path() + "/second/model");
        fs::create_symlink("second", run.resultDir());
        QVERIFY(makeOwnPlace(run, run.resultDir()).ok());
        QVERIFY(!ownerOf(run.resultDir()));
    }

    void whatLiesWithItsCheckpointsIsItsOwn() {
        const RunFolder run = newRun();
        fs::create_directory(run.resultDir());
        put(run.resultDir() + "/model");
        fs::create_directory(at("disk"));
        QVERIFY(moveCheckpoints(run, at("disk")).ok());
        QVERIFY(fs::is_symlink(run.resultDir()));
        QVERIFY(fs::exists(run.resultDir() + "/model"));
        QVERIFY(makeOwnPlace(run, run.resultDir()).ok());
        QVERIFY(!ownerOf(run.resultDir())); // the folder above says it
    }

    /// One that came from somebody else may have such links, too.
    void checkpointsThatLeadAnywhereMakeNoResultItsOwn() {
        const RunFolder run = newRun();
        fs::create_directories(at("docs/result"));
        put(at("docs/result/model"));
        fs::remove(run.checkpointsDir());
        fs::create_symlink(at("docs"), run.checkpointsDir());
        fs::create_symlink("checkpoints/result", run.resultDir());
        QVERIFY(!expectOwnPlaces(run).ok());
    }
};

QTEST_APPLESS_MAIN(tst_own_places)
#include "tst_own_places.moc"
