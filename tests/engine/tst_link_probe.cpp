// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// What a probe finds between ranks: over links that are known, and between real processes and threads.
#include "rank_processes.h"

#include "core/engine/collective/link_probe.h"
#include "core/engine/collective/lone_collective.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace homebooth::core::testing {
namespace {

constexpr int kRanks = 4;

/// One of four ranks whose others do what it does, over a ring of known links.
class KnownLink final : public Collective {
public:
    explicit KnownLink(const RankLink& link)
        : m_link(link) {}

    [[nodiscard]] int rank() const override { return 1; }
    [[nodiscard]] int ranks() const override { return kRanks; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& whole, const at::Tensor&) override {
        return carry(whole);
    }
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor&, const at::Tensor& whole) override {
        return carry(whole);
    }
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override {
        if (values.scalar_type() == at::kLong) at::Tensor(values).mul_(kRanks); // all are there
        return 0;
    }
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor&, int) override { return 0; }
    void wait(CollectiveTicket) override {}
    [[nodiscard]] CollectiveTraffic traffic() const override { return {}; }

    int64_t largestBytes = 0;

private:
    /// Without sleeping, which takes longer than it should.
    CollectiveTicket carry(const at::Tensor& whole) {
        using Clock = std::chrono::steady_clock;
        const auto bytes = static_cast<int64_t>(whole.nbytes());
        largestBytes = std::max(largestBytes, bytes);
        const std::chrono::duration<double> takes(
            collectiveCost(bytes, {1, kRanks}, {m_link, {}}).insideSeconds);
        for (const auto begin = Clock::now(); Clock::now() - begin < takes;) {
        }
        return 0;
    }

    RankLink m_link;
};

double secondsOver(const RankLink& link, int64_t bytes) {
    return collectiveCost(bytes, {1, kRanks}, {link, {}}).insideSeconds;
}

TEST(LinkProbe, findsWhatCollectivesTake) {
    constexpr int64_t kBytes = int64_t{8} << 20;
    double before = 0.0;
    // So slow that a rank that waits for its turn on a processor is hardly late, and no network yet.
    for (const RankLink& link : {RankLink{4e8, 1e-3}, RankLink{2e8, 1e-3}, RankLink{1e8, 1e-3}}) {
        KnownLink known(link);
        const RankLink found = probeLink(known, at::kCPU, at::kBFloat16);
        EXPECT_NEAR(secondsOver(found, kBytes) / secondsOver(link, kBytes), 1.0, 0.3);
        EXPECT_GT(secondsOver(found, kBytes), before); // slower links take longer
        before = secondsOver(found, kBytes);
        EXPECT_EQ(known.largestBytes, int64_t{16} << 20);
    }
}

TEST(LinkProbe, asksLessOfASlowLink) {
    const RankLink link{2e7, 1e-3};
    KnownLink known(link);
    const auto begin = std::chrono::steady_clock::now();
    const RankLink found = probeLink(known, at::kCPU, at::kFloat);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    EXPECT_LE(known.largestBytes, int64_t{4} << 20);
    EXPECT_NEAR(found.bytesPerSecond / link.bytesPerSecond, 1.0, 0.3);
}

TEST(LinkProbe, findsNoneOfOneRank) {
    LoneCollective lone;
    EXPECT_EQ(probeLink(lone, at::kCPU, at::kFloat).bytesPerSecond, 0.0);
}

/// Draws nothing: what follows is what it would have been.
TEST(Rank, DISABLED_probes) {
    const OwnPlace place = ownPlace();
    auto met = meetOverGloo(place.meeting);
    ASSERT_TRUE(met.ok()) << met.error().text();
    const std::unique_ptr<Collective> ranks = std::move(met).value();
    at::manual_seed(7);
    const RankLink link = probeLink(*ranks, at::kCPU, at::kFloat);
    const at::Tensor drawn = at::randn({4});
    at::manual_seed(7);
    EXPECT_TRUE(drawn.equal(at::randn({4})));
    ranks->barrier();
    std::ostringstream text;
    text.precision(17);
    text << link.bytesPerSecond << " " << link.latencySeconds;
    EXPECT_GT(link.bytesPerSecond, 0.0);
    EXPECT_GE(link.latencySeconds, 0.0);
    place.leave("link", text.str());
}

TEST(LinkProbe, findsTheSameAtAllRanks) {
    for (const int ranks : {2, 3}) {
        const std::string folder = runRanks(ranks, "Rank.DISABLED_probes", "probed");
        const std::string first = fileText(rankFile(folder, 0, "link"));
        EXPECT_FALSE(first.empty());
        for (int rank = 1; rank < ranks; ++rank) EXPECT_EQ(fileText(rankFile(folder, rank, "link")), first);
    }
}

TEST(LinkProbe, measuresBetweenThreadsAndLeavesNothing) {
    const std::string folder = freshFolder("threads");
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before != nullptr ? before : "/tmp";
    setenv("TMPDIR", folder.c_str(), 1);
    for (const int ranks : {2, 3}) {
        const auto found = probeLinkOfThreads(ranks, at::kBFloat16);
        ASSERT_TRUE(found.ok()) << found.error().text();
        EXPECT_GT(found->bytesPerSecond, 0.0);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    setenv("TMPDIR", (folder + "/none").c_str(), 1);
    EXPECT_FALSE(probeLinkOfThreads(2, at::kFloat).ok()); // nowhere to meet
    setenv("TMPDIR", kept.c_str(), 1);
}

} // namespace
} // namespace homebooth::core::testing
