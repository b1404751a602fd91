// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What control groups leave of memory, read from folders like the kernel's.
#include "core/base/system/memory_facts.h"

#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace homebooth::core;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

struct Group {
    std::string limit = "max";
    int64_t used = 0;
    int64_t inactive = 0; ///< of files' pages
    int64_t active = 0;
};

class MemoryFactsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] fs::path root() const { return m_folder.path().toStdString(); }

    void make(const std::string& path, const Group& group) const {
        const fs::path folder = root().string() + path;
        fs::create_directories(folder);
        std::ofstream(folder / "memory.max") << group.limit << '\n';
        std::ofstream(folder / "memory.current") << group.used << '\n';
        std::ofstream(folder / "memory.stat")
            << "anon 1\ninactive_file " << group.inactive << "\nactive_file " << group.active << '\n';
    }

    /// @returns what is left
    [[nodiscard]] int64_t leftOf(const std::string& group) const {
        const MemoryLimit limit = tightestLimit(root(), group);
        return limit.bytes - limit.usedBytes;
    }

private slots:
    void init() {
        for (const auto& entry : fs::directory_iterator(root())) fs::remove_all(entry.path());
    }

    void pagesThatWereReadTwiceGiveWayInPart() {
        make("/job", {std::to_string(8000 * kMiB), 7000 * kMiB, 1000 * kMiB, 4000 * kMiB});
        QCOMPARE(leftOf("/job"), 4000 * kMiB);
    }

    /// The outer one has less left by what is used, and more when its files' pages are gone.
    void theGroupThatLeavesLeastIsFoundWithoutItsPageCache() {
        make("/outer", {std::to_string(10000 * kMiB), 9950 * kMiB, 8000 * kMiB});
        make("/outer/inner", {std::to_string(8000 * kMiB), 7900 * kMiB, 500 * kMiB});
        QCOMPARE(leftOf("/outer/inner"), 600 * kMiB);
        QCOMPARE(tightestLimit(root(), "/outer/inner").bytes, 8000 * kMiB);
        QCOMPARE(leftOf("/outer"), 8050 * kMiB);
    }

    void groupsWithoutALimitHaveNone() {
        make("/free", {"max", 100 * kMiB});
        QCOMPARE(tightestLimit(root(), "/free").bytes, int64_t{0});
        QCOMPARE(tightestLimit(root(), "/nowhere/at/all").bytes, int64_t{0});
        QCOMPARE(tightestLimit(root(), "").bytes, int64_t{0});
        make("/free/small", {std::to_string(50 * kMiB), 20 * kMiB});
        QCOMPARE(leftOf("/free/small"), 30 * kMiB);
    }

    /// As in a container, which sees its own group as the root.
    void theRootCountsToo() {
        make("/", {std::to_string(100 * kMiB), 90 * kMiB, 50 * kMiB});
        QCOMPARE(leftOf("/"), 60 * kMiB);
        make("/job", {std::to_string(200 * kMiB), 10 * kMiB});
        QCOMPARE(leftOf("/job"), 60 * kMiB);
    }

    void groupsOfTheFirstVersionCountToo() {
        const fs::path folder = root() / "memory/docker/job";
        fs::create_directories(folder);
        std::ofstream(folder / "memory.limit_in_bytes") << 250 * kMiB << '\n';
        std::ofstream(folder / "memory.usage_in_bytes") << 200 * kMiB << '\n';
        std::ofstream(folder / "memory.stat")
            << "inactive_file 1\ntotal_inactive_file " << 100 * kMiB << "\ntotal_active_file 0\n";
        std::ofstream(root() / "memory/memory.limit_in_bytes") << "9223372036854771712\n";
        std::ofstream(root() / "memory/memory.usage_in_bytes") << 8000 * kMiB << '\n';
        std::istringstream own("5:cpu,cpuacct:/docker/job\n4:memory:/docker/job\n0::/user\n");
        const MemoryLimit limit = tightestOf(root(), own);
        QCOMPARE(limit.bytes, 250 * kMiB);
        QCOMPARE(limit.usedBytes, 100 * kMiB);
        std::istringstream free("4:memory:/\n");
        QCOMPARE(tightestOf(root(), free).bytes, int64_t{0});
    }
};

} // namespace

QTEST_GUILESS_MAIN(MemoryFactsTest)
#include "tst_memory_facts.moc"
