// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What ranks do with each other's tensors, in real processes, against the same computed by one.
#include "rank_processes.h"

#include "core/engine/collective/lone_collective.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest-spi.h>

#include <array>
#include <iostream>

namespace homebooth::core::testing {
namespace {

struct Kind {
    at::ScalarType whole;
    at::ScalarType shard;
};
constexpr std::array kKinds{Kind{at::kFloat, at::kFloat},    Kind{at::kBFloat16, at::kBFloat16},
                            Kind{at::kBFloat16, at::kFloat}, Kind{at::kHalf, at::kHalf},
                            Kind{at::kHalf, at::kFloat},     Kind{at::kDouble, at::kDouble}};
/// Elements of a shard: none, one, less than a block, a few pieces and a part of one.
constexpr std::array<int64_t, 5> kShardSizes{0, 1, 777, 262'144, 600'001};

/// What a rank brings: the same wherever it is asked for. Its numbers differ so much in size that the order
/// of a sum shows.
at::Tensor brought(int rank, int64_t count, at::ScalarType type) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<uint64_t>(1000 + rank));
    const at::Tensor numbers = at::randn({count}, generator, at::kDouble);
    const at::Tensor sizes = at::randint(-6, 7, {count}, generator).to(at::kDouble).exp2();
    return (numbers * sizes).to(type);
}

at::Tensor plainSum(int ranks, int64_t count, const Kind& kind) {
    const at::ScalarType wide = kind.whole == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor sum = brought(0, count, kind.whole).to(wide);
    for (int rank = 1; rank < ranks; ++rank) sum = sum + brought(rank, count, kind.whole).to(wide);
    return sum.to(kind.shard);
}

at::Tensor partOf(const at::Tensor& whole, const Collective& ranks) {
    const int64_t length = whole.numel() / ranks.ranks();
    return whole.narrow(0, ranks.rank() * length, length);
}

void reduceAndGather(Collective& ranks, const Kind& kind, int64_t shardSize) {
    const int64_t count = shardSize * ranks.ranks();
    const at::Tensor expected = plainSum(ranks.ranks(), count, kind);
    const at::Tensor shard = at::empty({shardSize}, kind.shard);
    const at::Tensor source = brought(ranks.rank(), count, kind.whole);
    ranks.wait(ranks.reduceScatter(shard, source));
    EXPECT_TRUE(shard.equal(partOf(expected, ranks))) << kind.whole << " " << kind.shard << " " << shardSize;
    EXPECT_TRUE(source.equal(brought(ranks.rank(), count, kind.whole)));

    const at::Tensor whole = at::empty({count}, kind.shard);
    ranks.wait(ranks.allGather(whole, shard));
    EXPECT_TRUE(whole.equal(expected)) << kind.whole << " " << kind.shard << " " << shardSize;
}

TEST(Rank, DISABLED_reducesAndGathers) {
    const auto ranks = met(ownPlace());
    for (const Kind& kind : kKinds)
        for (const int64_t size : kShardSizes) reduceAndGather(*ranks, kind, size);
    ranks->barrier();
}

TEST(Rank, DISABLED_worksInPlace) {
    const auto ranks = met(ownPlace());
    for (const Kind& kind : {kKinds[0], kKinds[1]}) {
        const int64_t count = 300'007 * ranks->ranks();
        const at::Tensor whole = brought(ranks->rank(), count, kind.whole);
        const at::Tensor shard = partOf(whole, *ranks);
        ranks->wait(ranks->reduceScatter(shard, whole));
        EXPECT_TRUE(shard.equal(partOf(plainSum(ranks->ranks(), count, kind), *ranks)));
        ranks->wait(ranks->allGather(whole, shard));
        EXPECT_TRUE(whole.equal(plainSum(ranks->ranks(), count, kind)));
    }
    ranks->barrier();
}

TEST(Rank, DISABLED_reducesSmallTensors) {
    const auto ranks = met(ownPlace());
    for (const Kind& kind : kKinds) {
        if (kind.whole != kind.shard) continue;
        const at::Tensor values = brought(ranks->rank(), 1000, kind.whole);
        ranks->wait(ranks->allReduce(values));
        EXPECT_TRUE(values.equal(plainSum(ranks->ranks(), 1000, kind))) << kind.whole;
    }
    const at::Tensor count = at::full({}, int64_t{1} << (40 + ranks->rank()), at::kLong);
    ranks->wait(ranks->allReduce(count));
    EXPECT_EQ(count.item<int64_t>(), ((int64_t{1} << ranks->ranks()) - 1) << 40);
    ranks->barrier();
}

