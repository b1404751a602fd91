// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Real processes as ranks: the test program starts itself once a rank and has each run one of its disabled
// tests, which finds its place by `ownPlace` and leaves what it says and makes in a folder.
#pragma once

#include "core/engine/collective/gloo_collective.h"

#include "tests/free_port.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace homebooth::core::testing {

constexpr std::chrono::seconds kPatience{420}; // after which a rank that has not ended never will
constexpr const char* kRankVariable = "HOMEBOOTH_TEST_RANK";
constexpr const char* kRanksVariable = "HOMEBOOTH_TEST_RANKS";
constexpr const char* kFolderVariable = "HOMEBOOTH_TEST_RANK_FOLDER";

inline std::string fileText(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return std::move(text).str();
}

/// An empty folder of this name.
inline std::string freshFolder(const std::string& name) {
    const char* root = std::getenv("HOMEBOOTH_TEST_DIR");
    const std::filesystem::path folder = std::filesystem::path(root != nullptr ? root : "/tmp") / name;
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder.string();
}

inline std::string rankFile(const std::string& folder, int rank, const char* kind) {
    return folder + "/" + kind + "-" + std::to_string(rank);
}

/// In a rank: where its parent put it.
struct OwnPlace {
    std::string folder;
    GlooMeeting meeting;

    /// Leaves a text for the parent, whole or not at all.
    void leave(const char* kind, const std::string& text) const {
        const std::string path = rankFile(folder, meeting.rank, kind);
        std::ofstream(path + ".part", std::ios::binary) << text;
        std::filesystem::rename(path + ".part", path);
    }
};

inline OwnPlace ownPlace() {
    const char* folder = std::getenv(kFolderVariable);
    OwnPlace place;
    if (folder == nullptr) throw std::runtime_error("this is no rank of a test");
    place.folder = folder;
    place.meeting.file = place.folder + "/meeting";
    place.meeting.rank = std::atoi(std::getenv(kRankVariable));
    place.meeting.ranks = std::atoi(std::getenv(kRanksVariable));
    return place;
}

inline std::unique_ptr<Collective> met(const OwnPlace& place) {
    auto collective = meetOverGloo(place.meeting);
    if (!collective) throw std::runtime_error(collective.error().text());
    return std::move(collective).value();
}

/// Ranks that run; those that are left are killed at the end, and with the thread that made this.
class RankProcesses {
public:
    /// @param test  Suite.DISABLED_name
    RankProcesses(int ranks, const std::string& test, std::string folder)
        : m_folder(std::move(folder)) {
        for (int rank = 0; rank < ranks; ++rank) m_pids.push_back(start(rank, ranks, test));
    }
    ~RankProcesses() {
        for (size_t rank = 0; rank < m_pids.size(); ++rank)
            if (m_pids[rank] > 0) {
                signal(static_cast<int>(rank), SIGKILL);
                waitpid(m_pids[rank], nullptr, 0);
            }
    }
    RankProcesses(const RankProcesses&) = delete;
    RankProcesses& operator=(const RankProcesses&) = delete;

    void signal(int rank, int number) { kill(m_pids[static_cast<size_t>(rank)], number); }

    /// Waits until a rank has left a text of this kind.
    void awaitText(int rank, const char* kind) const {
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (!std::filesystem::exists(rankFile(m_folder, rank, kind))) {
            ASSERT_LT(std::chrono::steady_clock::now(), end) << said(rank);
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }

    /// Waits until a rank has ended. Returns its status as waitpid says it; -1: it did not end.
    int await(int rank) {
        pid_t& pid = m_pids[static_cast<size_t>(rank)];
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (std::chrono::steady_clock::now() < end) {
            int status = 0;
            if (waitpid(pid, &status, WNOHANG) == pid) {
                pid = 0;
                return status;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return -1;
    }

    /// It has run its test, and passed it.
    void expectSuccess(int rank) {
        EXPECT_EQ(await(rank), 0) << "rank " << rank << ":\n" << said(rank);
        // A filter that finds nothing ends with 0, too.
        EXPECT_NE(said(rank).find("[  PASSED  ] 1 test."), std::string::npos) << "rank " << rank << ":\n"
                                                                              << said(rank);
    }

    void expectSuccessOfAll() {
        for (size_t rank = 0; rank < m_pids.size(); ++rank) expectSuccess(static_cast<int>(rank));
    }

    [[nodiscard]] std::string said(int rank) const { return fileText(rankFile(m_folder, rank, "said")); }

private:
    pid_t start(int rank, int ranks, const std::string& test) const {
        const std::string filter = "--gtest_filter=" + test;
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child != 0) return child;
        // One that works without end must not be left where the test is killed, e.g. for its time.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        unsetenv("GTEST_TOTAL_SHARDS"); // the test is this rank's, whoever shares out the others
        setenv(kRankVariable, std::to_string(rank).c_str(), 1);
        setenv(kRanksVariable, std::to_string(ranks).c_str(), 1);
        setenv(kFolderVariable, m_folder.c_str(), 1);
        setenv("OMP_NUM_THREADS", "1", 1);
        const int said = ::open(rankFile(m_folder, rank, "said").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(said, STDOUT_FILENO);
        dup2(said, STDERR_FILENO);
        execl("/proc/self/exe", "rank", "--gtest_also_run_disabled_tests", "--gtest_color=no", filter.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }

    std::string m_folder;
    std::vector<pid_t> m_pids; // 0: it has ended
};

/// Runs one of the program's disabled tests in so many ranks, all of which must pass it. Returns their
/// folder.
inline std::string runRanks(int ranks, const std::string& test, const std::string& name) {
    const std::string folder = freshFolder(name + "-" + std::to_string(ranks));
    RankProcesses processes(ranks, test, folder);
    processes.expectSuccessOfAll();
    return folder;
}

} // namespace homebooth::core::testing
