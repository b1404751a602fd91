// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are stopped together (Ctrl-Z, docker pause) for longer than one of them may hang: they go on.
// Who of them stays stopped is lost all the same.
#include "rank_processes.h"

#include "core/engine/collective/awake_time.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>

namespace homebooth::core::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLimit{5};
constexpr std::chrono::seconds kStop{8};

/// Rounds in which all wait for the last one, which computes, until there were enough of them.
TEST(Rank, DISABLED_worksUntilItIsEnough) {
    OwnPlace place = ownPlace();
    place.meeting.stallLimit = kLimit;
    const auto ranks = met(place);
    const bool isLast = place.meeting.rank == place.meeting.ranks - 1;
    try {
        for (int64_t enough = 0; enough == 0;) {
            if (isLast) std::this_thread::sleep_for(std::chrono::seconds(2));
            const bool says = std::filesystem::exists(place.folder + "/enough");
            const at::Tensor said = at::full({1}, says ? 1 : 0, at::kLong);
            ranks->wait(ranks->allReduce(said));
            enough = said.item<int64_t>();
            place.leave("working", "");
        }
        ranks->barrier();
    } catch (const RankLost& lost) {
        place.leave("loss", lost.error().message);
    }
}

class OfRanks : public ::testing::TestWithParam<int> {
protected:
    /// Starts the ranks, and stops them for a while as soon as they wait for the last one.
    void stopAll(const char* name) {
        m_folder = freshFolder(name + std::to_string(GetParam()));
        m_processes =
            std::make_unique<RankProcesses>(GetParam(), "Rank.DISABLED_worksUntilItIsEnough", m_folder);
        for (int rank = 0; rank < GetParam(); ++rank) m_processes->awaitText(rank, "working");
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        for (int rank = 0; rank < GetParam(); ++rank) m_processes->signal(rank, SIGSTOP);
        std::this_thread::sleep_for(kStop);
    }
    [[nodiscard]] std::string lossOf(int rank) const { return fileText(rankFile(m_folder, rank, "loss")); }

    std::string m_folder;
    std::unique_ptr<RankProcesses> m_processes;
};

TEST_P(OfRanks, goOnAfterAStopOfAll) {
    stopAll("all-stopped-");
    for (int rank = 0; rank < GetParam(); ++rank) { // the one that they wait for last
        m_processes->signal(rank, SIGCONT);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    std::ofstream(m_folder + "/enough") << "";
    m_processes->expectSuccessOfAll();
    for (int rank = 0; rank < GetParam(); ++rank) EXPECT_EQ(lossOf(rank), "") << "rank " << rank;
}

TEST_P(OfRanks, loseTheOneThatStaysStopped) {
    stopAll("one-stopped-");
    const int last = GetParam() - 1;
    for (int rank = 0; rank < last; ++rank) m_processes->signal(rank, SIGCONT);
    const auto begin = Clock::now();
    for (int rank = 0; rank < last; ++rank) m_processes->expectSuccess(rank);
    EXPECT_LT(Clock::now() - begin, 6 * kLimit);
    std::string losses;
    for (int rank = 0; rank < last; ++rank) {
        EXPECT_NE(lossOf(rank).find(" lost rank "), std::string::npos) << "rank " << rank;
        losses += lossOf(rank);
    }
    // The first to see it says so; to another the end of that one may come first.
    EXPECT_NE(losses.find("nothing moved for 5 s: it hangs"), std::string::npos) << losses;
    m_processes->signal(last, SIGCONT);
    m_processes->expectSuccess(last);
}

INSTANTIATE_TEST_SUITE_P(Several, OfRanks, ::testing::Values(2, 3));

/// As who polls a GPU counts.
TEST(Rank, DISABLED_waitsInLooks) {
    const OwnPlace place = ownPlace();
    const auto begin = Clock::now();
    place.leave("working", "");
    AwakeTime waited;
    while (waited.passed() < kLimit) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    place.leave("seconds", std::to_string(std::chrono::duration<double>(Clock::now() - begin).count()));
}

TEST(AwakeTime, leavesAStopOut) {
    const std::string folder = freshFolder("looks-stopped");
    RankProcesses processes(1, "Rank.DISABLED_waitsInLooks", folder);
    processes.awaitText(0, "working");
    processes.signal(0, SIGSTOP);
    std::this_thread::sleep_for(kStop);
    processes.signal(0, SIGCONT);
    processes.expectSuccess(0);
    EXPECT_GT(std::stod(fileText(rankFile(folder, 0, "seconds"))), 10.0); // 8 and 5, but for 2 of the stop
}

} // namespace
} // namespace homebooth::core::testing