TEST(Rank, DISABLED_broadcasts) {
    const auto ranks = met(ownPlace());
    for (int root = 0; root < ranks->ranks(); ++root)
        for (const int64_t count : {0, 1, 3'000'001}) {
            const at::Tensor values = brought(ranks->rank(), count, at::kBFloat16);
            ranks->wait(ranks->broadcast(values, root));
            EXPECT_TRUE(values.equal(brought(root, count, at::kBFloat16)));
        }
    const at::Tensor bytes = at::full({5}, ranks->rank(), at::kByte);
    ranks->wait(ranks->broadcast(bytes, ranks->ranks() - 1));
    EXPECT_TRUE(bytes.equal(at::full({5}, ranks->ranks() - 1, at::kByte)));
    ranks->barrier();
}

/// Asks for many things, at moments that differ between ranks and runs, and waits for them from behind.
at::Tensor manyInFlight(Collective& ranks) {
    constexpr int kRounds = 24;
    constexpr int64_t kShard = 50'021;
    std::vector<at::Tensor> shards, wholes, norms;
    std::vector<CollectiveTicket> tickets;
    for (int round = 0; round < kRounds; ++round) {
        const at::Tensor source = brought(ranks.rank() + 10 * round, kShard * ranks.ranks(), at::kFloat);
        shards.push_back(at::empty({kShard}, at::kFloat));
        wholes.push_back(at::empty({kShard * ranks.ranks()}, at::kFloat));
        norms.push_back(source.to(at::kDouble).norm().reshape({1}));
        tickets.push_back(ranks.reduceScatter(shards.back(), source));
        tickets.push_back(ranks.allReduce(norms.back()));
        tickets.push_back(ranks.allGather(wholes.back(), shards.back())); // begins after its shard is there
        std::this_thread::sleep_for(std::chrono::microseconds((getpid() * (round + 1)) % 997));
    }
    for (auto ticket = tickets.rbegin(); ticket != tickets.rend(); ++ticket) ranks.wait(*ticket);
    at::Tensor all = at::cat(wholes).view(at::kByte);
    return at::cat({all, at::cat(norms).view(at::kByte)});
}

TEST(Rank, DISABLED_hasManyInFlight) {
    const OwnPlace place = ownPlace();
    const auto ranks = met(place);
    const at::Tensor all = manyInFlight(*ranks);
    place.leave("bytes", std::string(static_cast<const char*>(all.data_ptr()), all.nbytes()));
    ranks->barrier();
}

