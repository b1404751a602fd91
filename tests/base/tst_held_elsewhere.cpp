// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What processes of one program hold of the RAM, read from folders like the kernel's.
#include "core/base/system/held_elsewhere.h"

#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

class HeldElsewhereTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path at(const std::string& name) const {
        return m_folder.path().toStdString() + '/' + name;
    }

    void makeProcess(const std::string& name, const fs::path& program, const std::string& status = {}) const {
        fs::create_directories(at("proc/" + name));
        fs::create_symlink(program, at("proc/" + name + "/exe"));
        std::ofstream(at("proc/" + name + "/status")) << status;
    }

private slots:
    void initTestCase() {
        for (const char* name : {"worker", "editor"}) std::ofstream(at(name)) << name;
        fs::create_symlink(at("worker"), at("worker by another name"));
        makeProcess("12", at("worker"),
                    "Name:\tworker\nVmRSS:\t 9000 kB\nRssAnon:\t 5000 kB\nRssFile:\t 3000 kB\n"
                    "RssShmem:\t 1000 kB\n");
        makeProcess("13", at("editor"), "RssAnon:\t 70 kB\n");
        makeProcess("14", at("gone"), "RssAnon:\t 70 kB\n");
        makeProcess("15", at("worker by another name"), "RssAnon:\t 20 kB\n");
        makeProcess("self", at("worker"));
        makeProcess("12b", at("worker"));
        makeProcess(std::to_string(::getpid()), at("worker"), "RssAnon:\t 70 kB\n");
    }

    void theProgramsOwnProcessesAreFoundButTheOneThatAsks() {
        std::vector<int64_t> found = processesOf(at("worker"), at("proc"));
        std::sort(found.begin(), found.end());
        QCOMPARE(found, (std::vector<int64_t>{12, 15}));
        QVERIFY(processesOf(at("nowhere"), at("proc")).empty());
        QVERIFY(processesOf(at("worker"), at("nowhere")).empty());
    }

    /// Pages of files are free as it is.
    void whatIsInNoFileIsHeld() {
        QCOMPARE(ramHeldBy({12, 15}, at("proc")), int64_t{6020} * 1024);
        QCOMPARE(ramHeldBy({99}, at("proc")), int64_t{0}); // it has ended meanwhile
        QCOMPARE(ramHeldBy({}, at("proc")), int64_t{0});
    }

    void theKernelTellsOfThisProcess() {
        QVERIFY(ramHeldBy({::getpid()}) > 0);
        QVERIFY(processesOf("/proc/self/exe").empty()); // nobody else runs this test
        QCOMPARE(gpuHeldBy({}, "GPU-0"), int64_t{0});
    }
};

} // namespace

QTEST_GUILESS_MAIN(HeldElsewhereTest)
#include "tst_held_elsewhere.moc"
