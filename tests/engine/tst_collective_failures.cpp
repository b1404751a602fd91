// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks that are killed, hang, go early, mean something else or do not come: the others end with the cause.
// And what a job shows to the rest of the machine.
#include "rank_processes.h"

#include "core/engine/collective/host_address.h"
#include "core/engine/collective/meeting_point.h"
#include "core/engine/collective/roll_call.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <atomic>
#include <future>
#include <set>
#include <thread>

namespace homebooth::core::testing {
namespace {

constexpr std::chrono::seconds kLongestEnd{60}; // from a rank's death to the end of all others

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// What a rank that lost another one says; it says the same to whatever is asked from then on.
void leaveLoss(const OwnPlace& place, Collective& ranks, const ExpectedFailure& failure) {
    const at::Tensor one = at::ones({1});
    try {
        ranks.wait(ranks.allReduce(one));
        ADD_FAILURE() << "goes on without a rank";
    } catch (const ExpectedFailure& again) {
        EXPECT_EQ(again.error().message, failure.error().message);
    }
    place.leave("loss", failure.error().message);
}

/// Reduces and gathers until a rank is lost.
void workUntilLoss(const OwnPlace& place, Collective& ranks) {
    const at::Tensor whole = at::ones({(int64_t{1} << 22) / ranks.ranks() * ranks.ranks()});
    const at::Tensor shard = at::empty({whole.numel() / ranks.ranks()});
    try {
        for (int round = 0;; ++round) {
            const CollectiveTicket reduced = ranks.reduceScatter(shard, whole);
            const CollectiveTicket gathered = ranks.allGather(whole, shard);
            ranks.wait(reduced);
            ranks.wait(gathered);
            if (round == 2) place.leave("working", "");
        }
    } catch (const ExpectedFailure& failure) {
        leaveLoss(place, ranks, failure);
    }
}

TEST(Rank, DISABLED_worksUntilLoss) {
    const OwnPlace place = ownPlace();
    workUntilLoss(place, *met(place));
}

/// The last rank computes while all others wait for it.
TEST(Rank, DISABLED_waitsForTheLast) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    place.leave("working", "");
    if (place.meeting.rank == place.meeting.ranks - 1) std::this_thread::sleep_for(kPatience);
    workUntilLoss(place, *ranks);
}

TEST(Rank, DISABLED_isImpatient) {
    OwnPlace place = ownPlace();
    place.meeting.stallLimit = std::chrono::seconds(5);
    workUntilLoss(place, *met(place));
}

/// Rank 0 takes a shard for longer than the others do.
TEST(Rank, DISABLED_meansSomethingElse) {
    OwnPlace place = ownPlace();
    place.meeting.stallLimit = std::chrono::seconds(5);
    const auto ranks = met(place);
    const int64_t length = place.meeting.rank == 0 ? 2000 : 1000;
    const at::Tensor whole = at::ones({length * place.meeting.ranks});
    try {
        ranks->wait(ranks->allGather(whole, at::ones({length})));
        ADD_FAILURE() << "gathers what does not belong together";
    } catch (const ExpectedFailure& failure) {
        leaveLoss(place, *ranks, failure);
    }
}

/// Threads that keep this process from going on as fast as others do, for as long as they live.
std::vector<std::jthread> busyThreads() {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 12; ++i)
        threads.emplace_back([](const std::stop_token& end) {
            while (!end.stop_requested()) {
            }
        });
    return threads;
}

/// The last rank goes without the barrier, with something unfinished, as soon as it has met the others, which
/// meet slowly.
TEST(Rank, DISABLED_lastGoesEarly) {
    const OwnPlace place = ownPlace();
    const bool isLast = place.meeting.rank == place.meeting.ranks - 1;
    std::vector<std::jthread> busy;
    if (!isLast) busy = busyThreads();
    const auto ranks = met(place);
    busy.clear();
    if (!isLast) return workUntilLoss(place, *ranks);
    static_cast<void>(ranks->allReduce(at::ones({1})));
}

