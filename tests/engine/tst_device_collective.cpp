// SPDX-FileCopyrightText: 2026 Homebooth authors
// SPDX-License-Identifier: Apache-2.0
//
// Which of two collectives is asked for what, and in which order they are waited for. Both write down what is
// asked of them; tensors without memory stand for those of a GPU.
#include "core/engine/collective/device_collective.h"
#include "core/engine/jobs/expected_failure.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace homebooth::core {
namespace {

using Said = std::vector<std::string>;

class Noted final : public Collective {
public:
    Noted(std::string name, Said& said)
        : m_name(std::move(name))
        , m_said(said) {}

    [[nodiscard]] int rank() const override { return 1; }
    [[nodiscard]] int ranks() const override { return 2; }
    [[nodiscard]] CollectiveTicket allGather(const at::Tensor& /*whole*/, const at::Tensor& shard) override {
        return note("gathers", shard);
    }
    [[nodiscard]] CollectiveTicket reduceScatter(const at::Tensor& shard,
                                                 const at::Tensor& /*whole*/) override {
        return note("scatters", shard);
    }
    [[nodiscard]] CollectiveTicket allReduce(const at::Tensor& values) override {
        return note("reduces", values);
    }
    [[nodiscard]] CollectiveTicket broadcast(const at::Tensor& values, int /*root*/) override {
        return note("broadcasts", values);
    }
    void wait(CollectiveTicket ticket) override {
        if (m_lost) throw RankLost({ErrorCode::Internal, m_name + " lost a rank", {}});
        m_said.push_back(m_name + " waits for " + std::to_string(ticket));
    }
    void requireAll() override {
        if (m_lost) throw RankLost({ErrorCode::Internal, m_name + " lost a rank", {}});
    }
    [[nodiscard]] CollectiveTraffic traffic() const override { return m_traffic; }

    void lose() { m_lost = true; }

private:
    CollectiveTicket note(const char* what, const at::Tensor& tensor) {
        m_said.push_back(m_name + " " + what);
        m_traffic.sentBytes += static_cast<int64_t>(tensor.nbytes());
        return static_cast<CollectiveTicket>(++m_traffic.collectives);
    }

    std::string m_name;
    Said& m_said;
    CollectiveTraffic m_traffic;
    bool m_lost = false;
};

class DeviceCollectiveTest : public ::testing::Test {
protected:
    DeviceCollectiveTest() {
        auto host = std::make_unique<Noted>("host", m_said);
        auto device = std::make_unique<Noted>("device", m_said);
        m_device = device.get();
        m_both = std::make_unique<DeviceCollective>(std::move(host), std::move(device));
    }

    /// What was said since the last call.
    Said news() { return std::exchange(m_said, {}); }

    const at::Tensor m_onHost = at::zeros({4});
    const at::Tensor m_onDevice = at::zeros({4}, at::TensorOptions().device(at::kMeta));
    Said m_said;
    Noted* m_device = nullptr;
    std::unique_ptr<DeviceCollective> m_both;
};

TEST_F(DeviceCollectiveTest, asksWhereTheTensorsLie) {
    EXPECT_EQ(m_both->rank(), 1);
    EXPECT_EQ(m_both->ranks(), 2);
    static_cast<void>(m_both->allGather(m_onHost, m_onHost));
    static_cast<void>(m_both->allGather(m_onDevice, m_onDevice));
    static_cast<void>(m_both->reduceScatter(m_onDevice, m_onDevice));
    static_cast<void>(m_both->allReduce(m_onHost));
    static_cast<void>(m_both->broadcast(m_onDevice, 0));
    EXPECT_EQ(news(), (Said{"host gathers", "device gathers", "device scatters", "host reduces",
                            "device broadcasts"}));
}

TEST_F(DeviceCollectiveTest, countsTicketsOfBothAndWaitsForAllBefore) {
    EXPECT_EQ(m_both->allReduce(m_onHost), 1U);
    EXPECT_EQ(m_both->reduceScatter(m_onDevice, m_onDevice), 2U);
    EXPECT_EQ(m_both->allGather(m_onDevice, m_onDevice), 3U);
    EXPECT_EQ(m_both->allReduce(m_onHost), 4U);
    news();
    m_both->wait(0);
    EXPECT_EQ(news(), Said());
    m_both->wait(3);
    EXPECT_EQ(news(), (Said{"host waits for 1", "device waits for 1", "device waits for 2"}));
    m_both->wait(2); // done already
    EXPECT_EQ(news(), Said());
    m_both->wait(4);
    EXPECT_EQ(news(), Said{"host waits for 2"});
    EXPECT_THROW(m_both->wait(5), c10::Error);
    EXPECT_EQ(m_both->allReduce(m_onDevice), 5U);
    m_both->wait(5);
    EXPECT_EQ(news(), (Said{"device reduces", "device waits for 3"}));
}

TEST_F(DeviceCollectiveTest, whatFailedIsNotTakenForDone) {
    const CollectiveTicket ticket = m_both->allGather(m_onDevice, m_onDevice);
    m_device->lose();
    EXPECT_THROW(m_both->wait(ticket), RankLost);
    EXPECT_THROW(m_both->wait(ticket), RankLost);
    EXPECT_THROW(m_both->requireAll(), RankLost);
}

TEST_F(DeviceCollectiveTest, addsUpWhatWentOverBoth) {
    static_cast<void>(m_both->allReduce(m_onHost));
    static_cast<void>(m_both->allReduce(m_onDevice));
    EXPECT_EQ(m_both->traffic().sentBytes, 32);
    EXPECT_EQ(m_both->traffic().collectives, 2);
}

} // namespace
} // namespace homebooth::core