TEST(Rank, DISABLED_sendsWhatItMust) {
    const auto ranks = met(ownPlace());
    const int64_t others = ranks->ranks() - 1;
    const at::Tensor whole = brought(0, 100'000 * ranks->ranks(), at::kBFloat16);
    ranks->wait(ranks->reduceScatter(at::empty({100'000}, at::kFloat), whole));
    EXPECT_EQ(ranks->traffic().sentBytes, others * 200'000);
    ranks->wait(ranks->allGather(whole, at::empty({100'000}, at::kBFloat16)));
    EXPECT_EQ(ranks->traffic().sentBytes, others * 400'000);
    EXPECT_EQ(ranks->traffic().receivedBytes, others * 400'000);
    EXPECT_EQ(ranks->traffic().collectives, 2);
    ranks->barrier();
}

TEST(Rank, DISABLED_meetsAgainAndAgain) {
    OwnPlace place = ownPlace();
    for (int round = 0; round < 20; ++round) {
        place.meeting.file = place.folder + "/meeting-" + std::to_string(round);
        const auto ranks = met(place);
        for (int i = 0; i < round % 3; ++i) reduceAndGather(*ranks, kKinds[0], 1000);
        ranks->barrier(); // nobody who goes right after it harms the others
    }
}

class OfRanks : public ::testing::TestWithParam<int> {};

TEST_P(OfRanks, reduceAndGatherLikeOne) {
    runRanks(GetParam(), "Rank.DISABLED_reducesAndGathers", "plain");
}
TEST_P(OfRanks, workInPlace) {
    runRanks(GetParam(), "Rank.DISABLED_worksInPlace", "place");
}
TEST_P(OfRanks, reduceSmallTensors) {
    runRanks(GetParam(), "Rank.DISABLED_reducesSmallTensors", "small");
}
TEST_P(OfRanks, broadcast) {
    runRanks(GetParam(), "Rank.DISABLED_broadcasts", "broadcast");
}
TEST_P(OfRanks, sendNoMoreThanTheyMust) {
    runRanks(GetParam(), "Rank.DISABLED_sendsWhatItMust", "traffic");
}
TEST_P(OfRanks, meetAgainAndAgain) {
    runRanks(GetParam(), "Rank.DISABLED_meetsAgainAndAgain", "again");
}

TEST_P(OfRanks, haveTheSameBytesInTwoRuns) {
    const std::string first = runRanks(GetParam(), "Rank.DISABLED_hasManyInFlight", "first");
    const std::string second = runRanks(GetParam(), "Rank.DISABLED_hasManyInFlight", "second");
    const std::string bytes = fileText(rankFile(first, 0, "bytes"));
    EXPECT_GT(bytes.size(), 1'000'000U);
    for (int rank = 0; rank < GetParam(); ++rank) {
        EXPECT_TRUE(fileText(rankFile(first, rank, "bytes")) == bytes) << rank;
        EXPECT_TRUE(fileText(rankFile(second, rank, "bytes")) == bytes) << rank;
    }
}

INSTANTIATE_TEST_SUITE_P(Several, OfRanks, ::testing::Values(1, 2, 3, 4));

/// For tests/results: what 100 MB take.
TEST(Rank, DISABLED_takesTime) {
    const auto ranks = met(ownPlace());
    const at::Tensor whole = at::ones({25'000'000 / ranks->ranks() * ranks->ranks()});
    const at::Tensor shard = at::ones({whole.numel() / ranks->ranks()});
    using Clock = std::chrono::steady_clock;
    for (int round = 0; round < 5; ++round) {
        ranks->barrier();
        const auto start = Clock::now();
        ranks->wait(ranks->reduceScatter(shard, whole));
        const auto reduced = Clock::now();
        ranks->wait(ranks->allGather(whole, shard));
        const auto gathered = Clock::now();
        ranks->barrier();
        const std::chrono::duration<double, std::milli> first = reduced - start, second = gathered - reduced;
        std::cout << "reduceScatter " << first.count() << " ms, allGather " << second.count()
                  << " ms, barrier "
                  << std::chrono::duration<double, std::micro>(Clock::now() - gathered).count() << " us\n";
    }
}

TEST(Speed, DISABLED_of100MegabytesInFp32) {
    for (const int ranks : {2, 3, 4})
        std::cout << ranks << " ranks\n"
                  << fileText(rankFile(runRanks(ranks, "Rank.DISABLED_takesTime", "speed"), 0, "said"));
}

TEST(RankProcesses, haveNotPassedWithoutATest) {
    ::testing::TestPartResultArray failures;
    {
        const ::testing::ScopedFakeTestPartResultReporter kept(
            ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
        runRanks(1, "Rank.DISABLED_isNotThere", "no-test");
    }
    EXPECT_GT(failures.size(), 0);
}

/// Says which process it is, and stays.
TEST(Rank, DISABLED_staysForLong) {
    ownPlace().leave("working", std::to_string(getpid()));
    std::this_thread::sleep_for(kPatience);
}

TEST(RankProcesses, endWithTheTestThatIsKilled) {
    const std::string folder = freshFolder("orphans");
    prctl(PR_SET_CHILD_SUBREAPER, 1); // so that the rank is waited for here, once its parent has gone
    const pid_t test = fork();
    if (test == 0) {
        const RankProcesses processes(1, "Rank.DISABLED_staysForLong", folder);
        while (true) pause();
    }
    const std::string working = rankFile(folder, 0, "working");
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!std::filesystem::exists(working) && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const pid_t rank = std::atoi(fileText(working).c_str());
    kill(test, SIGKILL);
    waitpid(test, nullptr, 0);
    ASSERT_GT(rank, 0);
    int status = 0;
    EXPECT_EQ(waitpid(rank, &status, 0), rank);
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
}

TEST(LoneRank, hasItsOwnSumsAndShards) {
    LoneCollective alone;
    for (const Kind& kind : kKinds)
        for (const int64_t size : kShardSizes) reduceAndGather(alone, kind, size);
    const at::Tensor values = brought(0, 7, at::kDouble);
    alone.wait(alone.allReduce(values));
    alone.wait(alone.broadcast(values, 0));
    EXPECT_TRUE(values.equal(brought(0, 7, at::kDouble)));
    alone.barrier();
}

TEST(LoneRank, refusesWhatDoesNotFit) {
    LoneCollective alone;
    const at::Tensor four = at::zeros({4});
    EXPECT_THROW(static_cast<void>(alone.allGather(four, at::zeros({3}))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.allGather(four, at::zeros({4}, at::kDouble))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.allGather(four, at::zeros({8}).slice(0, 0, 8, 2))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.reduceScatter(four, at::zeros({4}, at::kLong))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.reduceScatter(at::zeros({4}, at::kHalf), four)), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.allReduce(at::zeros({kMostReducedBytes}))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.allReduce(at::zeros({4}, at::kByte))), c10::Error);
    EXPECT_THROW(static_cast<void>(alone.broadcast(four, 1)), c10::Error);
    EXPECT_THROW(alone.wait(1), c10::Error);
}

} // namespace
} // namespace homebooth::core::testing