/// Waits for something else than the others' data, as a GPU may, until a rank is known to be lost.
void askUntilLoss(const OwnPlace& place, Collective& ranks) {
    try {
        for (int i = 0; i < 6000; ++i) {
            ranks.requireAll();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ADD_FAILURE() << "does not notice that a rank is gone";
    } catch (const RankLost& failure) {
        place.leave("loss", failure.error().message);
    }
}

TEST(Rank, DISABLED_asksWhetherAllAreThere) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    ranks->requireAll();
    place.leave("working", "");
    if (place.meeting.rank == 0) return std::this_thread::sleep_for(kPatience);
    askUntilLoss(place, *ranks);
}

/// Rank 0 goes with nothing unfinished, as one does whose own memory ran out.
TEST(Rank, DISABLED_asksWhileOneGoes) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    if (place.meeting.rank != 0) askUntilLoss(place, *ranks);
}

/// Asks, until an exchange is done, whether all are there beside it.
void waitAsking(Collective& ranks, CollectiveTicket ticket, Collective& beside) {
    std::atomic<bool> done = false;
    const std::jthread waits([&] {
        ranks.wait(ticket);
        done = true;
    });
    while (!done) beside.requireAll();
}

TEST(Rank, DISABLED_asksUpToTheEnd) {
    OwnPlace place = ownPlace();
    for (int round = 0; round < 30; ++round) {
        place.meeting.file = place.folder + "/meeting-" + std::to_string(round);
        const auto beside = met(place);
        place.meeting.file += "-elsewhere";
        const auto ranks = met(place);
        const at::Tensor values = at::ones({1000});
        for (int i = 0; i < round % 3 + 1; ++i) waitAsking(*ranks, ranks->allReduce(values), *beside);
        beside->barrier();
    }
}

/// Ranks 1 and 2 wait for each other, and stay until both know that rank 0 was lost.
TEST(Rank, DISABLED_waitsForASurvivor) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    const at::Tensor one = at::ones({1});
    place.leave("working", "");
    if (place.meeting.rank == 0) return std::this_thread::sleep_for(kPatience);
    try {
        ranks->wait(ranks->broadcast(one, 3 - place.meeting.rank));
        ADD_FAILURE() << "goes on without a rank";
    } catch (const ExpectedFailure& failure) {
        leaveLoss(place, *ranks, failure);
    }
    const std::string other = rankFile(place.folder, 3 - place.meeting.rank, "loss");
    for (int i = 0; i < 2000 && !std::filesystem::exists(other); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST(Rank, DISABLED_waitsForNobody) {
    OwnPlace place = ownPlace();
    place.meeting.meetLimit = std::chrono::seconds(1);
    ++place.meeting.ranks; // one that is never started
    const auto ranks = meetOverGloo(place.meeting);
    ASSERT_FALSE(ranks);
    place.leave("loss", ranks.error().text());
}

/// Inodes of the own process's sockets.
std::set<std::string> ownSockets() {
    std::set<std::string> inodes;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
        if (target.starts_with("socket:[")) inodes.insert(target.substr(8, target.size() - 9));
    }
    return inodes;
}

/// Addresses on which the own process listens, as the kernel writes them.
std::vector<std::string> ownListeners(const char* table) {
    const std::set<std::string> own = ownSockets();
    std::ifstream file(table);
    std::string line;
    std::getline(file, line);
    std::vector<std::string> found;
    while (std::getline(file, line)) {
        std::istringstream columns(line);
        std::vector<std::string> column(10);
        for (std::string& one : column) columns >> one;
        if (column[3] == "0A" && own.count(column[9]) > 0)
            found.push_back(column[1].substr(0, column[1].find(':')));
    }
    return found;
}

TEST(Rank, DISABLED_listensOnLoopbackAlone) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    const std::vector<std::string> listeners = ownListeners("/proc/net/tcp");
    EXPECT_FALSE(listeners.empty());
    for (const std::string& address : listeners) EXPECT_EQ(address, "0100007F");
    EXPECT_TRUE(ownListeners("/proc/net/tcp6").empty());

    struct stat facts {};
    ASSERT_EQ(stat(place.meeting.file.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 07777, 0600U);
    ranks->barrier();
}

/// The same where ranks meet at an address, as those of several machines do.
TEST(Rank, DISABLED_meetsAtAnAddress) {
    OwnPlace place = ownPlace();
    MeetingPoint::Place at;
    at.address = "localhost";
    at.port = std::atoi(fileText(place.folder + "/port").c_str());
    at.rank = place.meeting.rank;
    at.ranks = place.meeting.ranks;
    at.job = "this one";
    const auto point = MeetingPoint::open(at);
    ASSERT_TRUE(point) << point.error().text();
    place.meeting.point = *point;
    for (const char* name : {"one", "other"}) {
        place.meeting.name = name;
        const auto ranks = met(place);
        const at::Tensor sum = at::ones({3});
        ranks->wait(ranks->allReduce(sum));
        EXPECT_TRUE(sum.equal(at::full({3}, place.meeting.ranks, at::kFloat)));
        const std::vector<std::string> listeners = ownListeners("/proc/net/tcp");
        EXPECT_FALSE(listeners.empty());
        for (const std::string& address : listeners) EXPECT_EQ(address, "0100007F");
        EXPECT_TRUE(ownListeners("/proc/net/tcp6").empty());
        ranks->barrier();
    }
    if (at.rank == 1) (*point)->leaveWord("news", "first");
    EXPECT_EQ((*point)->word("news", std::chrono::seconds(30)).value_or(""), "first");
    EXPECT_FALSE((*point)->word("nothing", std::chrono::milliseconds(10)));
    (*point)->leaveWord("news", "second"); // the first one stands
    EXPECT_EQ((*point)->word("news", std::chrono::seconds(30)).value_or(""), "first");
    place.meeting.name = "end"; // or rank 0, who answers, would go too early
    met(place)->barrier();
}

/// Waits for what each survivor says about the loss of one rank.
/// @param how  what is said of the lost rank where no third one was in between
void expectLoss(RankProcesses& processes, const std::string& folder, int ranks, int lost,
                const std::string& how = "but its connection ended") {
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank == lost) continue;
        processes.expectSuccess(rank);
        const std::string loss = fileText(rankFile(folder, rank, "loss"));
        EXPECT_TRUE(
            loss.starts_with("rank " + std::to_string(rank) + " of " + std::to_string(ranks) + " lost rank "))
            << loss;
        EXPECT_TRUE(holds(loss, "resume from the last checkpoint")) << loss;
        // Who sees a survivor's connection end before the dead one's names the survivor.
        EXPECT_TRUE(ranks > 2 || holds(loss, "lost rank " + std::to_string(lost))) << loss;
        EXPECT_TRUE(ranks > 2 || holds(loss, how)) << loss;
    }
}

class OfRanks : public ::testing::TestWithParam<int> {};

TEST_P(OfRanks, endWhenOneIsKilledAtAnyMoment) {
    const int ranks = GetParam();
    for (int attempt = 0; attempt < 4; ++attempt) {
        const int victim = attempt % ranks;
        const std::string folder = freshFolder("killed-" + std::to_string(ranks));
        RankProcesses processes(ranks, "Rank.DISABLED_worksUntilLoss", folder);
        for (int rank = 0; rank < ranks; ++rank) processes.awaitText(rank, "working");
        std::this_thread::sleep_for(std::chrono::milliseconds(13 * attempt));
        const auto death = std::chrono::steady_clock::now();
        processes.signal(victim, SIGKILL);
        expectLoss(processes, folder, ranks, victim);
        EXPECT_LT(std::chrono::steady_clock::now() - death, kLongestEnd);
    }
}

TEST_P(OfRanks, endWhenTheOneTheyWaitForIsKilled) {
    const int ranks = GetParam();
    const std::string folder = freshFolder("computing-" + std::to_string(ranks));
    RankProcesses processes(ranks, "Rank.DISABLED_waitsForTheLast", folder);
    for (int rank = 0; rank < ranks; ++rank) processes.awaitText(rank, "working");
    const auto death = std::chrono::steady_clock::now();
    processes.signal(ranks - 1, SIGKILL);
    expectLoss(processes, folder, ranks, ranks - 1);
    EXPECT_LT(std::chrono::steady_clock::now() - death, kLongestEnd);
}

TEST_P(OfRanks, noticeALossWhileTheyWaitForSomethingElse) {
    const int ranks = GetParam();
    const std::string folder = freshFolder("elsewhere-" + std::to_string(ranks));
    RankProcesses processes(ranks, "Rank.DISABLED_asksWhetherAllAreThere", folder);
    for (int rank = 0; rank < ranks; ++rank) processes.awaitText(rank, "working");
    const auto death = std::chrono::steady_clock::now();
    processes.signal(0, SIGKILL);
    expectLoss(processes, folder, ranks, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - death, kLongestEnd);
}

TEST_P(OfRanks, noticeThatOneHasGoneInAnOrderlyWay) {
    const std::string folder = freshFolder("orderly-" + std::to_string(GetParam()));
    const auto begin = std::chrono::steady_clock::now();
    RankProcesses processes(GetParam(), "Rank.DISABLED_asksWhileOneGoes", folder);
    expectLoss(processes, folder, GetParam(), 0, "but it has ended; see how rank 0 ended");
    processes.expectSuccess(0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kLongestEnd);
}

TEST_P(OfRanks, doNotTakeTheEndForALoss) {
    runRanks(GetParam(), "Rank.DISABLED_asksUpToTheEnd", "ends");
}

TEST_P(OfRanks, endWhenOneHangs) {
    const int ranks = GetParam();
    const std::string folder = freshFolder("hanging-" + std::to_string(ranks));
    RankProcesses processes(ranks, "Rank.DISABLED_isImpatient", folder);
    for (int rank = 0; rank < ranks; ++rank) processes.awaitText(rank, "working");
    const auto stop = std::chrono::steady_clock::now();
    processes.signal(0, SIGSTOP);
    expectLoss(processes, folder, ranks, 0, "but nothing moved for 5 s: it hangs");
    EXPECT_GT(std::chrono::steady_clock::now() - stop, std::chrono::seconds(4));
    EXPECT_LT(std::chrono::steady_clock::now() - stop, kLongestEnd);
    processes.signal(0, SIGCONT);
    processes.expectSuccess(0); // and says that it lost them
}

TEST_P(OfRanks, endWhenOneMeansSomethingElse) {
    const std::string folder = runRanks(GetParam(), "Rank.DISABLED_meansSomethingElse", "else");
    EXPECT_TRUE(holds(fileText(rankFile(folder, 0, "loss")), "allGather number 1 (8000 bytes)"));
}

TEST_P(OfRanks, endWhenOneGoesEarly) {
    for (int attempt = 0; attempt < 6; ++attempt) { // who is still in the meeting then differs
        const std::string folder = freshFolder("early-" + std::to_string(GetParam()));
        RankProcesses processes(GetParam(), "Rank.DISABLED_lastGoesEarly", folder);
        expectLoss(processes, folder, GetParam(), GetParam() - 1);
        processes.expectSuccess(GetParam() - 1);
    }
}

TEST_P(OfRanks, endWhenOneDoesNotCome) {
    const std::string folder = runRanks(GetParam(), "Rank.DISABLED_waitsForNobody", "missing");
    const std::string loss = fileText(rankFile(folder, 0, "loss"));
    EXPECT_TRUE(holds(loss, "rank 0 of " + std::to_string(GetParam() + 1) + " expected all ranks within 1 s"))
        << loss;
}

TEST_P(OfRanks, listenOnLoopbackAlone) {
    runRanks(GetParam(), "Rank.DISABLED_listensOnLoopbackAlone", "listen");
}

TEST_P(OfRanks, meetAtAnAddressOfLoopbackAlone) {
    const std::string folder = freshFolder("address-" + std::to_string(GetParam()));
    std::ofstream(folder + "/port") << homebooth::testing::freePort();
    RankProcesses(GetParam(), "Rank.DISABLED_meetsAtAnAddress", folder).expectSuccessOfAll();
}

INSTANTIATE_TEST_SUITE_P(Several, OfRanks, ::testing::Values(2, 3, 4));

TEST(Survivors, noticeALossWhileTheyWaitForEachOther) {
    const std::string folder = freshFolder("survivor");
    RankProcesses processes(3, "Rank.DISABLED_waitsForASurvivor", folder);
    for (int rank = 0; rank < 3; ++rank) processes.awaitText(rank, "working");
    const auto death = std::chrono::steady_clock::now();
    processes.signal(0, SIGKILL);
    expectLoss(processes, folder, 3, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - death, kLongestEnd);
}

TEST(Meeting, refusesAFileThatOthersMayRead) {
    GlooMeeting meeting;
    meeting.file = freshFolder("open") + "/meeting";
    std::ofstream(meeting.file) << "";
    chmod(meeting.file.c_str(), 0644);
    const auto ranks = meetOverGloo(meeting);
    ASSERT_FALSE(ranks);
    EXPECT_EQ(ranks.error().code, ErrorCode::BadInput);
    EXPECT_TRUE(holds(ranks.error().text(), "mode 0600")) << ranks.error().text();
}

TEST(Meeting, refusesALinkAndAFolderThatIsNotThere) {
    const std::string folder = freshFolder("link");
    std::filesystem::create_symlink(folder + "/elsewhere", folder + "/meeting");
    GlooMeeting meeting;
    meeting.file = folder + "/meeting";
    EXPECT_FALSE(meetOverGloo(meeting));
    EXPECT_FALSE(std::filesystem::exists(folder + "/elsewhere"));
    meeting.file = folder + "/none/meeting";
    EXPECT_FALSE(meetOverGloo(meeting));
}

TEST(Meeting, refusesAnAddressThatIsNotItsOwnOrTaken) {
    const auto listener = listenAt("127.0.0.1", homebooth::testing::freePort());
    ASSERT_TRUE(listener) << listener.error().text();
    sockaddr_in bound{};
    socklen_t length = sizeof bound;
    ASSERT_EQ(getsockname((*listener)->get(), reinterpret_cast<sockaddr*>(&bound), &length), 0);
    MeetingPoint::Place at;
    at.address = "127.0.0.1";
    at.port = ntohs(bound.sin_port);
    const auto taken = MeetingPoint::open(at);
    ASSERT_FALSE(taken);
    EXPECT_TRUE(holds(taken.error().text(), "choose another MASTER_PORT")) << taken.error().text();
    at.address = "no-such-machine.invalid";
    const auto unknown = MeetingPoint::open(at);
    ASSERT_FALSE(unknown);
    EXPECT_TRUE(holds(unknown.error().text(), "set MASTER_ADDR")) << unknown.error().text();
    at.rank = 1; // for whom the name may come to be known
    at.limit = std::chrono::seconds(2);
    const auto begin = std::chrono::steady_clock::now();
    const auto stillUnknown = MeetingPoint::open(at);
    ASSERT_FALSE(stillUnknown);
    EXPECT_TRUE(holds(stillUnknown.error().text(), "set MASTER_ADDR")) << stillUnknown.error().text();
    EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    at.address = "127.0.0.1";
    at.limit = std::chrono::seconds(1);
    at.port = homebooth::testing::freePort();
    const auto silent = MeetingPoint::open(at);
    ASSERT_FALSE(silent);
    EXPECT_TRUE(holds(silent.error().text(), "expected somebody to answer")) << silent.error().text();
    EXPECT_TRUE(holds(silent.error().text(), "nobody did (Connection refused)")) << silent.error().text();
}

TEST(Meeting, tellsWhoIsMissing) {
    MeetingPoint::Place at;
    at.address = "127.0.0.1";
    at.port = homebooth::testing::freePort();
    at.ranks = 3;
    at.limit = std::chrono::seconds(2);
    const auto first = MeetingPoint::open(at);
    ASSERT_TRUE(first) << first.error().text();
    at.rank = 1;
    const auto second = MeetingPoint::open(at);
    ASSERT_TRUE(second) << second.error().text();
    auto other = std::async(std::launch::async, [&second] { return (*second)->callRoll(); });
    const Result<void> own = (*first)->callRoll();
    const Result<void> others = other.get();
    for (const Result<void>* end : {&own, &others}) {
        ASSERT_FALSE(*end);
        EXPECT_TRUE(holds(end->error().text(), "did not come together: rank 2 is missing after 2 s"))
            << end->error().text();
    }
    EXPECT_EQ(RollCall::ofThisProcess().missing(), std::vector<int>{2});
}

TEST(Meeting, refusesARankThatCannotBe) {
    GlooMeeting meeting;
    meeting.file = freshFolder("rank") + "/meeting";
    for (const int rank : {-1, 2}) {
        meeting.rank = rank;
        meeting.ranks = 2;
        const auto ranks = meetOverGloo(meeting);
        ASSERT_FALSE(ranks);
        EXPECT_EQ(ranks.error().code, ErrorCode::BadInput);
    }
}

} // namespace
} // namespace homebooth::core::testing
